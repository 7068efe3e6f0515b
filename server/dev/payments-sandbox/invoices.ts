import type Stripe from 'stripe';
import { cardOnFile, intentOf, voidInvoice } from './billing.ts';
import { handle } from './handler.ts';
import { subscriptionOf } from './invoice-outcomes.ts';
import { given, listPage, pageOf } from './lists.ts';
import { idOf } from './objects.ts';
import { methodFor } from './payment-methods.ts';
import { attemptPayment, declineOf } from './payments.ts';
import { SandboxError } from './sandbox-error.ts';

export const retrieve = handle<Stripe.InvoiceRetrieveParams>([], (store, _params, id) => store.get('invoice', id));

export const list = handle<Stripe.InvoiceListParams>(
  ['customer', 'subscription', 'status', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    const parent = params.subscription
      ? { parent: { subscription_details: { subscription: params.subscription } } }
      : {};
    return listPage(
      store,
      'invoice',
      params,
      { equal: { ...given({ customer: params.customer, status: params.status }), ...parent } },
      '/v1/invoices',
    );
  },
);

export const listLines = handle<Stripe.InvoiceListLineItemsParams>(
  ['limit', 'starting_after', 'ending_before'],
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
  const tried = await attemptPayment(
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

export const voidOpen = handle<Stripe.InvoiceVoidInvoiceParams>([], async (store, _params, id) => {
  const invoice = await store.get('invoice', id);
  if (invoice.status !== 'open')
    throw new SandboxError('You can only void open invoices.', { code: 'invoice_not_editable' });
  return voidInvoice(store, invoice);
});

export const retrievePayment = handle<Stripe.InvoicePaymentRetrieveParams>([], (store, _params, id) =>
  store.get('invoice_payment', id),
);
export const listPayments = handle<Stripe.InvoicePaymentListParams>(
  ['invoice', 'status', 'payment', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    const payment = params.payment ? { payment: { payment_intent: params.payment.payment_intent } } : {};
    return listPage(
      store,
      'invoice_payment',
      params,
      { equal: { ...given({ invoice: params.invoice, status: params.status }), ...payment } },
      '/v1/invoice_payments',
    );
  },
);

export const retrieveItem = handle<Stripe.InvoiceItemRetrieveParams>([], (store, _params, id) =>
  store.get('invoiceitem', id),
);
/** Only one that waits for an invoice can be taken back. */
export const deleteItem = handle<Stripe.InvoiceItemDeleteParams>([], async (store, _params, id) => {
  const item = await store.get('invoiceitem', id);
  if (item.invoice !== null)
    throw new SandboxError('You can only delete invoice items that are not attached to an invoice.', {
      code: 'invoice_not_editable',
    });
  await store.remove(id);
  await store.emit('invoiceitem.deleted', item);
  return { id, object: 'invoiceitem', deleted: true };
});
export const listItems = handle<Stripe.InvoiceItemListParams>(
  ['customer', 'invoice', 'pending', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    const filter = { equal: given({ customer: params.customer, invoice: params.pending ? null : params.invoice }) };
    return listPage(store, 'invoiceitem', params, filter, '/v1/invoiceitems');
  },
);
