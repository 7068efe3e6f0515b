import { cardOnFile, collectInvoice, finalizeInvoice } from './billing.ts';
import { draftInvoice } from './drafts.ts';
import { HOUR } from './due.ts';
import { idOf, type Objects } from './objects.ts';
import { periodEnd } from './periods.ts';
import type { Store } from './store.ts';
import { changeSubscription, endSubscription } from './subscription-change.ts';

type Subscription = Objects['subscription'];
/** An automatic invoice stays a draft this long, so that it can still be changed. */
const DRAFT_LIFE = HOUR;

/** Every item's next period, starting now. */
function nextPeriods(store: Store, subscription: Subscription, anchor: number) {
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: store.at,
    current_period_end: periodEnd(anchor, item.price.recurring ?? { interval: 'month', interval_count: 1 }, store.at),
  }));
  return { ...subscription.items, data };
}

/** Starts the next period and drafts its invoice; it is finalised and charged an hour later, or at once when asked. */
export async function renew(store: Store, subscription: Subscription, { chargeNow = false, afterTrial = false } = {}) {
  const start = subscription.items.data[0]?.current_period_start ?? store.at;
  const anchor = afterTrial ? store.at : subscription.billing_cycle_anchor;
  const renewed = await changeSubscription(store, subscription, {
    items: nextPeriods(store, subscription, anchor),
    billing_cycle_anchor: anchor,
    ...(afterTrial ? { status: 'active' as const, trial_end: store.at } : {}),
  });
  const { invoice } = await draftInvoice(store, {
    subscription: renewed,
    reason: 'subscription_cycle',
    period: { start, end: store.at },
    finalizesAt: chargeNow ? null : store.at + DRAFT_LIFE,
  });
  if (afterTrial) await store.hide(invoice, { endsTrial: true });
  if (chargeNow) await collectInvoice(store, await finalizeInvoice(store, invoice));
}

/** With a card on file the first paid period begins; without one the subscription does what it was told to do then. */
export async function endTrial(store: Store, subscription: Subscription, { chargeNow = false } = {}) {
  const card = await cardOnFile(store, subscription, idOf(subscription.customer));
  const withoutCard = subscription.trial_settings?.end_behavior.missing_payment_method;
  if (!card && withoutCard === 'cancel') await endSubscription(store, subscription, 'cancellation_requested');
  else if (!card && withoutCard === 'pause') {
    await changeSubscription(store, subscription, { status: 'paused' }, 'customer.subscription.paused');
  } else await renew(store, subscription, { chargeNow, afterTrial: true });
}
