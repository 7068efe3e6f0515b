import type Stripe from 'stripe';
import { required, SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { pageOf } from '../http/lists.ts';
import { declineOf } from '../payments/intents.ts';
import { paymentIntents } from '../payments/payment-intents.ts';
import { methodFor } from '../payments/payment-methods.ts';
import { idOf, mergeMetadata, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { HOUR } from '../subscriptions/periods.ts';
import { newInvoice } from './build.ts';
import { cardOnFile, finalizeInvoice, intentOf, voidInvoice } from './collect.ts';
import { nextRetry, subscriptionOf } from './outcome.ts';

type Invoice = Objects['invoice'];

const notNow = (message: string) => new SandboxError(message, { code: 'invoice_not_editable' });

/** An invoice beside any subscription: an empty draft, which leaves alone what waits for the customer's bill. */
export const create = handle<Stripe.InvoiceCreateParams>(
  ['customer', 'auto_advance', 'collection_method', 'metadata', 'payment_settings', 'pending_invoice_items_behavior'],
  async (store, { customer: id, auto_advance: advances, metadata, ...params }) => {
    if (!id) throw required('customer');
    if (params.pending_invoice_items_behavior === 'include')
      throw unsupported('pending_invoice_items_behavior=include', 'pending_invoice_items_behavior');
    if (params.collection_method === 'send_invoice')
      throw unsupported('collection_method=send_invoice', 'collection_method');
    const { currency } = await store.get('customer', id, 'customer');
    const own = {
      id: newId('invoice'),
      billing_reason: 'manual' as const,
      currency: currency ?? 'aud',
      metadata: mergeMetadata({}, metadata),
      parent: null,
    };
    return store.save(await newInvoice(store, id, own, [], advances ? store.at + HOUR : null), 'invoice.created');
  },
);

/** When Stripe goes on with an invoice by itself: it finalises a draft, and charges what is open, an hour after it was made. */
async function advancing(store: Store, invoice: Invoice, on: boolean): Promise<Partial<Invoice>> {
  if (!on) return { auto_advance: false, automatically_finalizes_at: null, next_payment_attempt: null };
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
    const change = advances === undefined ? {} : await advancing(store, before, advances);
    return store.save<Invoice>({ ...before, ...change }, 'invoice.updated');
  },
);

export const listLines = handle<Stripe.InvoiceListLineItemsParams>(
  ['limit', 'starting_after'],
  async (store, params, id) => {
    const { lines } = await store.get('invoice', id);
    return pageOf(lines.data, params, `/v1/invoices/${id}/lines`);
  },
);

export const pay = handle<Stripe.InvoicePayParams>(['payment_method', 'off_session'], async (store, params, id) => {
  const invoice = await store.get('invoice', id);
  if (invoice.status === 'paid') throw new SandboxError('Invoice is already paid', { code: 'invoice_already_paid' });
  const intent = await intentOf(store, invoice);
  if (invoice.status !== 'open' || !intent) throw notNow(`This invoice is ${invoice.status} and cannot be paid.`);
  const customer = idOf(invoice.customer ?? '');
  const card = params.payment_method ?? (await cardOnFile(store, await subscriptionOf(store, invoice), customer));
  if (!card)
    throw new SandboxError('There is no `default_payment_method` set on this Customer or Invoice.', {
      code: 'missing',
    });
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
  return store.save<Invoice>({ ...final, ...(await advancing(store, final, true)) });
});

export const voidOpen = handle<object>([], async (store, _params, id) => {
  const invoice = await store.get('invoice', id);
  if (invoice.status !== 'open') throw notNow('You can only void open invoices.');
  return voidInvoice(store, invoice);
});
