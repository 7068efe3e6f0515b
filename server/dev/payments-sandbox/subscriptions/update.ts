import type Stripe from 'stripe';
import { checkCardOwner } from '../customers/customers.ts';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { embeddedList } from '../http/lists.ts';
import { idOf, mergeMetadata, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { changedItems } from './items.ts';
import { currentPeriod, itemsFor } from './periods.ts';
import { changeSubscription } from './subscriptions.ts';

type Subscription = Objects['subscription'];
type Params = Stripe.SubscriptionUpdateParams;

/** What may still be changed before the first payment, and after the end. */
const incomplete = ['metadata', 'default_payment_method', 'expand'];
const ended = ['metadata', 'expand'];
const changeable: Record<string, string[]> = { incomplete, canceled: ended, incomplete_expired: ended };

function refuseFixed({ status }: Subscription, params: Params) {
  const allowed = changeable[status];
  if (allowed && Object.keys(params).some((name) => !allowed.includes(name)))
    throw new SandboxError(`A subscription that is ${status} can only have its ${allowed[0]} and little else updated.`);
}

/** A scheduled end, or its undoing; nothing when the request says nothing about it. */
function endChange(store: Store, before: Subscription, params: Params): Partial<Subscription> {
  const { cancel_at: at, cancel_at_period_end: atPeriodEnd } = params;
  if (at) throw unsupported('an end at any moment but that of the period', 'cancel_at');
  if (at === undefined && atPeriodEnd === undefined) return {};
  if (!atPeriodEnd) return { cancel_at: null, cancel_at_period_end: false, canceled_at: null };
  const canceled_at = before.canceled_at ?? store.at;
  return { cancel_at: currentPeriod(before).end, cancel_at_period_end: true, canceled_at };
}

/** Items as asked for, without proration, and a trial that ends at another moment: the first charge moves along. */
async function itemsChange(store: Store, before: Subscription, { items, trial_end: end, ...params }: Params) {
  if (items === undefined && end === undefined) return {};
  if (params.proration_behavior !== 'none') throw unsupported('prorations', 'proration_behavior');
  const data = items ? await changedItems(store, before, items) : before.items.data;
  const list = (all: typeof data) => ({ items: embeddedList(all, before.items.url) });
  if (end === undefined) return list(data);
  if (typeof end !== 'number' || before.status !== 'trialing' || before.cancel_at !== null)
    throw unsupported('another end of a trial but that of one that runs and goes on', 'trial_end');
  if (end <= store.at) throw new SandboxError('trial_end must be in the future.', { param: 'trial_end' });
  const { start } = currentPeriod(before);
  return { ...list(itemsFor(data, { start, end })), trial_end: end, billing_cycle_anchor: end };
}

export const update = handle<Params>(
  [
    'metadata',
    'payment_settings',
    'cancel_at_period_end',
    'cancel_at',
    'default_payment_method',
    'items',
    'pause_collection',
    'proration_behavior',
    'trial_end',
  ],
  async (store, params, id) => {
    const before = await store.get('subscription', id);
    refuseFixed(before, params);
    const { metadata, default_payment_method: card, pause_collection: pause, payment_settings: settings } = params;
    if (card) await checkCardOwner(store, idOf(before.customer), card, 'default_payment_method');
    if (pause && pause.behavior !== 'void') throw unsupported('pauses but those that void', 'pause_collection');
    const keeps = settings?.save_default_payment_method;
    return changeSubscription(store, before, {
      metadata: mergeMetadata(before.metadata, metadata),
      ...(keeps &&
        before.payment_settings && {
          payment_settings: { ...before.payment_settings, save_default_payment_method: keeps },
        }),
      ...(pause !== undefined && { pause_collection: pause ? { behavior: pause.behavior, resumes_at: null } : null }),
      ...(card !== undefined && { default_payment_method: card || null }),
      ...(await itemsChange(store, before, params)),
      ...endChange(store, before, params),
    });
  },
);
