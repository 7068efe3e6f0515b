import type pg from 'pg';
import type Stripe from 'stripe';
import { cardOnFile, collectInvoice, finalizeInvoice, voidInvoice } from '../invoices/collect.ts';
import { draftInvoice, waitingItems } from '../invoices/draft.ts';
import { changeSubscription, endSubscription } from '../invoices/outcome.ts';
import { idOf } from '../store/objects.ts';
import { change, createStore, look, selectDue, type Store } from '../store/store.ts';
import { HOUR, itemsFor, nextStep, periodEnd, type Step } from '../subscriptions/periods.ts';
import { expireIncomplete } from '../subscriptions/requests.ts';

/** An automatic invoice stays a draft this long, so that it can still be changed. */
const DRAFT_LIFE = HOUR;

/** Starts the next period and drafts its invoice, charged an hour later; while collection is paused it is void at once. */
async function renew(store: Store, before: Stripe.Subscription, begun: Partial<Stripe.Subscription> = {}) {
  const { billing_cycle_anchor: anchor } = { ...before, ...begun };
  const period = { start: store.at, end: periodEnd(anchor, store.at) };
  const items = { ...before.items, data: itemsFor(before.items.data, period) };
  const subscription = await changeSubscription(store, before, { items, ...begun });
  const finalizesAt = subscription.pause_collection ? null : store.at + DRAFT_LIFE;
  const invoice = await draftInvoice(store, subscription, { reason: 'subscription_cycle', finalizesAt });
  if (subscription.pause_collection) await voidInvoice(store, invoice);
}

const steps: Record<Step['step'], (store: Store, subscription: Stripe.Subscription) => Promise<unknown>> = {
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
    const billing = { items: [], reason: 'subscription_cycle' as const, finalizesAt: store.at + DRAFT_LIFE };
    if ((await waitingItems(store, subscription)).length) await draftInvoice(store, subscription, billing);
  },
};

async function advanceInvoice(store: Store, invoice: Stripe.Invoice) {
  const open = invoice.status === 'draft' ? await finalizeInvoice(store, invoice) : invoice;
  const tried = await collectInvoice(store, open);
  // a payment that can no longer be made is not tried again and again
  if (tried.status === 'open' && tried.next_payment_attempt !== null && tried.next_payment_attempt <= store.at)
    await store.save({ ...tried, next_payment_attempt: null });
}

/** Does the one thing that falls due first, at its own time; false when nothing is due up to `until` (seconds). */
export function runNextDue(pool: pg.Pool, until: number): Promise<boolean> {
  return change(pool, async (client) => {
    const due = await selectDue(client, until);
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
  look(pool, async (client) => {
    const store = createStore(client, 0);
    const renewing = await store.select('subscription', { oneOf: ['status', ['active', 'past_due']] });
    const next = renewing.map(nextStep).filter((step) => step?.step === 'renew');
    const drafts = await store.select('invoice', { equal: { status: 'draft' } });
    const begun = drafts.filter((draft) => draft.automatically_finalizes_at).map(({ created }) => created);
    const first = Math.min(...next.map((step) => step!.at), ...begun);
    return Number.isFinite(first) ? new Date(first * 1000) : null;
  });

/** When anything next falls due by the passing of time. */
export async function nextDue(pool: pg.Pool): Promise<Date | null> {
  const due = await selectDue(pool, Number.MAX_SAFE_INTEGER);
  return due ? new Date(due.at * 1000) : null;
}
