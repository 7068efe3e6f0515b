import { and, asc, eq, gt, inArray, isNotNull, lte, or, sql } from 'drizzle-orm';
import { day, plus } from '#shared/rules/dates.ts';
import { reminderDays } from '#shared/rules/reminders.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { reminderPreference } from '#server/notifications/service.ts';
import { ofPayer, type Payer, payingAdviser, payingTeam } from '#server/payers/service.ts';
import type { Db } from '#server/platform/database.ts';

const s = toolSubscriptions;
const batch = 500;
/** Must be the expression of the index `tool_subscriptions_due`, word for word. */
const dueAt = sql<Date>`(case ${s.status} when 'trial' then ${s.trialEndDate} when 'active' then ${s.endDate} when 'grace_period' then ${s.gracePeriodEnd} else greatest(${s.endDate}, ${s.gracePeriodEnd}) end)`;
const horizon = (Math.max(...reminderDays) + 1) * day;

/**
 * Live rows whose period or trial ends within the longest reminder, with whom to remind, ordered by date; from `last` on, or
 * those of one payer.
 */
export const rowsRenewingSoon = (db: Db, now: Date, last: { at: Date; id: string } | null, payer?: Payer) =>
  db
    .select({
      id: s.id,
      userId: s.userId,
      teamId: s.teamId,
      toolId: s.toolId,
      at: dueAt.mapWith(s.endDate),
      status: s.status,
      autoRenew: s.autoRenew,
      endDate: s.endDate,
      trialEndDate: s.trialEndDate,
      monthlyCents: s.monthlyCents,
      prorations: s.prorations,
      told: s.told,
      contactId: payingAdviser.id,
      businessState: payingAdviser.businessState,
      cardOnFile: sql<boolean>`(case when ${s.teamId} is null then ${payingAdviser.cardLast4} else ${payingTeam.cardLast4} end) is not null`,
      reminderDays: reminderPreference.reminderDays,
    })
    .from(s)
    .leftJoin(payingTeam, eq(payingTeam.id, s.teamId))
    .innerJoin(payingAdviser, eq(payingAdviser.id, sql`coalesce(${s.userId}, ${payingTeam.ownerId})`))
    .leftJoin(reminderPreference, eq(reminderPreference.userId, payingAdviser.id))
    .where(
      and(
        eq(s.isActive, true),
        payer && ofPayer(s, payer),
        // An adviser whose charges are paused has nothing to be reminded of.
        or(isNotNull(s.teamId), eq(payingAdviser.chargesPaused, false)),
        inArray(s.status, ['trial', 'active']),
        last ? or(gt(dueAt, last.at), and(eq(dueAt, last.at), gt(s.id, last.id))) : gt(dueAt, now),
        lte(dueAt, plus(now, horizon)),
      ),
    )
    .orderBy(asc(dueAt), asc(s.id))
    .limit(batch);
export type RenewingRow = Awaited<ReturnType<typeof rowsRenewingSoon>>[number];

/** Rows with something to tell that does not wait for a date, by id from `after` on. */
export const rowsToTell = (db: Db, after: string | null) =>
  db
    .select({ id: s.id, userId: s.userId, teamId: s.teamId })
    .from(s)
    .where(
      and(
        eq(s.isActive, true),
        after === null ? undefined : gt(s.id, after),
        sql`${s.id} in (
          select changed.id from tool_subscriptions changed where changed.price_told is not null
          union all
          select failed.id from tool_subscriptions failed where failed.status = 'grace_period'
            and (failed.told ->> 'at')::timestamptz is distinct from date_trunc('milliseconds', failed.grace_period_end))`,
      ),
    )
    .orderBy(asc(s.id))
    .limit(batch);

/** Notes that its price was told, so that a reminder does not tell it again. */
export const notePriceTold = async (db: Db, { id, told }: Pick<RenewingRow, 'id' | 'told'>, cents: number) => {
  await db
    .update(s)
    .set({ priceTold: null, ...(told && { told: { ...told, cents } }) })
    .where(eq(s.id, id));
};

/** Notes what was told of this row. */
export const noteTold = async (db: Db, id: string, told: NonNullable<RenewingRow['told']>) => {
  await db.update(s).set({ told }).where(eq(s.id, id));
};
