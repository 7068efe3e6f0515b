import type Stripe from 'stripe';
import { taxRates } from '../account.ts';
import { required, SandboxError } from '../http/error.ts';
import { handle, pageOf, paging } from '../http/handler.ts';
import { declineOf, paymentIntents } from '../payments/intents.ts';
import { methodFor } from '../payments/payment-methods.ts';
import { idOf, mergeMetadata } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { HOUR } from '../subscriptions/periods.ts';
import { cardOnFile, finalizeInvoice, intentOf, voidInvoice } from './collect.ts';
import { lineOf, newInvoice, pendingEntry, saveLines } from './draft.ts';
import { halted, nextRetry, subscriptionOf } from './outcome.ts';

type Invoice = Stripe.Invoice;

const notNow = (message: string) => new SandboxError(message, { code: 'invoice_not_editable' });

/** An invoice beside any subscription: an empty draft, which leaves alone what waits for the customer's bill. */
export const create = handle<Stripe.InvoiceCreateParams>(
  ['customer', 'auto_advance', 'metadata', 'payment_settings'],
  async (store, { customer: id, auto_advance: advances, metadata }) => {
    if (!id) throw required('customer');
    const own = { billing_reason: 'manual' as const, metadata: mergeMetadata({}, metadata), parent: null };
    return store.save(await newInvoice(store, id, own, [], advances ? store.at + HOUR : null), 'invoice.created');
  },
);

/** When Stripe goes on with an invoice by itself: it finalises a draft, and charges what is open, an hour after it was made. */
async function advancing(store: Store, invoice: Invoice): Promise<Partial<Invoice>> {
  const made = invoice.created + HOUR;
  if (invoice.status === 'open') {
    const next = invoice.attempted ? await nextRetry(store, invoice) : Math.max(store.at, made);
    return { auto_advance: true, next_payment_attempt: next };
  }
  const soon = made > store.at ? made : store.at + HOUR;
  return { auto_advance: true, automatically_finalizes_at: soon, next_payment_attempt: soon };
}

export const update = handle<Stripe.InvoiceUpdateParams>(
  ['auto_advance'],
  async (store, { auto_advance: advances }, id) => {
    const before = await store.get('invoice', id);
    if (before.status !== 'draft' && before.status !== 'open')
      throw notNow('You can only change auto_advance of draft and open invoices.');
    if (advances === undefined) throw required('auto_advance');
    const change = advances ? await advancing(store, before) : halted;
    return store.save<Invoice>({ ...before, ...change }, 'invoice.updated');
  },
);

export const listLines = handle<Stripe.InvoiceListLineItemsParams>(paging, async (store, params, id) => {
  const { lines } = await store.get('invoice', id);
  const first = lines.data.findIndex((line) => line.id === params.starting_after) + 1;
  return pageOf(lines.data.slice(first), params, lines.url);
});

export const pay = handle<Stripe.InvoicePayParams>(['payment_method', 'off_session'], async (store, params, id) => {
  const invoice = await store.get('invoice', id);
  if (invoice.status === 'paid') throw new SandboxError('Invoice is already paid', { code: 'invoice_already_paid' });
  const intent = await intentOf(store, invoice);
  if (invoice.status !== 'open' || !intent) throw notNow(`This invoice is ${invoice.status} and cannot be paid.`);
  const customer = idOf(invoice.customer ?? '');
  const card = params.payment_method ?? (await cardOnFile(store, await subscriptionOf(store, invoice), customer));
  if (!card) throw new SandboxError('There is no `default_payment_method` set on this Customer or Invoice.');
  const method = await methodFor(store, card, 'payment_method');
  // a cardholder who isn't there can't be asked: then the bank's question is a refusal
  const { off_session: absent = true } = params;
  const tried = await paymentIntents.attempt(store, intent, method, absent ? 'refuse' : 'ask');
  if (tried.status === 'requires_payment_method') throw declineOf(tried);
  if (tried.status === 'requires_action')
    throw new SandboxError('This payment requires additional user action before it can be completed successfully.', {
      status: 402,
      type: 'card_error',
      code: 'invoice_payment_intent_requires_action',
      payment_intent: tried,
    });
  return store.get('invoice', id);
});

/** What it says of `auto_advance` replaces what the draft said. */
export const finalize = handle<Stripe.InvoiceFinalizeInvoiceParams>(['auto_advance'], async (store, params, id) => {
  const draft = await store.get('invoice', id);
  if (draft.status !== 'draft') throw notNow('This invoice is already finalized.');
  const auto_advance = params.auto_advance ?? draft.auto_advance ?? false;
  const final = await finalizeInvoice(store, { ...draft, auto_advance });
  if (final.status !== 'open' || !auto_advance) return final;
  return store.save<Invoice>({ ...final, ...(await advancing(store, final)) });
});

export const voidOpen = handle<object>([], async (store, _params, id) => {
  const invoice = await store.get('invoice', id);
  if (invoice.status !== 'open') throw notNow('You can only void open invoices.');
  return voidInvoice(store, invoice);
});

/** A draft holds no more, nor do those that wait for a customer's next invoice. */
const MOST_ITEMS = 250;

/** Items can be changed until their invoice is final. */
async function draftOf(store: Store, invoice: Stripe.InvoiceItem['invoice'], param?: string): Promise<Invoice | null> {
  const draft = invoice ? await store.get('invoice', idOf(invoice), param) : null;
  if (!draft || draft.status === 'draft') return draft;
  throw notNow('This invoice is no longer editable');
}

/** The subscription that an item names. What is over has no next invoice. */
async function parentOf(store: Store, id: string | undefined, customer: string): Promise<Stripe.InvoiceItem['parent']> {
  if (id === undefined) return null;
  const { status, customer: owner } = await store.get('subscription', id, 'subscription');
  if (idOf(owner) !== customer || status === 'canceled' || status === 'incomplete_expired')
    throw new SandboxError(`The customer has no running subscription ${id}.`, { param: 'subscription' });
  return { subscription_details: { subscription: id }, type: 'subscription_details' };
}

/** An amount that waits for an invoice, or is put on a draft as its last line. */
export const createItem = handle<Stripe.InvoiceItemCreateParams>(
  ['amount', 'customer', 'description', 'discountable', 'invoice', 'metadata', 'period', 'subscription', 'tax_rates'],
  async (store, params) => {
    const { customer, amount, description, period = { start: store.at, end: store.at } } = params;
    if (!customer) throw required('customer');
    if (amount === undefined) throw required('amount');
    if (period.end < period.start)
      throw new SandboxError('The end of a period must not be before its start.', { param: 'period[end]' });
    await store.get('customer', customer, 'customer');
    const draft = await draftOf(store, params.invoice ?? null, 'invoice');
    const beside = { equal: { customer, invoice: draft?.id ?? null } };
    if ((await store.select('invoiceitem', beside, { limit: MOST_ITEMS })).length === MOST_ITEMS)
      throw new SandboxError(`There can be up to ${MOST_ITEMS} items here.`, { param: 'invoice' });
    const own = {
      amount,
      customer,
      description,
      discountable: params.discountable ?? amount >= 0,
      invoice: draft?.id,
      metadata: mergeMetadata({}, params.metadata),
      parent: await parentOf(store, params.subscription, customer),
      period,
      quantity: 1,
      // on the wire a decimal is text
      quantity_decimal: '1' as unknown as Stripe.Decimal,
      tax_rates: await taxRates(store, params.tax_rates, 'tax_rates'),
    };
    const item = await store.create('invoiceitem', own, 'invoiceitem.created');
    if (draft) await saveLines(store, draft, [...draft.lines.data, lineOf(draft, pendingEntry(item))]);
    return item;
  },
);

export const deleteItem = handle<object>([], async (store, _params, id) => {
  const item = await store.get('invoiceitem', id);
  const draft = await draftOf(store, item.invoice);
  await store.remove(id);
  const stays = ({ parent }: Stripe.InvoiceLineItem) => parent?.invoice_item_details?.invoice_item !== id;
  if (draft) await saveLines(store, draft, draft.lines.data.filter(stays));
  await store.emit('invoiceitem.deleted', item);
  return { id, object: 'invoiceitem', deleted: true };
});
