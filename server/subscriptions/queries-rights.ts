import { eq, sql } from 'drizzle-orm';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { payingAdviser, payingTeam } from '#server/payers/service.ts';
import type { Db } from '#server/platform/data/database.ts';
import { grouped, together } from '#server/platform/data/together.ts';
import { picked } from './queries.ts';

const s = toolSubscriptions;

const rightsOf = together((db) => {
  const query = db
    .select({
      askedBy: sql<string>`picked.asked_by`,
      userId: s.userId,
      teamId: s.teamId,
      toolId: s.toolId,
      status: s.status,
      autoRenew: s.autoRenew,
      endDate: s.endDate,
      trialEndDate: s.trialEndDate,
      gracePeriodEnd: s.gracePeriodEnd,
      monthlyCents: s.monthlyCents,
      teamName: payingTeam.name,
      cardOnFile: sql<boolean>`coalesce(${payingAdviser.cardLast4}, ${payingTeam.cardLast4}) is not null`,
    })
    .from(s)
    .innerJoin(picked, sql`picked.id = ${s.id}`)
    .leftJoin(payingTeam, eq(payingTeam.id, s.teamId))
    .leftJoin(payingAdviser, eq(payingAdviser.id, s.userId))
    .orderBy(sql`${s.createdAt} desc`, s.id)
    .prepare('rights_of');
  return async (userIds) => grouped(await query.execute({ userIds }), ({ askedBy }) => askedBy);
});

/** The rows of `subscriptionRowsOf`, with only what decides whether they open their tool: tools ask thousands of times a second. */
export const rightsRowsOf = async (db: Db, userId: string) => (await rightsOf(db, userId)) ?? [];
export type RightsRow = Awaited<ReturnType<typeof rightsRowsOf>>[number];
