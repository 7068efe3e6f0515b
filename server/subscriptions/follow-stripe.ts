import type Stripe from 'stripe';
import { toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import { copyInvoice, copyStripeInvoice } from '#server/invoices/service.ts';
import { columnsOf, findPayerBy, type Payer, practices, requirePayerFacts } from '#server/payers/service.ts';
import { idOf } from '#server/stripe/ask.ts';
import { findStripeSubscription } from '#server/stripe/bill-subscription.ts';
import { findInvoice, payInvoice, subscriptionOf } from '#server/stripe/invoices.ts';
import type { Context } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';
import { adoptBill, isBilling } from './bill/adopt.ts';
import { advanceNow } from './bill/advance.ts';
import { mirrorBill } from './bill/mirror.ts';
import { type BillRecord, findBill, findBillByInvoice, openBillsOf, unpaidBillsOf } from './bill/queries-bills.ts';
import { type AlsoWrite, settleBill, settleInvoice } from './bill/settle.ts';
import { unclaimed } from './join/adopt-old.ts';
import { syncOldSubscription } from './join/old-rows.ts';
import { findOwnerOfOldInvoice } from './join/queries-join.ts';

/** Copies an invoice of ours: a bill's, one of an older release, or one that an operator made. False where it is nobody's here. */
export async function keepInvoice(db: Db, invoice: Stripe.Invoice): Promise<boolean> {
  const bill = await findBillByInvoice(db, invoice.id);
  if (bill) await copyInvoice(db, invoice, bill);
  // What a press has made and not stored yet, bills nobody so far.
  if (bill || isOfPress(invoice)) return true;
  const subscription = subscriptionOf(invoice);
  const old = subscription && (await findOwnerOfOldInvoice(db, subscription));
  const payer = old ? null : await findPayerBy(db, 'stripeCustomerId', idOf(invoice.customer));
  const owner = old || (payer && { ...columnsOf(payer), subscriptionId: null, toolName: null });
  if (owner) await copyStripeInvoice(db, invoice, owner);
  return owner !== null;
}

const isOfPress = ({ metadata, parent }: Stripe.Invoice) =>
  (metadata?.['billId'] ?? parent?.subscription_details?.metadata?.['billId']) !== undefined;

/** Brings the payer's bills to now: fixed where their instant has come, then to what Stripe has of each. */
async function settleBills(context: Context, payer: Payer): Promise<void> {
  await advanceNow(context, payer);
  for (const { id } of await openBillsOf(context.db, payer)) await settleBill(context, id);
}

/** A tool that was paid for and whose bill a restored database has lost is a fault for the administrators: money was taken for it. */
async function refuseLost(context: Context, { id, metadata, amount_paid: cents }: Stripe.Invoice): Promise<void> {
  const billId = metadata?.['billId'];
  // The bill of a press is committed before Stripe is asked.
  if (!billId || cents === 0 || (await findBill(context.db, billId))) return;
  throw unclaimed(`${id} is paid, and its bill is lost`);
}

/** What one of Stripe's events about an invoice means here; `also` is written with it. False where the invoice is not ours. */
export async function invoiceChanged(context: Context, stripeInvoiceId: string, also: AlsoWrite): Promise<boolean> {
  if (await settleInvoice(context, stripeInvoiceId, also)) return true;
  const invoice = await findInvoice(context, stripeInvoiceId);
  if (!invoice) return false;
  const subscription = subscriptionOf(invoice);
  const payer = await findPayerBy(context.db, 'stripeSubscriptionId', subscription);
  if (payer) {
    await settleBills(context, payer);
    if (await settleInvoice(context, stripeInvoiceId, also)) return true;
  }
  if (subscription && !payer)
    return subscriptionChanged(context, subscription, async (tx) => {
      await keepInvoice(tx, invoice);
      await also(tx);
    });
  await refuseLost(context, invoice);
  return transaction(context.db, async (tx) => {
    const isOurs = await keepInvoice(tx, invoice);
    if (isOurs) await also(tx);
    return isOurs;
  });
}

/** Follows an event about a subscription: a payer's bill, one that an older release sold, or one whose row was lost. */
export async function subscriptionChanged(context: Context, id: string, also: AlsoWrite): Promise<boolean> {
  const payer = await findPayerBy(context.db, 'stripeSubscriptionId', id);
  if (payer) {
    await mirrorBill(context, payer);
    await settleBills(context, payer);
  } else {
    if (await syncOldSubscription(context, id, also)) return true;
    const subscription = await findStripeSubscription(context, id);
    const { billId, userId, teamId } = subscription?.metadata ?? {};
    if (!subscription || !isBilling(subscription) || !(userId ?? teamId)) return false;
    const bill = billId ? await findBill(context.db, billId) : null;
    // A purchase under way: where it has not stored this yet, it will, or the job that goes on with it.
    if (bill?.status === 'attempt') await settleBill(context, bill.id);
    else await adoptBill(context, subscription);
  }
  await transaction(context.db, also);
  return true;
}

/** What a new card pays by itself: no bill with a tool that the practice of the person who pays doesn't allow. */
async function billsForNewCard(context: Context, payer: Payer): Promise<BillRecord[]> {
  const { contactId } = await requirePayerFacts(context.db, payer);
  const rules = await practices.toolRulesFor(context.db, contactId);
  const isAllowed = ({ toolId }: { toolId: string }) => toolRefusal(rules, toolId) === null;
  return (await unpaidBillsOf(context.db, payer)).filter(({ lines }) => lines.every(isAllowed));
}

/** Cents that a new card will pay by itself. */
export const owedByNewCard = async (context: Context, payer: Payer): Promise<number> =>
  (await billsForNewCard(context, payer)).reduce((sum, bill) => sum + (bill.problem?.dueCents ?? bill.totalCents), 0);

/** What was owed and is paid now, and what was refused. */
export type Owed = { paidCents: number; refusedCents: number };

/**
 * Charges what the payer did not pay to a card that they have just given. The idempotency key names invoice and card, so that each card
 * is tried once; a refusal is an answer. It returns once the bills are what Stripe says of them.
 */
export async function payOpenBills(context: Context, payer: Payer, card: { id: string }): Promise<Owed> {
  const owed: Owed = { paidCents: 0, refusedCents: 0 };
  for (const { stripeInvoiceId } of await billsForNewCard(context, payer)) {
    const invoice = stripeInvoiceId ? await findInvoice(context, stripeInvoiceId) : null;
    if (invoice?.status !== 'open') continue;
    const paid = await payInvoice(context, invoice.id, card, { key: `invoice:pay:${invoice.id}:${card.id}` });
    owed[paid ? 'paidCents' : 'refusedCents'] += invoice.amount_remaining;
  }
  for (const { id } of await openBillsOf(context.db, payer)) await settleBill(context, id);
  return owed;
}
