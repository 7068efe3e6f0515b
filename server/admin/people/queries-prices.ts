import { and, eq, ne, sql } from 'drizzle-orm';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import type { Db } from '#server/platform/data/database.ts';

const s = toolSubscriptions;

/** Some of the subscriptions that go on, of one tool or of all that cost something. */
export const rowsGoingOn = (db: Db, limit: number, toolId?: string) =>
  db
    .select({ id: s.id, userId: s.userId, teamId: s.teamId, status: s.status })
    .from(s)
    .where(
      and(
        toolId === undefined ? ne(s.toolId, lostMoneyTool) : eq(s.toolId, toolId),
        sql`${s.isActive} and ${s.autoRenew} and ${s.status} in ('trial', 'active', 'grace_period')`,
      ),
    )
    .limit(limit);
