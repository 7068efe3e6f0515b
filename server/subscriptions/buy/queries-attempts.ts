import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { bills } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { hasCardAndNoBill } from '#server/payers/service.ts';
import type { Db } from '#server/platform/data/database.ts';

const b = bills;
const s = toolSubscriptions;

/** For one of which nothing was charged: what it began is stored with the payer. */
export const deleteAttempt = async (db: Db, id: string): Promise<void> => {
  await db.delete(b).where(and(eq(b.id, id), eq(b.status, 'attempt')));
};

/**
 * Attempts that a job may have to look at: those whose call to Stripe has no known outcome, old ones, and parts of a month, which end
 * with their bill. Most calls end within two seconds of real time; a call that still runs is repeated under its key.
 */
export const attemptsToResume = (db: Db, tooOld: Date) =>
  db
    .select()
    .from(b)
    .where(
      and(
        eq(b.status, 'attempt'),
        or(
          and(isNull(b.stripeInvoiceId), sql`${b.updatedAt} < now() - interval '2 seconds'`),
          lte(b.createdAt, tooOld),
          eq(b.kind, 'tool'),
        ),
      ),
    )
    .orderBy(asc(b.createdAt), asc(b.id))
    .limit(500);

/** Payers without a bill, of whom something is billed by the month from a date until `until` on: the end of a trial with a card. */
export const payersToBegin = (db: Db, until: Date) =>
  db
    .selectDistinct({ userId: s.userId, teamId: s.teamId })
    .from(s)
    .where(
      and(
        eq(s.isActive, true),
        // The expression of the index.
        sql`(case ${s.status} when 'trial' then ${s.trialEndDate} when 'active' then ${s.endDate} when 'grace_period' then ${s.gracePeriodEnd} else greatest(${s.endDate}, ${s.gracePeriodEnd}) end) <= ${until}`,
        inArray(s.status, ['trial', 'active']),
        ne(s.toolId, lostMoneyTool),
        eq(s.autoRenew, true),
        isNull(s.purchase),
        hasCardAndNoBill(s),
      ),
    )
    .limit(200);
