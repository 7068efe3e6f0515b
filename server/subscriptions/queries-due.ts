import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, max, ne, or, sql, type SQL } from 'drizzle-orm';
import { day, plus } from '#shared/rules/dates.ts';
import { reminderDays } from '#shared/rules/billing/reminders.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { bills, toldBills } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { ofPayer, type Payer, payingAdviser, payingTeam, teamPayer, userPayer } from '#server/payers/service.ts';
import type { Db } from '#server/platform/data/database.ts';
import type { BillRecord } from './bill/queries-bills.ts';
import { cardOnFile, type SubscriptionRow } from './queries.ts';

const s = toolSubscriptions;
const b = bills;
const t = toldBills;
/** When a row's period or status is over: the expression of the index `tool_subscriptions_due`, word for word. */
const dueAt = sql<Date>`(case ${s.status} when 'trial' then ${s.trialEndDate} when 'active' then ${s.endDate} when 'grace_period' then ${s.gracePeriodEnd} else greatest(${s.endDate}, ${s.gracePeriodEnd}) end)`;

/** Rows a job takes at a time. */
const batch = 50;
/** Payers and rows that those who tell take at a time. */
const page = 100;

const rowsWhere = (db: Db, condition: SQL | undefined, order: SQL): Promise<SubscriptionRow[]> =>
  db.select().from(s).where(condition).orderBy(order, asc(s.id)).limit(batch);

/**
 * Live rows whose next date has passed and that no job has looked at since `seenBefore`. What an older release sold is followed by join
 * while it is on trial or in grace.
 */
export const rowsDue = (db: Db, now: Date, seenBefore: Date) =>
  rowsWhere(
    db,
    and(
      eq(s.isActive, true),
      ne(s.status, 'incomplete'),
      or(isNull(s.purchase), inArray(s.status, ['active', 'cancelled'])),
      or(isNull(s.syncedAt), lte(s.syncedAt, seenBefore)),
      sql`${dueAt} <= ${now}`,
    ),
    sql`${s.syncedAt} nulls first`,
  );

/** Notes that a job has looked at the rows of this payer; their revision stays. */
export const touchRows = async (db: Db, payer: Payer, syncedAt: Date) => {
  await db
    .update(s)
    .set({ syncedAt })
    .where(and(ofPayer(s, payer), eq(s.isActive, true), isNull(s.purchase)));
};

/** Payers without a bill, of whom something is billed by the month from a date until `until` on: the end of a trial with a card. */
export const payersToBegin = (db: Db, until: Date) =>
  db
    .selectDistinct({ userId: s.userId, teamId: s.teamId })
    .from(s)
    .leftJoin(payingTeam, eq(payingTeam.id, s.teamId))
    .leftJoin(payingAdviser, eq(payingAdviser.id, s.userId))
    .where(
      and(
        eq(s.isActive, true),
        sql`${dueAt} <= ${until}`,
        inArray(s.status, ['trial', 'active']),
        ne(s.toolId, lostMoneyTool),
        eq(s.autoRenew, true),
        isNull(s.purchase),
        cardOnFile,
        sql`coalesce(${payingAdviser.stripeSubscriptionId}, ${payingTeam.stripeSubscriptionId}) is null`,
      ),
    )
    .limit(200);

const onBill = and(eq(s.isActive, true), isNotNull(s.stripeSubscriptionId), isNull(s.purchase));

/** Rows on a payer's bill that were not read from Stripe since `readBefore`: first those that never were. */
export async function rowsToReconcile(db: Db, readBefore: Date): Promise<SubscriptionRow[]> {
  const never = await rowsWhere(db, and(onBill, isNull(s.syncedAt)), sql`${s.createdAt}`);
  return never.length > 0 ? never : rowsWhere(db, and(onBill, lte(s.syncedAt, readBefore)), sql`${s.syncedAt}`);
}

/**
 * Bills that wait for Stripe or for their payer: looked at every minute at first, then the less often the older they are; and those whose
 * grace is over, or as long as any may be.
 */
export const billsDue = (db: Db, now: Date, { graceSince }: { graceSince: Date }): Promise<BillRecord[]> =>
  db
    .select()
    .from(b)
    .where(
      and(
        inArray(b.status, ['draft', 'issued', 'unpaid']),
        or(
          isNull(b.checkedAt),
          sql`${b.checkedAt} + greatest(interval '1 minute', (${b.checkedAt} - ${b.at}) / 10) <= ${now}`,
          and(
            eq(b.status, 'unpaid'),
            or(lte(b.graceEnd, now), lte(b.at, graceSince)),
            sql`${b.checkedAt} <= ${now}::timestamptz - interval '1 minute'`,
          ),
        ),
      ),
    )
    .orderBy(sql`${b.checkedAt} nulls first`, asc(b.id))
    .limit(batch);

/** Bills in grace, after that one. */
export const billsInGrace = (db: Db, after: string | null): Promise<BillRecord[]> =>
  db
    .select()
    .from(b)
    .where(and(eq(b.status, 'unpaid'), after === null ? undefined : sql`${b.id} > ${after}`))
    .orderBy(asc(b.id))
    .limit(batch);

/** Payers with subscriptions, advisers before teams, by id from `after` on; a hundred at a time. */
export async function payersAfter(db: Db, after: Payer | null): Promise<Payer[]> {
  const pageOf = async (id: typeof s.userId | typeof s.teamId, last: string | null) => {
    const isNext = and(eq(s.isActive, true), isNotNull(id), last === null ? undefined : gt(id, last));
    return db
      .selectDistinct({ id: sql<string>`${id}` })
      .from(s)
      .where(isNext)
      .orderBy(asc(id))
      .limit(page);
  };
  const users = after?.kind === 'team' ? [] : await pageOf(s.userId, after?.userId ?? null);
  if (users.length > 0) return users.map(({ id }) => userPayer(id));
  return (await pageOf(s.teamId, after?.kind === 'team' ? after.teamId : null)).map(({ id }) => teamPayer(id));
}

/** `toldAt` is when a mail of these kinds told its payer last of their bill. */
export type DueRow = { id: string; userId: string | null; teamId: string | null; at: Date; toldAt: Date | null };

/** Live rows whose period or trial ends within the longest reminder, by date, from `last` on. */
export function rowsDueSoon(db: Db, now: Date, kinds: readonly string[], last: DueRow | null): Promise<DueRow[]> {
  const told = db
    .select({ at: max(t.toldAt).as('last_told_at') })
    .from(t)
    .where(and(or(eq(t.userId, s.userId), eq(t.teamId, s.teamId)), eq(t.tellsBill, true), inArray(t.kind, [...kinds])))
    .as('told');
  const at = sql<Date>`${dueAt}`.mapWith(s.createdAt);
  return db
    .select({ id: s.id, userId: s.userId, teamId: s.teamId, at, toldAt: told.at })
    .from(s)
    .leftJoinLateral(told, sql`true`)
    .where(
      and(
        eq(s.isActive, true),
        inArray(s.status, ['trial', 'active']),
        last ? or(gt(dueAt, last.at), and(eq(dueAt, last.at), gt(s.id, last.id))) : gt(dueAt, now),
        lte(dueAt, plus(now, (Math.max(...reminderDays) + 1) * day)),
      ),
    )
    .orderBy(asc(dueAt), asc(s.id))
    .limit(page);
}

/** No higher price before that moment. No call to Stripe waits for this, so the row's revision stays. */
export const noteRisesFrom = async (db: Db, id: string, risesFrom: Date) => {
  await db.update(s).set({ risesFrom }).where(eq(s.id, id));
};
