import type Stripe from 'stripe';
import type { BillRow } from '#shared/rules/billing/bill.ts';
import { isLive } from '#shared/rules/billing/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { findPayerFacts, lockPayer, noBill, type Payer, payerOf, storeBillState } from '#server/payers/service.ts';
import { askStripeIfThere, isRefusal, isReusedKey } from '#server/stripe/ask.ts';
import { endStripeSubscription, findStripeSubscription, periodOf } from '#server/stripe/bill-subscription.ts';
import { findCustomer } from '#server/stripe/customers.ts';
import { findInvoice, payInvoice } from '#server/stripe/invoices.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { adoptBill, isBilling } from '../bill/adopt.ts';
import { advance, keepPart, stored } from '../bill/advance.ts';
import { mirrorBill } from '../bill/mirror.ts';
import { type BillRecord, findAttempt, findBill, insertBill, updateBill } from '../bill/queries-bills.ts';
import type { BillReading } from '../bill/read.ts';
import { followInvoice, settleBill } from '../bill/settle.ts';
import { deleteRow, findSubscription, type SubscriptionRow } from '../queries.ts';
import { tellStarted } from '../tell/events.ts';
import { type Agreed, keepTypedCard, refuseUnpaid } from './agreed.ts';
import { makeAtStripe, makeSubscription, voidAtStripe } from './at-stripe.ts';
import { startRow } from './complete.ts';
import { deleteAttempt } from './queries-attempts.ts';
import { isDeferred, type Order, type Sale } from './quote.ts';

/** An attempt is a purchase under way: a bill that waits for its payer. Each payer has one at most. */

/** What an attempt charges for, without ids: two that say the same are the same purchase. */
export const askedBy = ({ kind, lines, parts }: Pick<BillRecord, 'kind' | 'lines' | 'parts'>): string =>
  JSON.stringify([
    kind,
    lines.map(({ toolId, quantity, unitCents, discounts, cents, from }) => [
      toolId,
      quantity,
      unitCents,
      discounts.map(({ label, cents: off }) => [label, off]),
      cents,
      from,
    ]),
    parts.map(({ toolId, from, to, cents }) => [toolId, from, to, cents]),
  ]);

export const askedByOrder = ({ kind, bill }: Order) => askedBy({ kind, ...bill });

export const rowIdsOf = ({ lines, parts }: Pick<BillRecord, 'lines' | 'parts'>): string[] => [
  ...new Set([...lines, ...parts].flatMap(({ subscriptionId }) => subscriptionId ?? [])),
];

/** What was read, with the credit that Stripe has. */
export const withCredit = (reading: BillReading, creditCents: number): BillReading => ({
  ...reading,
  input: { ...reading.input, payer: { ...reading.input.payer, creditCents } },
});

/** Writes the rows of an order, as they are until it is paid; null where one has changed or its slot is taken. */
export type WriteRows = (inside: Context, order: Order, reading: BillReading) => Promise<SubscriptionRow[] | null>;

type Claim = {
  payer: Payer;
  sale: Sale;
  /** What the payer agreed to, or was shown. */
  asked: string;
  creditCents: number;
  write: WriteRows;
  /** Rows in grace are bought again, since nothing else pays for them. */
  paysGrace?: boolean;
};

/**
 * Writes down what will be asked of Stripe, before it is asked. What is too little to charge begins at once instead. Null where
 * another purchase is under way, or where it would be another one by now.
 */
export const claim = (context: Context, wanted: Claim): Promise<BillRecord | 'begun' | null> =>
  transaction(context.db, async (tx) => {
    const { payer, sale, asked, creditCents, write, paysGrace = false } = wanted;
    const inside = within(context, tx);
    const reading = await advance(inside, payer);
    if (!reading || (await findAttempt(tx, payer))) return null;
    if (!paysGrace) await refuseUnpaid(inside, reading);
    const order = sale(withCredit(reading, creditCents));
    if (askedByOrder(order) !== asked) return null;
    const rows = await write(inside, order, reading);
    if (!rows) return null;
    const { stripeSubscriptionId } = reading.facts;
    const bill = { kind: order.kind, ...stored(order.bill), stripeSubscriptionId };
    if (!isDeferred(order)) {
      const attempt = { ...bill, status: 'attempt' as const, createdAt: context.now() };
      const written = await insertBill(tx, payer, attempt);
      if (!written) throw new AppError('conflict');
      return written;
    }
    for (const part of order.bill.parts)
      if (part.cents > 0) await keepPart(inside, payer, { ...part, cause: 'below_minimum' }, bill.until);
    for (const { id } of rows) await tellStarted(inside, await startRow(inside, id, bill));
    return 'begun';
  });

type Opened = { bill: BillRecord; invoice: Stripe.Invoice | null };

/**
 * The attempt with its invoice, which is made where it has none yet. A refusal ends the attempt. Null where it was withdrawn
 * meanwhile, or where its key was used for something else and a further one is needed.
 */
async function openAtStripe(context: Context, bill: BillRecord): Promise<Opened | null> {
  if (bill.stripeInvoiceId) return { bill, invoice: await findInvoice(context, bill.stripeInvoiceId) };
  try {
    const { values, invoice } = await makeAtStripe(context, bill);
    const written = await updateBill(context.db, bill, values);
    if (written) return { bill: written, invoice };
    const current = await findBill(context.db, bill.id);
    if (current?.stripeInvoiceId === invoice.id) return { bill: current, invoice };
    await voidAtStripe(context, { ...bill, ...values });
    return null;
  } catch (error) {
    if (isRefusal(error)) await endAttempt(context, bill);
    if (!isReusedKey(error)) throw error;
    await updateBill(context.db, bill, { attempt: bill.attempt + 1 });
    return null;
  }
}

/** Until its invoice is paid, the browser may still confirm it. */
type Continued = { bill: BillRecord; invoice: Stripe.Invoice };

/**
 * Goes on with an attempt: makes its invoice or finds it, and charges the card if that was agreed. Null where another attempt has
 * to take its place.
 */
export async function continueAttempt(
  context: Context,
  attempt: BillRecord,
  due: Agreed | null = null,
): Promise<Continued | null> {
  const opened = await openAtStripe(context, attempt);
  if (!opened) return null;
  const { bill } = opened;
  let { invoice } = opened;
  if (invoice?.status === 'open' && due?.isPress) {
    // The invoice may hold credit that the press did not count on, or lack it.
    if (invoice.amount_remaining !== due.cents || !due.card) return withdrawAttempt(context, bill).then(() => null);
    await payInvoice(context, invoice.id, due.card);
    invoice = await findInvoice(context, invoice.id);
  }
  if (invoice?.status === 'paid') {
    // The receipt names the card.
    if (!due?.isPress) await keepTypedCard(context, payerOf(bill));
    await followInvoice(context, bill, invoice, () => Promise.resolve());
  } else if (invoice?.status !== 'open') return endAttempt(context, bill).then(() => null);
  const current = await findBill(context.db, bill.id);
  return current && { bill: current, invoice };
}

/** Withdraws an attempt at Stripe and here, so that another can follow; false where it is paid, and then completed. */
export async function withdrawAttempt(context: Context, attempt: BillRecord): Promise<boolean> {
  if (attempt.kind === 'month') return withdrawBegin(context, attempt);
  const opened = await openAtStripe(context, attempt).catch((error: unknown) => {
    if (isRefusal(error)) return null;
    throw error;
  });
  if (!opened) return (await findBill(context.db, attempt.id))?.status !== 'paid';
  const { bill, invoice } = opened;
  if (!(await voidAtStripe(context, { ...bill, stripeInvoiceId: invoice && bill.stripeInvoiceId }))) {
    await keepTypedCard(context, payerOf(bill));
    await settleBill(context, bill.id);
    return false;
  }
  await endAttempt(context, bill);
  return true;
}

/** Ends what a call for a bill that begins with a trial's end may have made, also where another process has just stored it. */
async function withdrawBegin(context: Context, attempt: BillRecord): Promise<boolean> {
  const payer = payerOf(attempt);
  try {
    const { id } = await makeSubscription(context, attempt, attempt.at);
    await endStripeSubscription(context, id);
    await transaction(context.db, async (tx) => {
      await lockPayer(tx, payer);
      const stored = (await findPayerFacts(tx, payer))?.stripeSubscriptionId === id;
      if (stored) await storeBillState(tx, payer, noBill);
    });
  } catch (error) {
    // Its beginning has passed, and nothing was made.
    if (!isRefusal(error)) throw error;
  }
  await endAttempt(context, attempt);
  return true;
}

/** Ends the attempt here, with the rows that were to begin with it. */
export const endAttempt = (context: Context, { id, userId, teamId }: BillRecord): Promise<void> =>
  transaction(context.db, async (tx) => {
    await lockPayer(tx, payerOf({ userId, teamId }));
    const bill = await findBill(tx, id);
    if (bill?.status !== 'attempt') return;
    if (bill.kind === 'month') return deleteAttempt(tx, bill.id);
    await updateBill(tx, bill, { status: 'void' });
    for (const rowId of rowIdsOf(bill)) {
      const row = await findSubscription(tx, rowId);
      if (row?.status === 'incomplete') await deleteRow(tx, row);
    }
  });

/** Withdraws a purchase that was begun until then, so that nobody pays for somebody else's. */
export async function withdrawPurchases(context: Context, payer: Payer, until: Date): Promise<void> {
  const open = await findAttempt(context.db, payer);
  if (open && open.createdAt <= until) await withdrawAttempt(context, open);
}

/**
 * Before anything is sold, takes over what Stripe bills for the payer and a restored database has lost, and looks at a bill that
 * Stripe no longer has. Answers whether something has changed.
 */
export async function findAgain(context: Context, reading: BillReading): Promise<boolean> {
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
  await storeBillState(context.db, payer, noBill);
}
