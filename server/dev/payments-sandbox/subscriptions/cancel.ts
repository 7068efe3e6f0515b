import type Stripe from 'stripe';
import { missing, SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { voidInvoice } from '../invoices/collect.ts';
import { openInvoices } from '../invoices/outcome.ts';
import { waitingItems } from '../invoices/pending.ts';
import { idOf, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { currentPeriod } from './periods.ts';
import { changeSubscription, endSubscription, noReason, stopCollection } from './subscriptions.ts';

type Subscription = Objects['subscription'];
type Params = Stripe.SubscriptionUpdateParams;

/** A scheduled end, or its undoing; null when the request says nothing about it. */
function scheduledEnd(
  subscription: Subscription,
  { cancel_at: at, cancel_at_period_end: atPeriodEnd }: Params,
): number | 'never' | null {
  if (at !== undefined && atPeriodEnd)
    throw new SandboxError('You may only specify one of these parameters: cancel_at, cancel_at_period_end.', {
      param: 'cancel_at',
    });
  if (at === 'min_period_end' || at === 'max_period_end') throw unsupported(`cancel_at=${at}`, 'cancel_at');
  if (typeof at === 'number') return at;
  if (atPeriodEnd) return currentPeriod(subscription).end;
  return at === '' || at === null || atPeriodEnd === false ? 'never' : null;
}

/** What an update says about the subscription's end. */
export function endChange(store: Store, subscription: Subscription, params: Params): Partial<Subscription> {
  const { comment, feedback } = params.cancellation_details ?? {};
  const asked = params.cancellation_details ? { comment: comment || null, feedback: feedback || null } : {};
  const details = { ...noReason, ...subscription.cancellation_details, ...asked };
  const end = scheduledEnd(subscription, params);
  if (end === null) return params.cancellation_details ? { cancellation_details: details } : {};
  if (end === 'never')
    return {
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { ...noReason, ...asked },
    };
  if (end <= store.at) throw new SandboxError('cancel_at must be in the future.', { param: 'cancel_at' });
  return {
    cancel_at: end,
    cancel_at_period_end: Boolean(params.cancel_at_period_end),
    canceled_at: subscription.canceled_at ?? store.at,
    cancellation_details: { ...details, reason: 'cancellation_requested' },
  };
}

/** The first payment never came: the subscription ends and its invoice can no longer be paid. */
export async function expireIncomplete(store: Store, subscription: Subscription) {
  const ended = await changeSubscription(store, subscription, { status: 'incomplete_expired', ended_at: store.at });
  const invoice = ended.latest_invoice ? await store.get('invoice', idOf(ended.latest_invoice)) : null;
  if (invoice?.status === 'open') await voidInvoice(store, invoice);
  return ended;
}

/** Cancels at once. No last invoice is made: prorations that wait for one are dropped, other items go on waiting. */
export const cancel = handle<Stripe.SubscriptionCancelParams>(
  ['invoice_now', 'prorate'],
  async (store, { invoice_now: invoice, prorate }, id) => {
    if (invoice || prorate)
      throw unsupported('a last invoice with a cancellation', invoice ? 'invoice_now' : 'prorate');
    const subscription = await store.get('subscription', id);
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
      throw missing('subscription', id);
    if (subscription.status === 'incomplete') {
      const withdrawn = await expireIncomplete(store, subscription);
      await stopCollection(store, idOf(subscription.customer));
      return withdrawn;
    }
    for (const item of await waitingItems(store, subscription)) if (item.proration) await store.remove(item.id);
    return cancelNow(store, subscription);
  },
);

/** What ends at once is no longer scheduled to end. */
const unscheduled = { cancel_at: null, cancel_at_period_end: false };

/** A draft of the subscription is not finalised any more; open invoices stay open. */
export async function cancelNow(store: Store, subscription: Subscription, change: Partial<Subscription> = unscheduled) {
  const ended = await endSubscription(store, subscription, 'cancellation_requested', change);
  for (const draft of await openInvoices(store, subscription, 'draft'))
    await store.save({ ...draft, auto_advance: false, next_payment_attempt: null, automatically_finalizes_at: null });
  return ended;
}
