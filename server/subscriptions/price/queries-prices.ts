import { and, asc, count, eq, sql } from 'drizzle-orm';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import type { Db } from '#server/platform/database.ts';

const s = toolSubscriptions;
/** Must be the expression of the index `tool_subscriptions_priced`, word for word. */
const priced = sql<number>`(coalesce((${s.purchase} ->> 'priced')::integer, 0))`;
const goingOn = sql`${s.isActive} and ${s.autoRenew} and ${s.purchase} is not null and ${s.status} in ('trial', 'active', 'grace_period')`;

export type UntoldPlace = { priced: number; id: string };

/** Subscriptions that go on and whose payers have not been told of that change of the tool's price, from `after` on. */
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

/** Must be the expression of the index `tool_subscriptions_tiers`, word for word. */
const tiersNumber = sql<number>`(coalesce((${s.purchase} -> 'tiers' ->> 'number')::integer, 0))`;

export type UntoldTiersPlace = { number: number; id: string };

/** Subscriptions that go on and whose payers have not been told of that change of the volume discounts, from `after` on. */
export const untoldOfTiers = (db: Db, number: number, after: UntoldTiersPlace | null, limit: number) =>
  db
    .select({ id: s.id, userId: s.userId, teamId: s.teamId, number: tiersNumber })
    .from(s)
    .where(
      and(
        goingOn,
        sql`${tiersNumber} < ${number}`,
        after ? sql`(${tiersNumber}, ${s.id}) > (${after.number}, ${after.id}::uuid)` : undefined,
      ),
    )
    .orderBy(tiersNumber, asc(s.id))
    .limit(limit);

/** The payer of each subscription that goes on. */
export const someGoingOn = (db: Db, limit: number) =>
  db.select({ userId: s.userId, teamId: s.teamId }).from(s).where(goingOn).limit(limit);

/** Of at most `limit` subscriptions to the tool that go on: how many pay which unit price next month. */
export function payingFor(db: Db, toolId: string, limit: number) {
  const some = db
    .select({
      status: s.status,
      unitCents: sql<number>`(${s.purchase} ->> 'unitCents')::integer`.as('unit_cents'),
    })
    .from(s)
    .where(and(eq(s.toolId, toolId), goingOn))
    .limit(limit)
    .as('some');
  return db
    .select({ status: some.status, unitCents: some.unitCents, number: count() })
    .from(some)
    .groupBy(some.status, some.unitCents);
}
