import type Stripe from 'stripe';
import { checkCardOwner } from '../customers/customers.ts';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { embeddedList } from '../http/lists.ts';
import { idOf, mergeMetadata, type Objects } from '../store/objects.ts';
import { endChange } from './cancel.ts';
import { discountsOf, replaceDiscounts, wantedDiscounts } from './discounts.ts';
import { changedItems } from './items.ts';
import { currentPeriod, itemsFor, naturalEnd } from './periods.ts';
import { prorate, prorateEnd } from './prorations.ts';
import type { Store } from '../store/store.ts';
import { changeSubscription } from './subscriptions.ts';

type Subscription = Objects['subscription'];
type Params = Stripe.SubscriptionUpdateParams;

/** What may still be changed before the first payment, and after the end. */
const changeable: Record<string, { names: string[]; refusal: string }> = {
  incomplete: {
    names: ['metadata', 'default_payment_method'],
    refusal: 'A subscription whose status is incomplete can only have its metadata and default payment method updated.',
  },
  canceled: {
    names: ['metadata', 'cancellation_details'],
    refusal: 'A canceled subscription can only update its cancellation_details and metadata.',
  },
};
changeable['incomplete_expired'] = changeable['canceled']!;

function refuseFixed(subscription: Subscription, params: Params) {
  const allowed = changeable[subscription.status];
  const strange = allowed && Object.keys(params).some((name) => name !== 'expand' && !allowed.names.includes(name));
  if (strange) throw new SandboxError(allowed.refusal);
}

/** A trial that ends later: the period, and with it the first charge, moves along. Null when the request says nothing about it. */
function trialChange(store: Store, subscription: Subscription, end: Params['trial_end']) {
  if (end === undefined) return null;
  if (typeof end !== 'number' || subscription.status !== 'trialing')
    throw unsupported('another end of a trial but that of one that runs', 'trial_end');
  if (end <= store.at) throw new SandboxError('trial_end must be in the future.', { param: 'trial_end' });
  if (subscription.cancel_at !== null) throw unsupported('another trial_end where an end is scheduled', 'trial_end');
  return { trial_end: end, billing_cycle_anchor: end };
}

/** The current period where a request moves its end: an end scheduled within it shortens it, taking that back restores it. */
function periodUntil(subscription: Subscription, cancelAt: number | null | undefined) {
  if (cancelAt === undefined) return null;
  const { start, end: before } = currentPeriod(subscription);
  const end = Math.min(naturalEnd(subscription), cancelAt ?? Infinity);
  return end === before ? null : { start, end };
}

/** A subscription's lines, on old invoices too, have the metadata that it has now. */
async function copyMetadata(store: Store, { id: subscription, metadata }: Subscription) {
  const invoices = await store.select('invoice', { equal: { parent: { subscription_details: { subscription } } } });
  for (const invoice of invoices) {
    const data = invoice.lines.data.map((line) =>
      line.parent?.subscription_item_details?.proration === false ? { ...line, metadata } : line,
    );
    await store.save({ ...invoice, lines: { ...invoice.lines, data } });
  }
}

export const update = handle<Params>(
  [
    'metadata',
    'payment_settings',
    'discounts',
    'cancel_at_period_end',
    'cancel_at',
    'cancellation_details',
    'default_payment_method',
    'items',
    'pause_collection',
    'proration_behavior',
    'trial_end',
  ],
  async (store, params, id) => {
    const before = await store.get('subscription', id);
    const customer = idOf(before.customer);
    const keeps = params.payment_settings?.save_default_payment_method;
    refuseFixed(before, params);
    if (params.proration_behavior === 'always_invoice')
      throw unsupported('proration_behavior=always_invoice', 'proration_behavior');
    const { metadata, default_payment_method: card, items: itemChanges, pause_collection: pause } = params;
    if (pause && (pause.behavior !== 'void' || pause.resumes_at !== undefined))
      throw unsupported('pauses but those that void, until they are taken back', 'pause_collection');
    if (card) await checkCardOwner(store, customer, card, 'default_payment_method');
    const discounts =
      params.discounts === undefined ? null : await wantedDiscounts(store, params.discounts, id, customer);
    const change = endChange(store, before, params);
    const trial = trialChange(store, before, params.trial_end);
    const period = trial
      ? { start: currentPeriod(before).start, end: trial.trial_end }
      : periodUntil(before, change.cancel_at);
    if (itemChanges && period) throw unsupported('another end and other items in one request', 'items');
    const items = itemChanges
      ? await changedItems(store, before, itemChanges)
      : period
        ? itemsFor(before, period)
        : null;
    const carried = discounts ?? (await discountsOf(store, before));
    const prorates = items && before.status !== 'trialing' && params.proration_behavior !== 'none';
    const billed = !prorates
      ? null
      : period
        ? await prorateEnd(store, before, period.end, carried)
        : await prorate(store, before, items, carried);
    const after = await changeSubscription(store, before, {
      ...(metadata === undefined ? {} : { metadata: mergeMetadata(before.metadata, metadata) }),
      ...(keeps && before.payment_settings
        ? { payment_settings: { ...before.payment_settings, save_default_payment_method: keeps } }
        : {}),
      ...(discounts ? { discounts: await replaceDiscounts(store, before.discounts.map(idOf), discounts) } : {}),
      ...(pause === undefined
        ? {}
        : { pause_collection: pause ? { behavior: pause.behavior, resumes_at: null } : null }),
      ...(items ? { items: embeddedList(items, before.items.url) } : {}),
      ...(card === undefined ? {} : { default_payment_method: card || null }),
      ...change,
      ...trial,
    });
    if (metadata !== undefined) await copyMetadata(store, after);
    if (billed) await store.hide(after, { billed });
    return store.get('subscription', id);
  },
);
