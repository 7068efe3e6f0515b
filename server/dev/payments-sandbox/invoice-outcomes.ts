import type Stripe from 'stripe';
import { DAY } from './due.ts';
import { idOf, idOrNull, type Objects } from './objects.ts';
import type { Store } from './store.ts';
import { changeSubscription, endSubscription } from './subscription-change.ts';

type Invoice = Objects['invoice'];
type Subscription = Objects['subscription'];

/** Days after the first failed charge of a renewal at which it is tried again; after the last one the subscription ends. */
const RETRIES = [3, 5, 7].map((days) => days * DAY);

export const subscriptionOf = async (store: Store, invoice: Invoice): Promise<Subscription | null> => {
  const id = idOrNull(invoice.parent?.subscription_details?.subscription);
  return id ? store.get('subscription', id) : null;
};

async function invoiceBehind(store: Store, intent: Objects['payment_intent']): Promise<Invoice | null> {
  const equal = { payment: { type: 'payment_intent', payment_intent: intent.id } };
  const [payment] = await store.select('invoice_payment', { equal });
  return payment ? store.get('invoice', idOf(payment.invoice)) : null;
}

/** What a settled invoice does to its subscription: the first one starts it, a later one ends the arrears. */
async function settleSubscription(store: Store, invoice: Invoice, method: string | null) {
  const subscription = await subscriptionOf(store, invoice);
  if (!subscription) return;
  const others = await store.select('invoice', {
    equal: { status: 'open', parent: { subscription_details: { subscription: subscription.id } } },
  });
  const revives = subscription.status === 'incomplete' || (subscription.status === 'past_due' && !others.length);
  const keepsCard = method && subscription.payment_settings?.save_default_payment_method === 'on_subscription';
  const settled = await changeSubscription(store, subscription, {
    ...(revives ? { status: 'active' as const } : {}),
    ...(keepsCard ? { default_payment_method: method } : {}),
  });
  await applyPendingUpdate(store, invoice, settled);
}

/** A change that waited for this payment holds now. */
async function applyPendingUpdate(store: Store, invoice: Invoice, subscription: Subscription) {
  const { pendingUpdate: billed } = await store.hidden(invoice.id);
  const items = subscription.pending_update?.subscription_items;
  if (!billed || !items || idOrNull(subscription.latest_invoice) !== invoice.id) return;
  const changed = await changeSubscription(store, subscription, {
    items: { ...subscription.items, data: items },
    pending_update: null,
  });
  await store.hide(changed, { billed });
  await store.emit('customer.subscription.pending_update_applied', changed);
}

/** Marks an invoice as paid, by a payment or because nothing is due. */
export async function markPaid(store: Store, invoice: Invoice, method: string | null): Promise<Invoice> {
  const paid = await store.save<Invoice>({
    ...invoice,
    status: 'paid',
    attempted: true,
    attempt_count: invoice.attempt_count + (method ? 1 : 0),
    auto_advance: false,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: store.at },
  });
  for (const payment of await store.select('invoice_payment', { equal: { invoice: invoice.id, status: 'open' } })) {
    const done = await store.save<Objects['invoice_payment']>({
      ...payment,
      status: 'paid',
      amount_paid: payment.amount_requested,
      status_transitions: { ...payment.status_transitions, paid_at: store.at },
    });
    await store.emit('invoice_payment.paid', done);
  }
  await store.emit('invoice.paid', paid);
  await store.emit('invoice.payment_succeeded', paid);
  await settleSubscription(store, paid, method);
  return paid;
}

export async function invoicePaid(store: Store, intent: Objects['payment_intent']) {
  const invoice = await invoiceBehind(store, intent);
  if (invoice?.status === 'open') await markPaid(store, invoice, idOrNull(intent.payment_method));
}

/**
 * Of a renewal, or of a change that holds already: the subscription is in arrears, and the charge is tried again until
 * the retries are used up.
 */
async function fallBehind(store: Store, invoice: Invoice, type: Stripe.Event['type']) {
  const hidden = await store.hidden(invoice.id);
  const renewal = invoice.billing_reason !== 'subscription_create' && !hidden.pendingUpdate;
  const firstFailedAt = hidden.firstFailedAt ?? store.at;
  const next = renewal && RETRIES.map((delay) => firstFailedAt + delay).find((retry) => retry > store.at);
  const failed = await store.save<Invoice>({
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    auto_advance: Boolean(next),
    next_payment_attempt: next || null,
  });
  await store.hide(failed, { firstFailedAt });
  await store.emit('invoice.payment_failed', failed);
  if (type !== 'invoice.payment_failed') await store.emit(type, failed);
  const subscription = renewal ? await subscriptionOf(store, failed) : null;
  if (subscription?.status === 'active') await changeSubscription(store, subscription, { status: 'past_due' });
  else if (subscription?.status === 'past_due' && !next) await endSubscription(store, subscription, 'payment_failed');
}

export async function invoiceFailed(store: Store, intent: Objects['payment_intent']) {
  const invoice = await invoiceBehind(store, intent);
  if (invoice?.status === 'open') await fallBehind(store, invoice, 'invoice.payment_failed');
}

/** The bank wants the cardholder: nobody is there when the charge was automatic. */
export async function invoiceNeedsAction(store: Store, intent: Objects['payment_intent'], offSession: boolean) {
  const invoice = await invoiceBehind(store, intent);
  if (invoice?.status !== 'open') return;
  if (offSession) await fallBehind(store, invoice, 'invoice.payment_action_required');
  else await store.emit('invoice.payment_action_required', invoice);
}

/** No card on file at all. */
export const invoiceWithoutCard = (store: Store, invoice: Invoice) =>
  fallBehind(store, invoice, 'invoice.payment_failed');
