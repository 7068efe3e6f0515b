import { and, asc, eq, sql } from 'drizzle-orm';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import type { Db } from '#server/platform/database.ts';

const s = toolSubscriptions;
/** Has to be the expression of the index `tool_subscriptions_priced`, word for word. */
const priced = sql<number>`(coalesce((${s.purchase} ->> 'priced')::integer, 0))`;
const goingOn = sql`${s.isActive} and ${s.autoRenew} and ${s.purchase} is not null and ${s.status} in ('trial', 'active', 'grace_period')`;

export type UntoldPlace = { priced: number; id: string };

/** Subscriptions that go on, whose payers have not been told of that change of the tool's price, from `after` on. */
export const untoldOf = (db: Db, toolId: string, number: number, after: UntoldPlace | null, limit: number) =>
  db
    .select({ id: s.id, userId: s.userId, teamId: s.teamId, priced })
    .from(s)
    .where(
      and(
        eq(s.toolId, toolId),
        goingOn,
        sql`${priced} < ${number}`,
        after ? sql`(${priced}, ${s.id}) > (${after.priced}, ${after.id}::uuid)` : undefined,
      ),
    )
    .orderBy(priced, asc(s.id))
    .limit(limit);

/** What those pay who have the tool and go on, at most so many of them: for a preview. */
export const payingFor = (db: Db, toolId: string, limit: number) =>
  db
    .select({ status: s.status, purchase: s.purchase })
    .from(s)
    .where(and(eq(s.toolId, toolId), goingOn))
    .orderBy(priced, asc(s.id))
    .limit(limit);

/** How many have cancelled it and may still come back, or let it run out: at most so many. */
export const leaving = async (db: Db, toolId: string, limit: number): Promise<number> =>
  (
    await db
      .select({ id: s.id })
      .from(s)
      .where(
        and(
          eq(s.toolId, toolId),
          eq(s.isActive, true),
          sql`(${s.status} = 'cancelled' or (not ${s.autoRenew} and ${s.status} <> 'incomplete'))`,
        ),
      )
      .limit(limit)
  ).length;
