import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import type { Confirmation } from '#shared/api/charge.ts';
import { sydneyMidnight } from '#shared/rules/dates.ts';
import type { Payer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { askOnce, askStripe, askStripeIfThere, askStripeUnlessRefused, idOf, unlessRefused } from './ask.ts';
import { isOfAttempt, toolOfProduct } from './bill-subscription.ts';
import { ensureCustomer, metadataOf } from './customers.ts';
import { ensureGst } from './products.ts';

/** The most that Stripe's library puts into one list. */
export const allOfThem = { limit: 10_000 };

/** The invoice with all its lines (Stripe sends only the first few); null where there is none. */
export async function findInvoice(context: Context, id: string): Promise<Stripe.Invoice | null> {
  const invoice = await askStripeIfThere(context, (stripe) =>
    stripe.invoices.retrieve(id, { expand: ['confirmation_secret', 'payments.data.payment.payment_intent'] }),
  );
  if (!invoice?.lines.has_more) return invoice;
  const data = await askStripe(context, (stripe) =>
    stripe.invoices.listLineItems(id, { limit: 100 }).autoPagingToArray(allOfThem),
  );
  return { ...invoice, lines: { ...invoice.lines, data } };
}

/** What a line charges: a tool's month, or the amount that we added under a key. Both null: neither is ours. */
export const lineKey = ({ parent, pricing, metadata }: Stripe.InvoiceLineItem) =>
  parent?.type === 'invoice_item_details'
    ? { toolId: null, key: metadata['key'] ?? null }
    : { toolId: toolOfProduct(pricing?.price_details?.product), key: null };

/** Stripe writes a month's invoice when the month begins, and at most so many seconds later. */
const writtenWithin = 20 * 24 * 3600;

/** The invoice of the subscription for the month that begins at that moment; null where Stripe has not written it yet. */
export async function findMonthInvoice(context: Context, subscription: string, at: Date): Promise<string | null> {
  const page = await askStripeIfThere(context, (stripe) => stripe.invoices.list({ subscription, limit: 10 }));
  const begins = Math.floor(at.getTime() / 1000);
  const isOfMonth = ({ created, billing_reason: reason }: Stripe.Invoice) =>
    reason === 'subscription_cycle' && created > begins - 3600 && created < begins + writtenWithin;
  return page?.data.findLast(isOfMonth)?.id ?? null;
}

type OneOff = { payer: Payer; billId: string; attempt: number; items: readonly ItemWanted[]; collect: boolean };

/** Makes an invoice of these amounts alone and finalises it. `collect` has Stripe charge it; else only the payer's press does. */
export async function createInvoice(
  context: Context,
  { payer, billId, attempt, items, collect }: OneOff,
): Promise<Stripe.Invoice> {
  const customer = await ensureCustomer(context, payer);
  const params: Stripe.InvoiceCreateParams = {
    customer,
    collection_method: 'charge_automatically',
    auto_advance: false,
    pending_invoice_items_behavior: 'exclude',
    payment_settings: { payment_method_types: ['card'] },
    metadata: { ...metadataOf(payer), billId, attempt: String(attempt) },
  };
  const made = await askOnce(
    context,
    `bill:invoice:${billId}:${attempt}`,
    (stripe, options) => stripe.invoices.create(params, options),
    async () => {
      const page = await askStripe(context, (stripe) => stripe.invoices.list({ customer, limit: 100 }));
      return page.data.find((one) => isOfAttempt(one, { billId, attempt })) ?? null;
    },
  );
  const known = await findInvoice(context, made.id);
  if (known?.status !== 'draft') return known ?? made;
  for (const item of items.filter(({ key }) => linesWith(key, known) === 0)) await addToDraft(context, known, item);
  await finalise(context, made.id, { collect });
  const final = await findInvoice(context, made.id);
  if (!final || final.status === 'draft') throw new Error(`Stripe does not finalise the invoice ${made.id}`);
  return final;
}

const linesWith = (key: string, invoice: Stripe.Invoice | null) =>
  invoice?.lines.data.filter((line) => lineKey(line).key === key).length ?? 0;

/** Adds an amount to a draft, once for all processes that saw the draft as it is here. */
export async function addToDraft(context: Context, draft: Stripe.Invoice, item: ItemWanted): Promise<void> {
  const before = linesWith(item.key, draft);
  const params = await itemParams(context, { customer: idOf(draft.customer)!, invoice: draft.id }, item);
  await askOnce<object>(
    context,
    `item:${draft.id}:${item.key}${before === 0 ? '' : `:${before}`}`,
    (stripe, options) => stripe.invoiceItems.create(params, options),
    async () => (linesWith(item.key, await findInvoice(context, draft.id)) > before ? params : null),
  );
}

/** Refused where another process has just done it. */
const finalise = (context: Context, id: string, { collect }: { collect: boolean }) =>
  askStripeUnlessRefused(context, (stripe) => stripe.invoices.finalizeInvoice(id, { auto_advance: collect }));

/** Switches Stripe's own collection of an invoice on or off; null where it is past that. */
export const switchCollection = (context: Context, id: string, on: boolean) =>
  askStripeUnlessRefused(context, (stripe) => stripe.invoices.update(id, { auto_advance: on }));

/** What the next invoice of the subscription would come to in cents, before the customer's balance; null where there is none. */
export const previewBill = async (context: Context, subscription: string): Promise<number | null> =>
  (await askStripeIfThere(context, (stripe) => stripe.invoices.createPreview({ subscription })))?.total ?? null;

const intentOf = (invoice: Stripe.Invoice): Stripe.PaymentIntent | null => {
  const intents = (invoice.payments?.data ?? []).flatMap(({ payment }) =>
    payment.payment_intent && typeof payment.payment_intent !== 'string' ? [payment.payment_intent] : [],
  );
  return intents.find((intent) => intent.status !== 'canceled') ?? null;
};

/** Why an open invoice was not paid, in words for the payer, and what is owed in cents. */
export type PaymentProblem = { reason: string; needsAction: boolean; dueCents: number };

export function problemOf(invoice: Stripe.Invoice): PaymentProblem {
  const intent = intentOf(invoice);
  const needsAction =
    intent?.status === 'requires_action' || intent?.last_payment_error?.code === 'authentication_required';
  return {
    dueCents: invoice.amount_remaining,
    needsAction,
    reason: needsAction
      ? 'Your bank wants you to confirm this payment.'
      : (intent?.last_payment_error?.message ?? 'There is no card on file to charge.'),
  };
}

/** A payment has been taken and its outcome is not known yet. */
export const isProcessing = (invoice: Stripe.Invoice) => intentOf(invoice)?.status === 'processing';

export const nothingToConfirm: Confirmation = { intent: 'none', clientSecret: null, amountCents: 0, creditCents: 0 };

/** How the browser confirms an open invoice; nothing to confirm where it is not open. */
export const confirmationOf = (invoice: Stripe.Invoice): Confirmation =>
  invoice.status === 'open' && invoice.confirmation_secret
    ? {
        intent: 'payment',
        clientSecret: invoice.confirmation_secret.client_secret,
        amountCents: invoice.amount_remaining,
        creditCents: invoice.total - invoice.amount_due,
      }
    : nothingToConfirm;

const findIn = (context: Context, id: string, status: Stripe.Invoice.Status) => async () => {
  const invoice = await findInvoice(context, id);
  return invoice?.status === status ? invoice : null;
};

/**
 * Charges an open invoice to this card, with the adviser at the screen unless `offSession`. Where the bank refuses the card or
 * asks for its owner, the answer is false, the invoice stays open and the browser goes on with its client secret. Under a key it happens
 * once.
 */
export async function payInvoice(
  context: Context,
  id: string,
  card: { id: string },
  { offSession = false, key = randomUUID() }: { offSession?: boolean; key?: string } = {},
): Promise<boolean> {
  const params = { payment_method: card.id, off_session: offSession };
  const pay = (stripe: Stripe, options: Stripe.RequestOptions) => stripe.invoices.pay(id, params, options);
  return (await unlessRefused(askOnce<Stripe.Invoice>(context, key, pay, findIn(context, id, 'paid')))) !== null;
}

/** Makes sure that an open invoice is never charged; false where it was paid, or a payment of it is under way. It may be repeated. */
export async function voidInvoice(context: Context, id: string): Promise<boolean> {
  const findVoid = findIn(context, id, 'void');
  const call = (stripe: Stripe, options: Stripe.RequestOptions) => stripe.invoices.voidInvoice(id, {}, options);
  const voided = await unlessRefused(askOnce<Stripe.Invoice>(context, randomUUID(), call, findVoid));
  return (voided ?? (await findVoid())) !== null;
}

/** Makes sure that an invoice is never charged; false where it was paid, or a payment of it is under way. */
export async function stopInvoice(context: Context, id: string): Promise<boolean> {
  const status = (await findInvoice(context, id))?.status;
  if (status === 'paid') return false;
  if (status !== 'open' && status !== 'draft') return true;
  await switchCollection(context, id, false);
  // Only a final one can be voided.
  if (status === 'draft') await finalise(context, id, { collect: false });
  return voidInvoice(context, id);
}

/** The subscription that an invoice is of; null for one of its own. */
export const subscriptionOf = ({ parent }: Stripe.Invoice): string | null =>
  idOf(parent?.subscription_details?.subscription);

/** The payments of an invoice, whatever became of them. */
export async function paymentsOf(context: Context, invoice: string): Promise<string[]> {
  const { data } = await askStripe(context, (stripe) => stripe.invoicePayments.list({ invoice, limit: 100 }));
  return data.flatMap(({ payment }) => idOf(payment.payment_intent) ?? []);
}

/** The invoice that a payment was made for; null where it was for none. */
export async function invoiceOfPayment(context: Context, paymentIntent: string): Promise<string | null> {
  const page = await askStripe(context, (stripe) =>
    stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: paymentIntent }, limit: 1 }),
  );
  return idOf(page.data[0]?.invoice);
}

/** An amount for the next invoice, or for one invoice; a credit is negative. `key` names what it is for, and finds it again. */
export type ItemWanted = {
  key: string;
  cents: number;
  description: string;
  toolId: string;
  /** Its first and last day in Sydney. */
  from: string;
  to: string;
};

type Target = { customer: string } & ({ subscription: string } | { invoice: string });

const seconds = (date: string) => Math.floor(sydneyMidnight(date).getTime() / 1000);

/** Stripe knows no price below zero, so a credit is a plain amount. */
export const itemParams = async (
  context: Context,
  target: Target,
  { key, cents, description, toolId, from, to }: ItemWanted,
): Promise<Stripe.InvoiceItemCreateParams> => ({
  ...target,
  currency: 'aud',
  amount: cents,
  description,
  discountable: false,
  period: { start: seconds(from), end: Math.max(seconds(from), seconds(to)) },
  tax_behavior: 'inclusive',
  tax_rates: [await ensureGst(context)],
  metadata: { key, toolId },
});

/**
 * Has an amount wait for the subscription's next invoice. It may be deleted and added again, so it has no idempotency key: whoever adds
 * has looked for the key in its metadata. Two processes may both add it; the mirror deletes doubles, and a draft that has them is mended.
 */
export async function addInvoiceItem(context: Context, target: Target, wanted: ItemWanted): Promise<void> {
  const params = await itemParams(context, target, wanted);
  await askStripe(context, (stripe) => stripe.invoiceItems.create(params));
}

/** What waits for the subscription's next invoice. */
export async function pendingItems(context: Context, customer: string, subscription: string) {
  const items = await askStripeIfThere(context, (stripe) =>
    stripe.invoiceItems.list({ customer, pending: true, limit: 100 }).autoPagingToArray(allOfThem),
  );
  return (items ?? [])
    .filter(({ parent }) => idOf(parent?.subscription_details?.subscription) === subscription)
    .map(({ id, amount, metadata }) => ({ id, cents: amount, key: metadata?.['key'] ?? null }));
}

/** Deletes one that is on no invoice yet; one that is gone is fine. */
export const deleteInvoiceItem = async (context: Context, id: string): Promise<void> => {
  await askStripeIfThere(context, (stripe) => stripe.invoiceItems.del(id));
};
