import type Stripe from 'stripe';
import { discountsOf, repriceDraft } from './billing.ts';
import { ownCard } from './customers.ts';
import { replaceDiscounts, wantedDiscounts } from './discounts.ts';
import { handle } from './handler.ts';
import { idOf, mergeMetadata, type Objects } from './objects.ts';
import { earliestPeriodEnd, latestPeriodEnd } from './periods.ts';
import { SandboxError, unsupported } from './sandbox-error.ts';
import type { Store } from './store.ts';
import { changeSubscription } from './subscription-change.ts';
import { changedItems } from './subscription-items.ts';
import { endTrial } from './trials.ts';

type Subscription = Objects['subscription'];
type Params = Stripe.SubscriptionUpdateParams;

const noReason = { comment: null, feedback: null, feedback_option: null, reason: null };

/** A scheduled end, or its undoing; null when the request says nothing about it. */
function scheduledEnd(
  subscription: Subscription,
  { cancel_at: at, cancel_at_period_end: atPeriodEnd }: Params,
): number | 'never' | null {
  if (at !== undefined && atPeriodEnd)
    throw new SandboxError('You may only specify one of these parameters: cancel_at, cancel_at_period_end.', {
      param: 'cancel_at',
    });
  if (at === 'min_period_end') return earliestPeriodEnd(subscription);
  if (at === 'max_period_end') return latestPeriodEnd(subscription);
  if (typeof at === 'number') return at;
  if (atPeriodEnd) return latestPeriodEnd(subscription);
  return at === '' || at === null || atPeriodEnd === false ? 'never' : null;
}

function endChange(store: Store, subscription: Subscription, params: Params): Partial<Subscription> {
  const { comment, feedback } = params.cancellation_details ?? {};
  const asked = params.cancellation_details
    ? {
        comment: comment || null,
        feedback: feedback || null,
      }
    : {};
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

async function itemsChange(store: Store, subscription: Subscription, params: Params): Promise<Partial<Subscription>> {
  if (!params.items) return {};
  const items = await changedItems(store, subscription, params.items);
  const cost = (list: Stripe.SubscriptionItem[]) => JSON.stringify(list.map((item) => [item.price.id, item.quantity]));
  const costs = cost(items) !== cost(subscription.items.data);
  if (costs && subscription.status !== 'trialing' && params.proration_behavior !== 'none')
    throw unsupported('proration: pass proration_behavior=none', 'proration_behavior');
  return { items: { ...subscription.items, data: items } };
}

async function paymentChange(store: Store, subscription: Subscription, params: Params): Promise<Partial<Subscription>> {
  const { default_payment_method: card, payment_settings: settings, default_tax_rates: rates } = params;
  if (card) await ownCard(store, idOf(subscription.customer), card, 'default_payment_method');
  return {
    ...(card === undefined ? {} : { default_payment_method: card || null }),
    ...(rates === undefined
      ? {}
      : {
          default_tax_rates: await Promise.all(
            (rates || []).map((rate) => store.get('tax_rate', rate, 'default_tax_rates')),
          ),
        }),
    ...(settings?.save_default_payment_method && subscription.payment_settings
      ? {
          payment_settings: {
            ...subscription.payment_settings,
            save_default_payment_method: settings.save_default_payment_method,
          },
        }
      : {}),
  };
}

function trialChange(store: Store, subscription: Subscription, end: number): Partial<Subscription> {
  if (subscription.status !== 'trialing')
    throw unsupported('trial_end on a subscription that is not in a trial', 'trial_end');
  if (end <= store.at) throw new SandboxError('trial_end must be in the future.', { param: 'trial_end' });
  const data = subscription.items.data.map((item) => ({ ...item, current_period_end: end }));
  return { trial_end: end, billing_cycle_anchor: end, items: { ...subscription.items, data } };
}

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

export const update = handle<Params>(
  [
    'metadata',
    'discounts',
    'cancel_at_period_end',
    'cancel_at',
    'cancellation_details',
    'default_payment_method',
    'default_tax_rates',
    'description',
    'items',
    'proration_behavior',
    'trial_end',
    'trial_settings',
    'payment_settings',
    'payment_behavior',
    'off_session',
  ],
  async (store, params, id) => {
    const before = await store.get('subscription', id);
    refuseFixed(before, params);
    const discounts =
      params.discounts === undefined ? null : await wantedDiscounts(store, params.discounts, id, idOf(before.customer));
    const missing = params.trial_settings?.end_behavior.missing_payment_method;
    const change: Partial<Subscription> = {
      ...(params.metadata === undefined ? {} : { metadata: mergeMetadata(before.metadata, params.metadata) }),
      ...(params.description === undefined ? {} : { description: params.description || null }),
      ...(discounts ? { discounts: await replaceDiscounts(store, before.discounts.map(idOf), discounts) } : {}),
      ...(missing && before.trial_settings
        ? {
            trial_settings: {
              end_behavior: { ...before.trial_settings.end_behavior, missing_payment_method: missing },
            },
          }
        : {}),
      ...(typeof params.trial_end === 'number' ? trialChange(store, before, params.trial_end) : {}),
      ...(await itemsChange(store, before, params)),
      ...(await paymentChange(store, before, params)),
      ...endChange(store, before, params),
    };
    const after = await changeSubscription(store, before, change);
    const draft = after.latest_invoice ? await store.get('invoice', idOf(after.latest_invoice)) : null;
    if (discounts && draft?.status === 'draft')
      await repriceDraft(store, draft, after, await discountsOf(store, after));
    if (params.trial_end !== 'now') return after;
    if (after.status !== 'trialing')
      throw unsupported('trial_end on a subscription that is not in a trial', 'trial_end');
    await endTrial(store, after, { chargeNow: true });
    return store.get('subscription', id);
  },
);
