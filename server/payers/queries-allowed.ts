import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { ToolRule } from '#shared/rules/record.ts';
import { teamTools } from '#shared/schema/record.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import type { Db } from '#server/platform/database.ts';
import { grouped, together } from '#server/platform/together.ts';

const d = teamTools;

const rulesFor = together((db) => {
  const query = db
    .select({
      userId: teamMembers.userId,
      teamId: teams.id,
      teamName: teams.name,
      newToolsAllowed: teams.newToolsAllowed,
      toolId: d.toolId,
      allowed: d.allowed,
      reason: d.reason,
    })
    .from(teamMembers)
    .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), eq(teams.isActive, true)))
    .leftJoin(d, eq(d.teamId, teams.id))
    .where(
      and(
        sql`${teamMembers.userId} = any(${sql.placeholder('userIds')}::uuid[])`,
        sql`(${d.toolId} is not null or not ${teams.newToolsAllowed})`,
      ),
    )
    .prepare('tool_rules_for');
  return async (userIds) => grouped(await query.execute({ userIds }), ({ userId }) => userId);
});

/** What the teams of this person have decided about tools. */
export const toolRulesFor = async (db: Db, userId: string): Promise<ToolRule[]> => (await rulesFor(db, userId)) ?? [];

/** What one team has decided, tool by tool. */
export const decisionsOf = (db: Db, teamId: string) =>
  db.select().from(d).where(eq(d.teamId, teamId)).orderBy(asc(d.toolId));

/** Writes what is decided about a tool; what is left out stays. The team is locked meanwhile. */
export async function decide(
  db: Db,
  {
    teamId,
    toolId,
    ...change
  }: Pick<typeof d.$inferInsert, 'teamId' | 'toolId' | 'decidedById' | 'decidedAt'> &
    Partial<Pick<typeof d.$inferInsert, 'allowed' | 'reason' | 'reviewDue'>>,
) {
  await db
    .insert(d)
    .values({ teamId, toolId, ...change })
    .onConflictDoUpdate({ target: [d.teamId, d.toolId], set: change });
}

/** Reviews that were due by a day, in teams that go on. */
export const reviewsDue = (db: Db, day: string) =>
  db
    .select({ teamId: d.teamId, toolId: d.toolId, due: sql<string>`${d.reviewDue}::text`, ownerId: teams.ownerId })
    .from(d)
    .innerJoin(teams, and(eq(teams.id, d.teamId), eq(teams.isActive, true)))
    .where(lte(d.reviewDue, day));
