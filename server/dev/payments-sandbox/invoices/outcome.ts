import { idOf, idOrNull, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { DAY } from '../subscriptions/periods.ts';
import { changeSubscription } from '../subscriptions/subscriptions.ts';

type Invoice = Objects['invoice'];
type Subscription = Objects['subscription'];

/** Seconds after the first failed charge of a renewal at which it is tried again; after the last, its subscription stays past due. */
const RETRIES = [3, 5, 7].map((days) => days * DAY);

export const subscriptionOf = async (store: Store, invoice: Invoice): Promise<Subscription | null> => {
  const id = idOrNull(invoice.parent?.subscription_details?.subscription);
  return id ? store.get('subscription', id) : null;
};

export const openInvoices = (store: Store, { id: subscription }: Subscription): Promise<Invoice[]> =>
  store.select('invoice', { equal: { status: 'open', parent: { subscription_details: { subscription } } } });

/** The open invoice that an intent pays. */
async function invoiceBehind(store: Store, intent: Objects['payment_intent']): Promise<Invoice | null> {
  const [payment] = await store.select('invoice_payment', { equal: { payment: { payment_intent: intent.id } } });
  const invoice = payment ? await store.get('invoice', idOf(payment.invoice)) : null;
  return invoice?.status === 'open' ? invoice : null;
}

/** What a settled invoice does to its subscription: the first one starts it, a later one ends the arrears. */
async function settleSubscription(store: Store, invoice: Invoice, method: string | null) {
  const subscription = await subscriptionOf(store, invoice);
  if (!subscription) return;
  const late = subscription.status === 'past_due' && (await openInvoices(store, subscription)).length > 0;
  const revives = subscription.status === 'incomplete' || (subscription.status === 'past_due' && !late);
  const keepsCard = method && subscription.payment_settings?.save_default_payment_method === 'on_subscription';
  await changeSubscription(store, subscription, {
    ...(revives ? { status: 'active' as const } : {}),
    ...(keepsCard ? { default_payment_method: method } : {}),
  });
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
    const done: Objects['invoice_payment'] = {
      ...payment,
      status: 'paid',
      amount_paid: payment.amount_requested,
      status_transitions: { ...payment.status_transitions, paid_at: store.at },
    };
    await store.save(done, 'invoice_payment.paid');
  }
  await store.emit('invoice.paid', paid);
  await store.emit('invoice.payment_succeeded', paid);
  await settleSubscription(store, paid, method);
  return paid;
}

export async function invoicePaid(store: Store, intent: Objects['payment_intent']) {
  const invoice = await invoiceBehind(store, intent);
  if (invoice) await markPaid(store, invoice, idOrNull(intent.payment_method));
}

/** When an invoice that could not be paid is tried again; null when its retries are used up. */
export async function nextRetry(store: Store, { id }: Invoice): Promise<number | null> {
  const { firstFailedAt = store.at } = await store.hidden(id);
  return RETRIES.map((delay) => firstFailedAt + delay).find((retry) => retry > store.at) ?? null;
}

/** An unpaid renewal puts the subscription in arrears. While it advances by itself it is tried again, until the retries are used up. */
export async function fallBehind(store: Store, invoice: Invoice, type?: 'invoice.payment_action_required') {
  const { firstFailedAt = store.at } = await store.hidden(invoice.id);
  const renewal = invoice.billing_reason !== 'subscription_create';
  const next = renewal && invoice.auto_advance ? await nextRetry(store, invoice) : null;
  const failed = await store.save<Invoice>({
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    auto_advance: renewal ? next !== null : invoice.auto_advance,
    next_payment_attempt: next,
  });
  await store.hide(failed, { firstFailedAt });
  await store.emit('invoice.payment_failed', failed);
  if (type) await store.emit(type, failed);
  const subscription = renewal ? await subscriptionOf(store, failed) : null;
  if (subscription?.status === 'active') await changeSubscription(store, subscription, { status: 'past_due' });
}

export async function invoiceFailed(store: Store, intent: Objects['payment_intent']) {
  const invoice = await invoiceBehind(store, intent);
  if (invoice) await fallBehind(store, invoice);
}

/** The bank wants the cardholder, who isn't there when the charge is automatic. */
export async function invoiceNeedsAction(store: Store, intent: Objects['payment_intent'], offSession: boolean) {
  const invoice = await invoiceBehind(store, intent);
  if (!invoice) return;
  if (offSession) await fallBehind(store, invoice, 'invoice.payment_action_required');
  else await store.emit('invoice.payment_action_required', invoice);
}
