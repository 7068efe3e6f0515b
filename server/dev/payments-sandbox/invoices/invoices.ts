import type Stripe from 'stripe';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { pageOf } from '../http/lists.ts';
import { declineOf } from '../payments/intents.ts';
import { paymentIntents } from '../payments/payment-intents.ts';
import { methodFor } from '../payments/payment-methods.ts';
import { idOf } from '../store/objects.ts';
import { wantedDiscounts } from '../subscriptions/discounts.ts';
import { cardOnFile, finalizeInvoice, intentOf, voidInvoice } from './collect.ts';
import { repriceDraft } from './draft.ts';
import { subscriptionOf } from './outcome.ts';

/** Gives a draft other discounts, named by their ids on the subscription. */
export const update = handle<Stripe.InvoiceUpdateParams>(['discounts'], async (store, params, id) => {
  const invoice = await store.get('invoice', id);
  const subscription = await subscriptionOf(store, invoice);
  if (invoice.status !== 'draft')
    throw new SandboxError("Finalized invoices can't be updated in this way", { code: 'invoice_not_editable' });
  if (!subscription || params.discounts === undefined) return invoice;
  if ((params.discounts || []).some(({ discount }) => !discount))
    throw unsupported('other discounts of an invoice than its subscription has', 'discounts');
  const wanted = await wantedDiscounts(store, params.discounts, subscription.id, idOf(subscription.customer));
  return repriceDraft(store, invoice, subscription, wanted);
});

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
  const tried = await paymentIntents.attempt(
    store,
    intent,
    await methodFor(store, card, 'payment_method'),
    params.off_session ?? true,
  );
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

/** Only with `auto_advance: false`, so that nobody charges it then. */
export const finalize = handle<Stripe.InvoiceFinalizeInvoiceParams>(['auto_advance'], async (store, params, id) => {
  const invoice = await store.get('invoice', id);
  if (invoice.status !== 'draft')
    throw new SandboxError('This invoice is already finalized.', { code: 'invoice_not_editable' });
  if (params.auto_advance !== false) throw unsupported('invoices finalised by hand that advance', 'auto_advance');
  return finalizeInvoice(store, { ...invoice, auto_advance: false });
});

export const voidOpen = handle<object>([], async (store, _params, id) => {
  const invoice = await store.get('invoice', id);
  if (invoice.status !== 'open')
    throw new SandboxError('You can only void open invoices.', { code: 'invoice_not_editable' });
  return voidInvoice(store, invoice);
});
