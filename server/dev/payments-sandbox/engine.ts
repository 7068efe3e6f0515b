import type pg from 'pg';
import { collectInvoice, finalizeInvoice } from './billing.ts';
import { discountsOf } from './drafts.ts';
import { HOUR, nextStep, type SubscriptionStep } from './due.ts';
import { draftFinalInvoice } from './final-invoice.ts';
import type { Objects } from './objects.ts';
import { earliestPeriodEnd } from './periods.ts';
import { upcomingInvoice } from './previews.ts';
import { waitingProrations } from './prorations.ts';
import * as queries from './queries.ts';
import { createStore, type Store } from './store.ts';
import { endSubscription } from './subscription-change.ts';
import { dropPendingUpdate } from './subscription-items-update.ts';
import { expireIncomplete, stopCollecting } from './subscriptions.ts';
import { endTrial, renew } from './trials.ts';

type Subscription = Objects['subscription'];

const steps: Record<SubscriptionStep, (store: Store, subscription: Subscription) => Promise<unknown>> = {
  expire: expireIncomplete,
  endTrial,
  renew,
  dropUpdate: dropPendingUpdate,
  async cancel(store, subscription) {
    const ended = await endSubscription(store, subscription, 'cancellation_requested');
    await stopCollecting(store, subscription.id);
    await draftFinalInvoice(store, ended, store.at + HOUR);
  },
  async remindOfTrialEnd(store, subscription) {
    await store.hide(subscription, { remindedOfTrialEnd: subscription.trial_end ?? 0 });
    await store.emit('customer.subscription.trial_will_end', subscription);
  },
  async announceRenewal(store, subscription) {
    const end = earliestPeriodEnd(subscription);
    await store.hide(subscription, { announcedRenewal: end });
    const waiting = await waitingProrations(store, subscription.id);
    const upcoming = await upcomingInvoice(store, subscription, waiting, await discountsOf(store, subscription));
    await store.emit('invoice.upcoming', { ...upcoming, next_payment_attempt: end });
  },
};

async function advanceInvoice(store: Store, invoice: Objects['invoice']) {
  const open = invoice.status === 'draft' ? await finalizeInvoice(store, invoice) : invoice;
  const tried = await collectInvoice(store, open);
  // a payment that can no longer be made is not looked at for ever
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
