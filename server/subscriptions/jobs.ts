import { day, hour, minute, plus } from '#shared/rules/dates.ts';
import { findPayerFacts, type Payer, userPayer } from '#server/payers/service.ts';
import { stopInvoice } from '#server/stripe/invoices.ts';
import { eachOf, isAway } from '#server/platform/queue/each-of.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { expireGrace } from './bill/grace.ts';
import { mirrorBill } from './bill/mirror.ts';
import { type BillRecord, findBill, openBillsOf, touchBill } from './bill/queries-bills.ts';
import { settleBill } from './bill/settle.ts';
import { queueMirror } from './effects.ts';
import { expireIfOver } from './change/end.ts';
import type { SubscriptionRow } from './queries.ts';
import { billsDue, billsInGrace, rowsDue, rowsToReconcile, touchRows } from './queries-due.ts';
import { tellUnpaid } from './tell/events.ts';
import { payersOf, readEachMinute } from './work-through.ts';
import { withdrawPurchases } from './buy/attempt.ts';

export { beginBills, resumePurchases } from './buy/begin.ts';
export { joinOneBill } from './join/join.ts';
export { remindOfRenewals, tellBillOf, tellBills } from './tell/jobs.ts';
export { mirrorBill };

/** Works on payers, whose rows are looked at last in the next run. */
function forEachPayer(
  context: Context,
  find: () => Promise<SubscriptionRow[]>,
  work: (found: { payer: Payer; row: SubscriptionRow }) => Promise<unknown>,
  most?: number,
): Promise<void> {
  const touch = ({ payer }: { payer: Payer }) => touchRows(context.db, payer, context.now());
  return eachOf(context, {
    find: async () => payersOf(await find()),
    work: (found) => work(found).then(() => touch(found)),
    skip: touch,
    fault: 'subscriptions could not be brought up to date',
    most,
  });
}

/** Brings payers of whom something is due to now: bills are fixed, trials join them, and what is over expires. */
export const expireSubscriptions = (context: Context): Promise<void> =>
  forEachPayer(
    context,
    () => rowsDue(context.db, context.now(), plus(context.now(), -minute)),
    ({ row }) => expireIfOver(context, row),
  );

/** Makes up for lost webhooks, and for prices that change by date: compares bills with Stripe that nobody has compared for an hour. */
export const reconcileSubscriptions = (context: Context): Promise<void> =>
  forEachPayer(
    context,
    () => rowsToReconcile(context.db, plus(context.now(), -hour)),
    ({ payer }) => mirrorBill(context, payer).catch((error: unknown) => retryLater(context, payer, error)),
    readEachMinute,
  );

/** Where Stripe is there, another try is a job of its own: what goes on failing is an incident. */
async function retryLater(context: Context, payer: Payer, error: unknown): Promise<void> {
  if (isAway(error)) throw error;
  context.log.warn({ err: error, payer }, 'a bill differs at Stripe');
  await queueMirror(context, payer);
}

/** No grace is longer, so that two bills are never open at once. */
const longestGrace = 21 * day;

/** Whether the bill is in a grace that is over. */
const isGraceOver = ({ status, graceEnd, at }: BillRecord, now: Date): boolean =>
  status === 'unpaid' && ((graceEnd !== null && graceEnd <= now) || plus(at, longestGrace) <= now);

/** Has each bill that is due looked at by a job of its own, which is an incident where it goes on failing. */
export async function settleBills(context: Context): Promise<void> {
  const now = context.now();
  for (;;) {
    const due = await billsDue(context.db, now, { graceSince: plus(now, -longestGrace) });
    if (due.length === 0) return;
    for (const { id } of due) {
      await context.queue.send(context.db, 'settle-bill', { billId: id }, { singletonKey: id });
      await touchBill(context.db, id, now);
    }
  }
}

/** That job, also sent when a bill is fixed: follows what Stripe has of it, and ends its grace once that is over. */
export async function settleOrEnd(context: Context, billId: string): Promise<void> {
  const isOver = (bill: BillRecord | null) => bill !== null && isGraceOver(bill, context.now());
  const before = await findBill(context.db, billId);
  if (!isOver(before)) await settleBill(context, billId);
  const bill = await findBill(context.db, billId);
  if (bill && isOver(bill)) await expireGrace(context, bill);
}

/** Reminds of bills in grace; the day says which mail is due. A bill that fails fails the job, once all others are told. */
export async function tellUnpaidBills(context: Context): Promise<void> {
  const faults: unknown[] = [];
  for (let after: string | null = null; ;) {
    const bills = await billsInGrace(context.db, after);
    for (const bill of bills)
      if (!isGraceOver(bill, context.now()))
        await transaction(context.db, (tx) => tellUnpaid(within(context, tx), bill)).catch((fault: unknown) =>
          faults.push(fault),
        );
    after = bills.at(-1)?.id ?? null;
    if (!after) break;
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} unpaid bills could not be told`);
}

/** Has a job stop charges with a suspension, or resume them after it, once the caller's transaction commits. */
export const suspensionChanged = (context: Context, userId: string) =>
  context.queue.send(context.db, 'follow-suspension', { userId });

/**
 * That job: during a suspension the adviser's open purchases are withdrawn, and what is open is not charged; the lines of their bills are
 * $0.00, and their price again after it.
 */
export async function followSuspension(context: Context, userId: string): Promise<void> {
  const payer = userPayer(userId);
  const facts = await findPayerFacts(context.db, payer);
  if (facts?.chargesPaused) {
    await withdrawPurchases(context, payer, context.now());
    for (const { id, status, stripeInvoiceId } of await openBillsOf(context.db, payer)) {
      // What Stripe has not issued yet is stopped where its draft is held against the bill.
      if (stripeInvoiceId && status !== 'draft') await stopInvoice(context, stripeInvoiceId);
      await settleBill(context, id);
    }
  }
  if (facts) await mirrorBill(context, payer);
}
