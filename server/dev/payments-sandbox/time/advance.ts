import type pg from 'pg';
import { cardOnFile, collectInvoice, finalizeInvoice, voidInvoice } from '../invoices/collect.ts';
import { draftInvoice } from '../invoices/draft.ts';
import { waitingItems } from '../invoices/pending.ts';
import { upcomingInvoice } from '../invoices/upcoming.ts';
import { idOf, type Objects } from '../store/objects.ts';
import * as queries from '../store/queries.ts';
import { createStore, type Store } from '../store/store.ts';
import { cancelNow, expireIncomplete } from '../subscriptions/cancel.ts';
import { currentPeriod, HOUR, itemsFor, periodEnd } from '../subscriptions/periods.ts';
import { changeSubscription, endSubscription } from '../subscriptions/subscriptions.ts';
import { nextStep, type SubscriptionStep } from './next-step.ts';

type Subscription = Objects['subscription'];

/** An automatic invoice stays a draft this long, so that it can still be changed. */
const DRAFT_LIFE = HOUR;

/**
 * Starts the next period and drafts its invoice, which is finalised and charged an hour later; while collection is paused it is
 * void at once.
 */
async function renew(store: Store, subscription: Subscription, { afterTrial = false } = {}) {
  const { start } = currentPeriod(subscription);
  const anchor = afterTrial ? store.at : subscription.billing_cycle_anchor;
  const data = itemsFor(subscription, { start: store.at, end: periodEnd(anchor, store.at) });
  const renewed = await changeSubscription(store, subscription, {
    items: { ...subscription.items, data },
    billing_cycle_anchor: anchor,
    ...(afterTrial ? { status: 'active' as const, trial_end: store.at } : {}),
  });
  const invoice = await draftInvoice(store, {
    subscription: renewed,
    reason: 'subscription_cycle',
    period: { start, end: store.at },
    finalizesAt: renewed.pause_collection ? null : store.at + DRAFT_LIFE,
  });
  if (renewed.pause_collection) await voidInvoice(store, invoice);
  else if (afterTrial) await store.hide(invoice, { endsTrial: true });
}

/** With a card on file the first paid period begins; without one the subscription ends where it was told to. */
async function endTrial(store: Store, subscription: Subscription) {
  const card = await cardOnFile(store, subscription, idOf(subscription.customer));
  if (!card && subscription.trial_settings?.end_behavior.missing_payment_method === 'cancel')
    await endSubscription(store, subscription, 'cancellation_requested');
  else await renew(store, subscription, { afterTrial: true });
}

const steps: Record<SubscriptionStep, (store: Store, subscription: Subscription) => Promise<unknown>> = {
  expire: expireIncomplete,
  endTrial,
  renew,
  async cancel(store, subscription) {
    const ended = await cancelNow(store, subscription, {});
    // what waited for a renewal that never comes is charged on its own
    if ((await waitingItems(store, ended)).length)
      await draftInvoice(store, {
        subscription: ended,
        items: [],
        reason: 'subscription_cycle',
        period: { start: currentPeriod(ended).start, end: store.at },
        finalizesAt: store.at + DRAFT_LIFE,
      });
  },
  async remindOfTrialEnd(store, subscription) {
    await store.hide(subscription, { remindedOfTrialEnd: subscription.trial_end ?? 0 });
    await store.emit('customer.subscription.trial_will_end', subscription);
  },
  async announceRenewal(store, subscription) {
    const { end } = currentPeriod(subscription);
    await store.hide(subscription, { announcedRenewal: end });
    if (subscription.pause_collection) return;
    const upcoming = await upcomingInvoice(store, subscription);
    await store.emit('invoice.upcoming', { ...upcoming, next_payment_attempt: end });
  },
};

async function advanceInvoice(store: Store, invoice: Objects['invoice']) {
  const open = invoice.status === 'draft' ? await finalizeInvoice(store, invoice) : invoice;
  const tried = await collectInvoice(store, open);
  // a payment that can no longer be made is not tried again and again
  if (tried.status === 'open' && tried.next_payment_attempt !== null && tried.next_payment_attempt <= store.at)
    await store.save({ ...tried, next_payment_attempt: null });
}

/** Does the one thing that falls due first, at its own time; false when nothing is due up to `until` (seconds). */
export function runNextDue(pool: pg.Pool, until: number): Promise<boolean> {
  return queries.change(pool, async (client) => {
    const due = await queries.selectDue(client, until);
    if (!due) return false;
    const store = createStore(client, due.at);
    const object = await store.find(due.id);
    if (object?.object === 'invoice') await advanceInvoice(store, object);
    if (object?.object === 'subscription') {
      const next = nextStep(object, await store.hidden(object.id));
      if (next) await steps[next.step](store, object);
    }
    return true;
  });
}
