import type Stripe from 'stripe';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { pageOf } from '../http/lists.ts';
import { declineOf } from '../payments/intents.ts';
import { paymentIntents } from '../payments/payment-intents.ts';
import { methodFor } from '../payments/payment-methods.ts';
import { idOf, mergeMetadata, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { wantedDiscounts } from '../subscriptions/discounts.ts';
import { HOUR } from '../subscriptions/periods.ts';
import { cardOnFile, finalizeInvoice, intentOf, voidInvoice } from './collect.ts';
import { repriceDraft } from './draft.ts';
import { nextRetry, subscriptionOf } from './outcome.ts';

type Invoice = Objects['invoice'];

/** When Stripe goes on with an invoice by itself: it finalises a draft, and charges what is open, an hour after it was made. */
async function advancing(store: Store, invoice: Invoice, on: boolean): Promise<Partial<Invoice>> {
  if (!on) return { auto_advance: false, automatically_finalizes_at: null, next_payment_attempt: null };
  if (invoice.status === 'open') {
    const next = invoice.attempted ? await nextRetry(store, invoice) : Math.max(store.at, invoice.created + HOUR);
    return { auto_advance: true, next_payment_attempt: next };
  }
  const soon = invoice.created + HOUR > store.at ? invoice.created + HOUR : store.at + HOUR;
  return { auto_advance: true, automatically_finalizes_at: soon, next_payment_attempt: soon };
}

async function repriced(store: Store, invoice: Invoice, discounts: Stripe.InvoiceUpdateParams['discounts']) {
  const subscription = await subscriptionOf(store, invoice);
  if (!subscription || discounts === undefined) return invoice;
  if ((discounts || []).some(({ discount }) => !discount))
    throw unsupported('other discounts of an invoice than its subscription has', 'discounts');
  const wanted = await wantedDiscounts(store, discounts, subscription.id, idOf(subscription.customer));
  return repriceDraft(store, invoice, subscription, wanted);
}

/** Discounts are named by their ids on the subscription. A final invoice changes only its metadata and whether it advances. */
export const update = handle<Stripe.InvoiceUpdateParams>(
  ['auto_advance', 'description', 'discounts', 'metadata'],
  async (store, params, id) => {
    const before = await store.get('invoice', id);
    const { auto_advance: advances, description, discounts, metadata } = params;
    const draft = before.status === 'draft';
    if (!draft && (discounts !== undefined || description !== undefined))
      throw new SandboxError("Finalized invoices can't be updated in this way", { code: 'invoice_not_editable' });
    if (advances !== undefined && !draft && before.status !== 'open')
      throw new SandboxError('You can only change auto_advance of draft and open invoices.', {
        code: 'invoice_not_editable',
      });
    const invoice = await repriced(store, before, discounts);
    return store.save<Invoice>(
      {
        ...invoice,
        ...(advances === undefined ? {} : await advancing(store, invoice, advances)),
        description: description ?? invoice.description,
        metadata: mergeMetadata(invoice.metadata, metadata),
      },
      'invoice.updated',
    );
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
  if (invoice.status !== 'open' || !intent)
    throw new SandboxError(`This invoice is ${invoice.status ?? 'unknown'} and cannot be paid.`, {
      code: 'invoice_not_editable',
    });
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
  if (draft.status !== 'draft')
    throw new SandboxError('This invoice is already finalized.', { code: 'invoice_not_editable' });
  const auto_advance = params.auto_advance ?? draft.auto_advance ?? false;
  const final = await finalizeInvoice(store, { ...draft, auto_advance });
  if (final.status !== 'open' || !auto_advance) return final;
  return store.save<Invoice>({ ...final, ...(await advancing(store, final, true)) });
});

export const voidOpen = handle<object>([], async (store, _params, id) => {
  const invoice = await store.get('invoice', id);
  if (invoice.status !== 'open')
    throw new SandboxError('You can only void open invoices.', { code: 'invoice_not_editable' });
  return voidInvoice(store, invoice);
});
