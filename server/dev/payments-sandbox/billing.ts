import { buildInvoice, type Billed } from './invoice-build.ts';
import { invoiceWithoutCard, markPaid, subscriptionOf } from './invoice-outcomes.ts';
import { idOf, idOrNull, newId, type Objects } from './objects.ts';
import { attemptPayment, cancelIntent, createIntent } from './payments.ts';
import { couponOf } from './discounts.ts';
import type { Store } from './store.ts';
import { changeSubscription } from './subscription-change.ts';

type Invoice = Objects['invoice'];
type Subscription = Objects['subscription'];

export const discountsOf = (store: Store, subscription: Subscription) =>
  Promise.all(subscription.discounts.map((discount) => store.get('discount', idOf(discount))));

/** A once-only coupon is used up by the first invoice, a repeating one ends with its months. */
async function retireDiscounts(store: Store, subscription: Subscription): Promise<string[]> {
  const staying: string[] = [];
  for (const discount of await discountsOf(store, subscription)) {
    const once = (await couponOf(store, discount)).duration === 'once';
    if (once || (discount.end !== null && discount.end <= store.at))
      await store.emit('customer.discount.deleted', discount);
    else staying.push(discount.id);
  }
  return staying;
}

/** Drafts the invoice for the subscription's current periods and makes it the latest one. */
export async function draftInvoice(
  store: Store,
  billed: Omit<Billed, 'discounts'>,
): Promise<{ invoice: Invoice; subscription: Subscription }> {
  const invoice = await buildInvoice(store, { ...billed, discounts: await discountsOf(store, billed.subscription) });
  await store.save(invoice);
  await store.emit('invoice.created', invoice);
  const discounts = await retireDiscounts(store, billed.subscription);
  const subscription = await store.save({ ...billed.subscription, latest_invoice: invoice.id, discounts });
  return { invoice, subscription };
}

/** A draft is priced again with what the subscription carries now: a discount put on while it waited still counts. */
export async function repriceDraft(
  store: Store,
  draft: Invoice,
  subscription: Subscription,
  discounts: Objects['discount'][],
) {
  const fresh = await buildInvoice(store, {
    subscription,
    discounts,
    reason: draft.billing_reason ?? 'subscription_cycle',
    period: { start: draft.period_start, end: draft.period_end },
    finalizesAt: draft.automatically_finalizes_at,
  });
  const lines = {
    ...fresh.lines,
    data: fresh.lines.data.map((line) => ({ ...line, invoice: draft.id })),
    url: draft.lines.url,
  };
  const repriced = await store.save<Invoice>({
    ...fresh,
    id: draft.id,
    created: draft.created,
    metadata: draft.metadata,
    lines,
  });
  await store.emit('invoice.updated', repriced);
  return repriced;
}

/** Gives it its number and its payment; nothing due means paid at once. */
export async function finalizeInvoice(store: Store, draft: Invoice): Promise<Invoice> {
  const customer = await store.get('customer', idOf(draft.customer ?? ''));
  const sequence = customer.next_invoice_sequence ?? 1;
  await store.save({ ...customer, currency: draft.currency, next_invoice_sequence: sequence + 1 });
  const subscription = await subscriptionOf(store, draft);
  const open = await store.save<Invoice>({
    ...draft,
    automatically_finalizes_at: null,
    effective_at: store.at,
    ending_balance: 0,
    next_payment_attempt: null,
    number: `${customer.invoice_prefix ?? 'SANDBOX'}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: store.at },
  });
  await store.emit('invoice.finalized', open);
  if (open.amount_due === 0) return markPaid(store, open, null);
  const keepsCard = subscription?.payment_settings?.save_default_payment_method === 'on_subscription';
  const intent = await createIntent(store, open, keepsCard);
  await store.save<Objects['invoice_payment']>({
    id: newId('invoice_payment'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: open.amount_due,
    created: store.at,
    currency: open.currency,
    invoice: open.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });
  return open;
}

export async function intentOf(store: Store, invoice: Invoice): Promise<Objects['payment_intent'] | null> {
  const [payment] = await store.select('invoice_payment', { equal: { invoice: invoice.id, is_default: true } });
  const id = payment?.payment.payment_intent;
  return id ? store.get('payment_intent', idOf(id)) : null;
}

/** The subscription's own card comes before the customer's. */
export async function cardOnFile(
  store: Store,
  subscription: Subscription | null,
  customerId: string,
): Promise<string | null> {
  const own = idOrNull(subscription?.default_payment_method);
  return own ?? idOrNull((await store.get('customer', customerId)).invoice_settings.default_payment_method);
}

/** Charges an open invoice to the card on file, with nobody watching. */
export async function collectInvoice(store: Store, invoice: Invoice): Promise<Invoice> {
  const intent = await intentOf(store, invoice);
  if (invoice.status !== 'open' || !intent || intent.status === 'canceled') return invoice;
  const card = await cardOnFile(store, await subscriptionOf(store, invoice), idOf(invoice.customer ?? ''));
  if (card) await attemptPayment(store, intent, await store.get('payment_method', card), true);
  else await invoiceWithoutCard(store, invoice);
  return store.get('invoice', invoice.id);
}

export async function voidInvoice(store: Store, invoice: Invoice): Promise<Invoice> {
  const intent = await intentOf(store, invoice);
  if (intent) await cancelIntent(store, intent, 'void_invoice');
  for (const payment of await store.select('invoice_payment', { equal: { invoice: invoice.id, status: 'open' } }))
    await store.save({
      ...payment,
      status: 'canceled',
      status_transitions: { ...payment.status_transitions, canceled_at: store.at },
    });
  const voided = await store.save<Invoice>({
    ...invoice,
    status: 'void',
    auto_advance: false,
    next_payment_attempt: null,
    automatically_finalizes_at: null,
    status_transitions: { ...invoice.status_transitions, voided_at: store.at },
  });
  await store.emit('invoice.voided', voided);
  const subscription = await subscriptionOf(store, voided);
  const open = await store.select('invoice', {
    equal: { status: 'open', parent: { subscription_details: { subscription: subscription?.id } } },
  });
  if (subscription?.status === 'past_due' && !open.length)
    await changeSubscription(store, subscription, { status: 'active' });
  return voided;
}
