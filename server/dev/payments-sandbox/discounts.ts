import type Stripe from 'stripe';
import { idOf, newId, type Objects } from './objects.ts';
import { addMonths } from './periods.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

type Wanted = { coupon?: string; discount?: string; promotion_code?: string };

async function redeem(
  store: Store,
  couponId: string,
  subscription: string | null,
  customer: string,
): Promise<Objects['discount']> {
  const coupon = await store.get('coupon', couponId, 'discounts[coupon]');
  const usedUp = coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions;
  if (usedUp || (coupon.redeem_by !== null && coupon.redeem_by <= store.at))
    throw new SandboxError(`Coupon ${couponId} is used up or has expired.`, {
      code: 'coupon_expired',
      param: 'discounts',
    });
  return {
    id: newId('discount'),
    object: 'discount',
    checkout_session: null,
    customer,
    customer_account: null,
    end: coupon.duration === 'repeating' ? addMonths(store.at, coupon.duration_in_months ?? 0) : null,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon: couponId, type: 'coupon' },
    start: store.at,
    subscription,
    subscription_item: null,
  };
}

/** The discounts a request asks for, in its order; a running one may be kept by naming it. Nothing is saved. */
export async function wantedDiscounts(
  store: Store,
  wanted: Stripe.Emptyable<Wanted[]> | undefined,
  subscription: string | null,
  customer: string,
): Promise<Objects['discount'][]> {
  const discounts: Objects['discount'][] = [];
  for (const { coupon, discount, promotion_code: code } of wanted || []) {
    if (code)
      throw new SandboxError('The payments sandbox does not implement promotion codes.', { param: 'discounts' });
    if (discount) discounts.push(await store.get('discount', discount, 'discounts[discount]'));
    else if (coupon) discounts.push(await redeem(store, coupon, subscription, customer));
  }
  return discounts;
}

/** Puts them on the subscription in place of the ones it had. */
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
    await store.save(discount);
    await store.emit('customer.discount.created', discount);
  }
  for (const id of before)
    if (!kept.includes(id)) await store.emit('customer.discount.deleted', await store.get('discount', id));
  return kept;
}

export async function couponOf(store: Store, discount: Objects['discount']): Promise<Objects['coupon']> {
  if (!discount.source.coupon) throw new Error(`discount ${discount.id} has no coupon`);
  return store.get('coupon', idOf(discount.source.coupon));
}

export type Reduction = { discount: string; percentOff: number | null; amountOff: number | null; once: boolean };

/** The discounts that still apply at this time (seconds), as the invoice's arithmetic wants them. */
export async function reductions(store: Store, discounts: Objects['discount'][], at = store.at): Promise<Reduction[]> {
  const running = discounts.filter((discount) => discount.end === null || discount.end > at);
  return Promise.all(
    running.map(async (discount) => {
      const coupon = await couponOf(store, discount);
      return {
        discount: discount.id,
        percentOff: coupon.percent_off,
        amountOff: coupon.amount_off,
        once: coupon.duration === 'once',
      };
    }),
  );
}
