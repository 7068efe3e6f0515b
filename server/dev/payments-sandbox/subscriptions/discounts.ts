import type Stripe from 'stripe';
import { SandboxError, unsupported } from '../http/error.ts';
import type { Reduction } from '../invoices/amounts.ts';
import { newObject } from '../store/new-object.ts';
import { idOf, idOrNull, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { addMonths } from './periods.ts';

type Wanted = { coupon?: string; discount?: string; promotion_code?: string };

async function redeem(
  store: Store,
  couponId: string,
  subscription: string,
  customer: string,
): Promise<Objects['discount']> {
  const coupon = await store.get('coupon', couponId, 'discounts[coupon]');
  return newObject('discount', store.at, {
    customer,
    end: coupon.duration === 'repeating' ? addMonths(store.at, coupon.duration_in_months ?? 0) : null,
    source: { coupon: couponId, type: 'coupon' },
    start: store.at,
    subscription,
  });
}

/** The discounts that a subscription has. */
export const discountsOf = (store: Store, subscription: Objects['subscription']) =>
  Promise.all(subscription.discounts.map((discount) => store.get('discount', idOf(discount))));

/** The discounts a request asks for, in its order; a running one may be kept by naming it. Nothing is saved. */
export async function wantedDiscounts(
  store: Store,
  wanted: Stripe.Emptyable<Wanted[]> | undefined,
  subscription: string,
  customer: string,
): Promise<Objects['discount'][]> {
  const discounts: Objects['discount'][] = [];
  for (const { coupon, discount, promotion_code: code } of wanted || []) {
    if (code) throw unsupported('promotion codes', 'discounts');
    if (discount) discounts.push(await store.get('discount', discount, 'discounts[discount]'));
    else if (coupon) discounts.push(await redeem(store, coupon, subscription, customer));
  }
  const coupons = discounts.map(({ source }) => idOrNull(source.coupon));
  if (new Set(coupons).size < coupons.length)
    throw new SandboxError('The same coupon can only be given once.', { param: 'discounts' });
  return discounts;
}

/** Puts these discounts on the subscription in place of the ones it had. */
export async function replaceDiscounts(
  store: Store,
  before: string[],
  discounts: Objects['discount'][],
): Promise<string[]> {
  const kept = discounts.map((discount) => discount.id);
  for (const discount of discounts) {
    if (before.includes(discount.id)) continue;
    const coupon = await couponOf(store, discount);
    await store.save({ ...coupon, times_redeemed: coupon.times_redeemed + 1 });
    await store.save(discount, 'customer.discount.created');
  }
  for (const id of before)
    if (!kept.includes(id)) await store.emit('customer.discount.deleted', await store.get('discount', id));
  return kept;
}

export async function couponOf(store: Store, discount: Objects['discount']): Promise<Objects['coupon']> {
  if (!discount.source.coupon) throw new Error(`discount ${discount.id} has no coupon`);
  return store.get('coupon', idOf(discount.source.coupon));
}

/** The discounts that still run at this time (seconds), as the invoice's arithmetic wants them. */
export async function reductions(store: Store, discounts: Objects['discount'][], at = store.at): Promise<Reduction[]> {
  const running = discounts.filter((discount) => discount.end === null || discount.end > at);
  return Promise.all(
    running.map(async (discount) => ({
      discount: discount.id,
      percentOff: (await couponOf(store, discount)).percent_off ?? 0,
    })),
  );
}
