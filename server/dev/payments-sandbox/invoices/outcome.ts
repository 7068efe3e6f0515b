import type Stripe from 'stripe';
import { idOf, idOrNull } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { DAY } from '../subscriptions/periods.ts';

type Subscription = Stripe.Subscription;

/** Seconds after the first failed charge of a renewal at which it is tried again; after the last, its subscription stays past due. */
const RETRIES = [3, 5, 7].map((days) => days * DAY);

export const subscriptionOf = async (store: Store, invoice: Stripe.Invoice): Promise<Subscription | null> => {
  const id = idOrNull(invoice.parent?.subscription_details?.subscription);
  return id ? store.get('subscription', id) : null;
};

/** Saves a changed subscription; no event is sent when nothing changed. */
export async function changeSubscription(
  store: Store,
  before: Subscription,
  change: Partial<Subscription>,
  type: Stripe.Event['type'] = 'customer.subscription.updated',
): Promise<Subscription> {
  const after = { ...before, ...change };
  return JSON.stringify(after) === JSON.stringify(before) ? before : store.save(after, type);
}

/** What an invoice says that Stripe neither finalises nor charges by itself. */
export const halted = { auto_advance: false, automatically_finalizes_at: null, next_payment_attempt: null };

/** No open invoice of the customer is charged automatically any more, whatever it is for; whoever wants that switches it on again. */
export async function stopCollection(store: Store, customer: string): Promise<void> {
  for (const invoice of await store.select('invoice', { equal: { customer, status: 'open', auto_advance: true } }))
    await store.save({ ...invoice, ...halted }, 'invoice.updated');
}

/** Ends it for good, and no draft of it is finalised any more; a cancelled subscription never comes back. */
export async function endSubscription(store: Store, before: Subscription, change: Partial<Subscription> = {}) {
  const end = { status: 'canceled' as const, ended_at: store.at, ...change };
  const ended = await changeSubscription(store, before, end, 'customer.subscription.deleted');
  await stopCollection(store, idOf(before.customer));
  const parent = { subscription_details: { subscription: before.id } };
  for (const draft of await store.select('invoice', { equal: { status: 'draft', parent } }))
    await store.save({ ...draft, ...halted });
  return ended;
}

/** What ends at once is no longer scheduled to end. */
export const endNow = (store: Store, subscription: Subscription) =>
  endSubscription(store, subscription, { cancel_at: null, cancel_at_period_end: false });

/** A subscription in arrears is active again once no invoice of it is open. */
async function endArrears(store: Store, { id, status }: Subscription): Promise<Partial<Subscription>> {
  if (status !== 'past_due') return {};
  const parent = { subscription_details: { subscription: id } };
  const open = await store.select('invoice', { equal: { status: 'open', parent } });
  return open.length ? {} : { status: 'active' };
}

/** The subscription of an invoice that nobody has to pay any more. */
export async function leaveArrears(store: Store, invoice: Stripe.Invoice): Promise<void> {
  const subscription = await subscriptionOf(store, invoice);
  if (subscription) await changeSubscription(store, subscription, await endArrears(store, subscription));
}

/** The open invoice that an intent pays. */
async function invoiceBehind(store: Store, intent: Stripe.PaymentIntent): Promise<Stripe.Invoice | null> {
  const [payment] = await store.select('invoice_payment', { equal: { payment: { payment_intent: intent.id } } });
  const invoice = payment ? await store.get('invoice', idOf(payment.invoice)) : null;
  return invoice?.status === 'open' ? invoice : null;
}

/** Whatever becomes of the payment that an invoice waits for. */
export async function closePayment(store: Store, { id: invoice }: Stripe.Invoice, status: 'paid' | 'canceled') {
  for (const payment of await store.select('invoice_payment', { equal: { invoice, status: 'open' } }))
    await store.save({ ...payment, status }, status === 'paid' ? 'invoice_payment.paid' : undefined);
}

/** Marks an invoice as paid, by a payment or because nothing is due. The first one starts its subscription, a later one ends the arrears. */
export async function markPaid(store: Store, invoice: Stripe.Invoice, method: string | null): Promise<Stripe.Invoice> {
  const paid = await store.save<Stripe.Invoice>({
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
  await closePayment(store, paid, 'paid');
  await store.emit('invoice.paid', paid);
  await store.emit('invoice.payment_succeeded', paid);
  const subscription = await subscriptionOf(store, paid);
  if (!subscription) return paid;
  const keepsCard = method && subscription.payment_settings?.save_default_payment_method === 'on_subscription';
  await changeSubscription(store, subscription, {
    ...(subscription.status === 'incomplete' ? { status: 'active' } : await endArrears(store, subscription)),
    ...(keepsCard && { default_payment_method: method }),
  });
  return paid;
}

/** When an invoice that could not be paid is tried again; null when its retries are used up. */
export async function nextRetry(store: Store, { id }: Stripe.Invoice): Promise<number | null> {
  const { firstFailedAt = store.at } = await store.hidden(id);
  return RETRIES.map((delay) => firstFailedAt + delay).find((retry) => retry > store.at) ?? null;
}

/** An unpaid renewal puts the subscription in arrears. While it advances by itself it is tried again, until the retries are used up. */
export async function fallBehind(store: Store, invoice: Stripe.Invoice) {
  const { firstFailedAt = store.at } = await store.hidden(invoice.id);
  await store.hide(invoice.id, { firstFailedAt });
  const renewal = invoice.billing_reason !== 'subscription_create';
  const next = renewal && invoice.auto_advance ? await nextRetry(store, invoice) : null;
  const failed: Stripe.Invoice = {
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    auto_advance: renewal ? next !== null : invoice.auto_advance,
    next_payment_attempt: next,
  };
  await store.save(failed, 'invoice.payment_failed');
  const subscription = renewal ? await subscriptionOf(store, failed) : null;
  if (subscription?.status === 'active') await changeSubscription(store, subscription, { status: 'past_due' });
}

/** What an attempt to pay does to its invoice. Where the bank wants the cardholder, `absent` says that they are not there to be asked. */
export async function afterAttempt(store: Store, intent: Stripe.PaymentIntent, absent = true) {
  const invoice = await invoiceBehind(store, intent);
  if (!invoice) return;
  if (intent.status === 'succeeded') return void (await markPaid(store, invoice, idOrNull(intent.payment_method)));
  if (absent) await fallBehind(store, invoice);
  if (intent.status === 'requires_action')
    await store.emit('invoice.payment_action_required', await store.get('invoice', invoice.id));
}
