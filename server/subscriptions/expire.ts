import { isLive, overSince } from '#shared/rules/billing/subscriptions.ts';
import { payerOf } from '#server/payers/service.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { advance } from './bill/advance.ts';
import { unpaidBillsOf } from './bill/queries-bills.ts';
import type { BillReading } from './bill/read.ts';
import { changeRow } from './effects.ts';
import { isOld } from './join/old-row.ts';
import { syncOldSubscription } from './join/old-rows.ts';
import type { SlotRow, SubscriptionRow } from './queries.ts';
import { type EndedRow, tellExpired, tellStarted } from './tell/events.ts';

/** The columns of a subscription that is over. */
export const expired = (at: Date) => ({
  status: 'expired' as const,
  isActive: false,
  expiredAt: at,
  paymentProblem: null,
});

/** Brings the payer of a row to now: bills whose instant has come are fixed, and whatever of theirs is over by the clock expires. */
export async function expireIfOver(context: Context, row: SubscriptionRow): Promise<void> {
  // Stripe may have renewed what an older release sold without our knowing.
  if (isOld(row)) await syncOldSubscription(context, row.stripeSubscriptionId, () => Promise.resolve());
  await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const reading = await advance(inside, payerOf(row));
    await goOnFree(inside, reading);
    await expireOver(inside, reading);
  });
}

/** A trial that ends goes on at no cost where the adviser has free access. */
async function goOnFree(inside: Context, { facts, slots }: BillReading): Promise<void> {
  const isOver = ({ status, trialEndDate }: SlotRow) => status === 'trial' && trialEndDate! <= inside.now();
  for (const row of facts.freeAccess ? slots.filter((one) => isOver(one) && !isOld(one)) : []) {
    const free = { status: 'active' as const, autoRenew: true, monthlyCents: 0, endDate: null, gracePeriodEnd: null };
    const after = await changeRow(inside, row, free);
    if (after) await tellStarted(inside, after);
  }
}

/** What is over by the clock, but not what hangs on a bill in grace: that ends with its bill, once its invoice is void. */
async function expireOver(inside: Context, { payer, facts, slots }: BillReading): Promise<void> {
  const now = inside.now();
  const unpaid = await unpaidBillsOf(inside.db, payer);
  const over = slots.filter((row) => {
    if (row.status === 'incomplete' || isLive({ ...row, cardOnFile: facts.cardOnFile }, now)) return false;
    if (row.status === 'trial' && facts.freeAccess) return false;
    if (isOld(row) && (row.status === 'trial' || row.status === 'grace_period')) return false;
    return !unpaid.some(({ stripeInvoiceId }) => row.paymentProblem?.invoiceId === stripeInvoiceId);
  });
  for (const isTrial of [true, false]) {
    const ended: EndedRow[] = [];
    for (const row of over.filter(({ status }) => (status === 'trial') === isTrial)) {
      const after = await changeRow(inside, row, expired(overSince(row) ?? now));
      if (after) ended.push({ ...row, ...after });
    }
    await tellExpired(inside, ended, { isTrial });
  }
}
