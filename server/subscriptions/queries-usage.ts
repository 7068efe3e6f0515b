import { and, count, eq, gte, inArray, lte } from 'drizzle-orm';
import { teamMembers } from '#shared/schema/teams.ts';
import { toolUsage } from '#shared/schema/tools.ts';
import type { Payer } from '#server/billing/service.ts';
import type { Db } from '#server/platform/database.ts';

/** How often a tool was opened between two moments: by the adviser, or by those who are in the team now. */
export async function sessionsDuring(db: Db, payer: Payer, toolId: string, from: Date, to: Date): Promise<number> {
  const who =
    payer.kind === 'user'
      ? eq(toolUsage.userId, payer.userId)
      : inArray(
          toolUsage.userId,
          db.select({ id: teamMembers.userId }).from(teamMembers).where(eq(teamMembers.teamId, payer.teamId)),
        );
  const [row] = await db
    .select({ sessions: count() })
    .from(toolUsage)
    .where(and(who, eq(toolUsage.toolId, toolId), gte(toolUsage.createdAt, from), lte(toolUsage.createdAt, to)));
  return row?.sessions ?? 0;
}
