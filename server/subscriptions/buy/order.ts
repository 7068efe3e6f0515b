import type { Charge, Confirmation } from '#shared/api/charge.ts';
import { type BillRow, quantityOf } from '#shared/rules/billing/bill.ts';
import { forecastOf } from '#shared/rules/billing/forecast.ts';
import { attemptReuseMs, isLive } from '#shared/rules/billing/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { onFile, type Payer } from '#server/payers/service.ts';
import { askStripeIfThere } from '#server/stripe/ask.ts';
import { findStripeSubscription, periodOf } from '#server/stripe/bill-subscription.ts';
import { findCustomer } from '#server/stripe/customers.ts';
import { nothingToConfirm } from '#server/stripe/invoices.ts';
import type { DiscountCodeRow } from '#server/catalogue/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { adoptBill, isBilling } from '../bill/adopt.ts';
import { advance, advanceNow } from '../bill/advance.ts';
import { mirrorBill, mirrorNow } from '../bill/mirror.ts';
import { type BillRecord, findAttempt, findBill } from '../bill/queries-bills.ts';
import { billOfEndedAccess, type BillReading } from '../bill/read.ts';
import { notCancelled, payerColumns, type SubscriptionRow, takeTrial, updateRow } from '../queries.ts';
import { agreedCharge, refuseUnpaid } from './agreed.ts';
import {
  askedBy,
  type Bought,
  claim,
  continueAttempt,
  type Wanted,
  withCredit,
  withdrawAttempt,
  type WriteRows,
} from './attempt.ts';
import { continueBegin } from './begin.ts';
import { inputAfter, monthAfterTrial, type PricedTool, priceTool, type Sale, takenFrom, trialDaysOf } from './quote.ts';
import { addRow, changeRow, goingOn } from '../effects.ts';
import { tellStarted, tellTrialStarted } from '../tell/events.ts';
import { redeemCode } from './codes.ts';

/**
 * Buys what is priced so: goes on with the same purchase where one is open, else withdraws the open one and begins another. The
 * card on file is charged if the payer agreed to that, else the payment form opens. Null where something has changed meanwhile.
 */
export async function buy(context: Context, wanted: Wanted, charge: Charge | undefined): Promise<Bought | null> {
  const { reading, sale, paysGrace = false } = wanted;
  const { payer } = reading;
  if (!paysGrace) await refuseUnpaid(context, reading);
  const open = await findAttempt(context.db, payer);
  if (open?.kind === 'month') return continueBegin(context, open).then(() => null);
  const asked = askedBy(sale(reading).bill);
  const isOpen = open !== null && askedBy(open) === asked && isYoung(open, context.now());
  if (open && !isOpen && !(await withdrawAttempt(context, open))) return refusePaid(context, wanted, open);
  const due = await agreedCharge(context, payer, charge, (creditCents) => {
    const { bill, nextCents, quote } = sale(withCredit(reading, creditCents));
    return { cents: bill.totalCents, nextCents, quote };
  });
  if (!open && (await findAgain(context, reading))) return null;
  const claimed = isOpen ? open : await claim(context, wanted, { asked, creditCents: due.creditCents });
  const begun = { confirmation: nothingToConfirm, started: true };
  const bought = claimed === 'begun' ? begun : claimed && (await continueAttempt(context, claimed, due));
  if (bought?.started) await mirrorNow(context, payer);
  return bought;
}

/** It won't expire while the adviser is paying. */
const isYoung = ({ createdAt }: BillRecord, now: Date) => now.getTime() - createdAt.getTime() <= attemptReuseMs;

/** The open purchase turned out to be paid: another one now costs something else, which has to be agreed to first. */
async function refusePaid(context: Context, { sale, reading }: Wanted, paid: BillRecord): Promise<null> {
  const tools = new Set([...paid.lines, ...paid.parts].map(({ toolId }) => toolId));
  const { bill } = sale(reading);
  if ([...bill.lines, ...bill.parts].some(({ toolId }) => tools.has(toolId))) return null;
  const now = await advanceNow(context, reading.payer);
  const { quote } = sale(now);
  throw new AppError('price_changed', quote ? { quote } : {});
}

/**
 * Before anything is sold, takes over what Stripe bills for the payer and a restored database has lost, and looks at a bill that
 * Stripe no longer has. Answers whether something has changed.
 */
async function findAgain(context: Context, reading: BillReading): Promise<boolean> {
  const { payer, facts, slots } = reading;
  const customer = await findCustomer(context, payer);
  const page =
    customer && (await askStripeIfThere(context, (stripe) => stripe.subscriptions.list({ customer, limit: 100 })));
  const billing = (page ? page.data : []).filter(isBilling);
  const { stripeSubscriptionId: own } = facts;
  if (own !== null && !billing.some(({ id }) => id === own)) return leaveBill(context, reading, own).then(() => true);
  const known = new Set([own, ...slots.map((row) => row.stripeSubscriptionId)]);
  let found = false;
  for (const one of billing) {
    // One whose period is over ends in this moment.
    if (known.has(one.id) || periodOf(one).end <= context.now()) continue;
    const bill = one.metadata['billId'] ? await findBill(context.db, one.metadata['billId']) : null;
    // What another request has just made is not lost.
    const isNew = bill?.status === 'attempt' || (await adoptBill(context, one));
    found ||= isNew;
  }
  return found;
}

/** The bill has ended at Stripe; or Stripe does not know it, as in a database that was used with another account. */
async function leaveBill(context: Context, { payer, input }: BillReading, id: string): Promise<void> {
  if (await findStripeSubscription(context, id)) return mirrorBill(context, payer);
  const isPaid = ({ toolId, ...row }: BillRow) => toolId !== lostMoneyTool && isLive(row, input.now);
  if (input.rows.some(isPaid)) throw new AppError('subscription_unknown');
  await onFile.storeBill(context.db, payer, null);
}

/**
 * Until it is paid, a row that is bought again keeps its status and dates. Its offer and free months have ended. What cost nothing so far
 * has the tool's price of today from now on.
 */
const again =
  (read: readonly SubscriptionRow[]): WriteRows =>
  async ({ db }, { months }, { facts, input }) => {
    const rows: SubscriptionRow[] = [];
    for (const { id, cents } of months) {
      const row = read.find((one) => one.id === id);
      const own = input.rows.find((one) => one.id === id);
      if (!row || !own) return null;
      const { unitCents, number: priceNumber } = own.price;
      const price = { unitCents, priceNumber, monthlyCents: cents, quantity: quantityOf(facts, row) };
      const change = { ...price, winBack: null, freeMonths: null };
      const after = await updateRow(db, row, change);
      if (!after) return null;
      rows.push(after);
    }
    return rows;
  };

/** Buys again, at its own price, what has ended: as the first bill, or as another tool. Null where something has changed. */
export async function purchaseRow(
  context: Context,
  payer: Payer,
  row: SubscriptionRow,
  charge: Charge | undefined,
): Promise<Confirmation | null> {
  const priced = await priceTool(context, payer, row.toolId, null, advanceNow);
  const { slot, reading, sale, quote } = priced;
  if (slot?.id !== row.id || slot.revision !== row.revision) return null;
  if (quote.totalCents === 0) return (await startFree(context, priced, row)) ? nothingToConfirm : null;
  return (await buy(context, { reading, sale, write: again([row]) }, charge))?.confirmation ?? null;
}

/** The first bill of tools that cost again since free access ended. */
const endedAccess: Sale = ({ input }) => {
  const owed = billOfEndedAccess(input);
  if (!owed) throw new AppError('conflict');
  const bill = { ...owed, kind: 'first' as const };
  const months = bill.lines.map(({ subscriptionId: id, cents }) => ({ id, cents }));
  const rows = input.rows.filter(({ id }) => months.some((month) => month.id === id));
  const next = forecastOf(inputAfter(input, bill, rows)).bill;
  return { bill, months, nextCents: next && next.totalCents, quote: null };
};

/** Buys what is in grace as one first bill, where free access ended. Null where something has changed meanwhile. */
export async function purchaseRows(
  context: Context,
  reading: BillReading,
  charge: Charge | undefined,
): Promise<Confirmation | null> {
  if (!billOfEndedAccess(reading.input)) return null;
  const wanted = { reading, sale: endedAccess, write: again(reading.slots), paysGrace: true };
  return (await buy(context, wanted, charge))?.confirmation ?? null;
}

export const columnsFor = ({ row, tool, reading, price }: PricedTool, now: Date) => ({
  ...payerColumns(reading.payer),
  id: row.id,
  toolId: tool.id,
  unitCents: row.price.unitCents,
  priceNumber: row.price.number,
  monthlyCents: price.totalCents,
  quantity: quantityOf(reading.facts, row),
  createdAt: now,
});

/** Starts a trial, once per person and tool; null where the slot is taken. An offer counts from the first month after it. */
export const startTrial = (
  context: Context,
  priced: PricedTool,
  code: DiscountCodeRow | null,
): Promise<SubscriptionRow | null> =>
  inTransaction(context, async (inside, tx) => {
    const { payer, facts } = priced.reading;
    const reading = await advance(inside, payer);
    const now = context.now();
    // Stripe counts in seconds, should the bill begin with its end.
    const whole = new Date(Math.floor(now.getTime() / 1000) * 1000);
    const trialEndDate = plus(whole, trialDaysOf(payer) * day);
    const { offer } = priced.row;
    const winBack = offer && takenFrom(monthAfterTrial(reading, priced.row, trialEndDate), offer);
    const values = { ...columnsFor(priced, now), status: 'trial' as const, trialEndDate, winBack };
    const row = await addRow(inside, values, { byCaller: true });
    if (!row) return null;
    if (!(await takeTrial(tx, facts.trialIdentities, row.toolId, row.id))) throw new AppError('trial_used');
    await redeemCode(tx, { payer, toolId: row.toolId, subscriptionId: row.id, code }, now);
    await tellTrialStarted(inside, row);
    return row;
  });

/**
 * Adds what costs this payer nothing, or starts their cancelled subscription `again`; null where the slot is taken or the row has
 * changed, or where it costs something by now.
 */
export const startFree = (
  context: Context,
  priced: PricedTool,
  again: SubscriptionRow | null = null,
): Promise<SubscriptionRow | null> =>
  inTransaction(context, async (inside) => {
    const reading = await advance(inside, priced.reading.payer);
    if (priced.sale(reading).quote?.totalCents !== 0) return null;
    const free = { ...goingOn(null), monthlyCents: 0 };
    if (again) {
      const ended = { autoRenew: true, stripeSubscriptionId: null, paidUntil: null, ...notCancelled };
      return changeRow(inside, again, { ...free, ...ended }, { byCaller: true });
    }
    const values = { ...columnsFor(priced, context.now()), unitCents: 0, priceNumber: 0, ...free };
    const row = await addRow(inside, values, { byCaller: true });
    if (row) await tellStarted(inside, row);
    return row;
  });
