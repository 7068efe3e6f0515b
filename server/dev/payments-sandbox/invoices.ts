import type Stripe from 'stripe';
import { cardOnFile, discountsOf, intentOf, voidInvoice } from './billing.ts';
import { wantedDiscounts } from './discounts.ts';
import { handle } from './handler.ts';
import { buildInvoice } from './invoice-build.ts';
import { subscriptionOf } from './invoice-outcomes.ts';
import { given, listPage } from './lists.ts';
import { idOf } from './objects.ts';
import { methodFor } from './payment-methods.ts';
import { attemptPayment, declineOf } from './payments.ts';
import { periodEnd } from './periods.ts';
import { SandboxError, unsupported } from './sandbox-error.ts';
import { changedItems } from './subscription-items.ts';

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

/** What the subscription's next invoice would be, after the changes the request describes. Nothing is saved. */
export const createPreview = handle<Stripe.InvoiceCreatePreviewParams>(
  ['subscription', 'discounts', 'subscription_details', 'customer'],
  async (store, params) => {
    if (!params.subscription) throw unsupported('a preview without a subscription', 'subscription');
    const subscription = await store.get('subscription', params.subscription, 'subscription');
    const items = await changedItems(store, subscription, params.subscription_details?.items ?? []);
    const next = items.map((item) => ({
      ...item,
      current_period_start: item.current_period_end,
      current_period_end: periodEnd(
        subscription.billing_cycle_anchor,
        item.price.recurring ?? { interval: 'month', interval_count: 1 },
        item.current_period_end,
      ),
    }));
    const wanted =
      params.discounts === undefined
        ? null
        : await wantedDiscounts(store, params.discounts, subscription.id, idOf(subscription.customer));
    const start = items[0]?.current_period_start ?? store.at;
    return buildInvoice(store, {
      subscription: { ...subscription, items: { ...subscription.items, data: next } },
      discounts: wanted ?? (await discountsOf(store, subscription)),
      reason: 'upcoming',
      period: { start, end: items[0]?.current_period_end ?? store.at },
      finalizesAt: null,
    });
  },
);

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
