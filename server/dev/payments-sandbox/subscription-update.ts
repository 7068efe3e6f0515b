import type Stripe from 'stripe';
import { ownCard } from './customers.ts';
import { discountsOf, repriceDraft } from './drafts.ts';
import { replaceDiscounts, wantedDiscounts } from './discounts.ts';
import { handle } from './handler.ts';
import { idOf, mergeMetadata, type Objects } from './objects.ts';
import { SandboxError, unsupported } from './sandbox-error.ts';
import type { Store } from './store.ts';
import { changeSubscription } from './subscription-change.ts';
import { endChange } from './subscription-end.ts';
import { itemsUpdate } from './subscription-items-update.ts';
import { endTrial } from './trials.ts';

type Subscription = Objects['subscription'];
type Params = Stripe.SubscriptionUpdateParams;

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

/** An update that holds only once it is paid may say little else. */
const payableFirst = ['items', 'payment_behavior', 'proration_behavior', 'proration_date', 'off_session', 'expand'];
function refuseUnpayable(params: Params) {
  if (params.payment_behavior !== 'pending_if_incomplete') return;
  const strange = Object.keys(params).find((name) => !payableFirst.includes(name));
  if (strange)
    throw new SandboxError(`You cannot set ${strange} with payment_behavior=pending_if_incomplete.`, {
      param: strange,
    });
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
    'proration_date',
    'trial_end',
    'trial_settings',
    'payment_settings',
    'payment_behavior',
    'off_session',
  ],
  async (store, params, id) => {
    const before = await store.get('subscription', id);
    refuseFixed(before, params);
    refuseUnpayable(params);
    const discounts =
      params.discounts === undefined ? null : await wantedDiscounts(store, params.discounts, id, idOf(before.customer));
    const missing = params.trial_settings?.end_behavior.missing_payment_method;
    const items = params.items
      ? await itemsUpdate(store, before, params, discounts ?? (await discountsOf(store, before)))
      : null;
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
      ...items?.change,
      ...(await paymentChange(store, before, params)),
      ...endChange(store, before, params),
    };
    const after = await changeSubscription(store, before, change);
    const draft = after.latest_invoice ? await store.get('invoice', idOf(after.latest_invoice)) : null;
    if (discounts && draft?.status === 'draft')
      await repriceDraft(store, draft, after, await discountsOf(store, after));
    if (items) await items.bill(after);
    if (params.trial_end === 'now') {
      if (after.status !== 'trialing')
        throw unsupported('trial_end on a subscription that is not in a trial', 'trial_end');
      await endTrial(store, after, { chargeNow: true });
    }
    return store.get('subscription', id);
  },
);
