import type pg from 'pg';
import { cardOnFile, collectInvoice, finalizeInvoice, voidInvoice } from '../invoices/collect.ts';
import { draftInvoice, waitingItems } from '../invoices/draft.ts';
import { idOf, type Objects } from '../store/objects.ts';
import * as queries from '../store/queries.ts';
import { createStore, type Store } from '../store/store.ts';
import { expireIncomplete } from '../subscriptions/cancel.ts';
import { currentPeriod, DAY, HOUR, itemsFor, periodEnd } from '../subscriptions/periods.ts';
import { changeSubscription, endSubscription } from '../subscriptions/subscriptions.ts';
import { nextStep, type SubscriptionStep } from './next-step.ts';

type Subscription = Objects['subscription'];

/** An automatic invoice stays a draft this long, so that it can still be changed. */
const DRAFT_LIFE = HOUR;

/**
 * Starts the next period and drafts its invoice, which is finalised and charged an hour later; while collection is paused it is
 * void at once.
 */
async function renew(store: Store, before: Subscription, change: Partial<Subscription> = {}) {
  const { billing_cycle_anchor: anchor } = { ...before, ...change };
  const period = { start: store.at, end: periodEnd(anchor, store.at) };
  const items = { ...before.items, data: itemsFor(before.items.data, period) };
  const subscription = await changeSubscription(store, before, { items, ...change });
  const invoice = await draftInvoice(store, {
    subscription,
    reason: 'subscription_cycle',
    period: { start: currentPeriod(before).start, end: store.at },
    finalizesAt: subscription.pause_collection ? null : store.at + DRAFT_LIFE,
  });
  if (subscription.pause_collection) await voidInvoice(store, invoice);
}

const steps: Record<SubscriptionStep, (store: Store, subscription: Subscription) => Promise<unknown>> = {
  expire: expireIncomplete,
  /** The first paid period begins, unless nobody gave a card and the subscription was told to end then. */
  async endTrial(store, subscription) {
    const card = await cardOnFile(store, subscription, idOf(subscription.customer));
    const ends = subscription.trial_settings?.end_behavior.missing_payment_method === 'cancel';
    if (!card && ends) return endSubscription(store, subscription);
    return renew(store, subscription, { status: 'active', trial_end: store.at, billing_cycle_anchor: store.at });
  },
  renew: (store, subscription) => renew(store, subscription),
  async cancel(store, before) {
    const subscription = await endSubscription(store, before);
    // what waited for a renewal that never comes is charged on its own
    if ((await waitingItems(store, subscription)).length)
      await draftInvoice(store, {
        subscription,
        items: [],
        reason: 'subscription_cycle',
        period: { start: currentPeriod(subscription).start, end: store.at },
        finalizesAt: store.at + DRAFT_LIFE,
      });
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
      const next = nextStep(object);
      // An older release also looked a week before a renewal.
      if (next && next.at > due.at) await store.save(object);
      else if (next) await steps[next.step](store, object);
    }
    return true;
  });
}

/** When the next period begins. Its invoice is finalised and charged an hour later; until then this returns the period's start. */
export const nextRenewal = (pool: pg.Pool): Promise<Date | null> =>
  queries.change(pool, async (client) => {
    const store = createStore(client, 0);
    const renewing = await store.select('subscription', { oneOf: ['status', ['active', 'past_due']] });
    const begins = renewing.flatMap((subscription) => {
      const { end } = currentPeriod(subscription);
      return subscription.cancel_at !== null && subscription.cancel_at <= end ? [] : [end];
    });
    for (const draft of await store.select('invoice', { equal: { status: 'draft' } }))
      if (draft.automatically_finalizes_at) begins.push(draft.created);
    return begins.length ? new Date(Math.min(...begins) * 1000) : null;
  });

/** When anything next falls due by the passing of time, up to a century ahead. */
export const nextDue = async (pool: pg.Pool, from: Date): Promise<Date | null> => {
  const century = Math.floor(from.getTime() / 1000) + 36_525 * DAY;
  const due = await queries.selectDue(pool, century);
  return due ? new Date(due.at * 1000) : null;
};
