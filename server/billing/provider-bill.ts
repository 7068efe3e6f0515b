import type Stripe from 'stripe';
import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import type { Context } from '#server/platform/context.ts';
import { ensureCoupon } from './catalogue.ts';
import { asked, idOf } from './provider.ts';

type Coupons = PurchaseAttempt['coupons'];

/** The next invoice as the provider would write it now: when, for how many, with which of our coupons. */
export type ProviderBill = { at: Date; quantity: number; coupons: string[]; drafted: boolean };

/** A renewal that is still a draft is the next invoice: it is priced with what the subscription carries now. */
export function nextBill(subscription: Stripe.Subscription): ProviderBill {
  const { latest_invoice: invoice, items, discounts } = subscription;
  const drafted = invoice !== null && typeof invoice !== 'string' && invoice.status === 'draft';
  const at = Math.min(...items.data.map((item) => (drafted ? item.current_period_start : item.current_period_end)));
  const coupons = discounts.flatMap((discount) => {
    if (typeof discount === 'string') throw new Error('the discounts of a subscription were not asked for');
    const id = discount.end === null || discount.end > at ? idOf(discount.source.coupon) : null;
    return id ?? [];
  });
  return { at: new Date(at * 1000), quantity: items.data[0]?.quantity ?? 1, coupons, drafted };
}

/** How many it is for, from now on; the provider prorates on the next invoice (decisions §7). */
export async function setProviderQuantity(context: Context, subscription: Stripe.Subscription, quantity: number) {
  const items = subscription.items.data.map(({ id }) => ({ id, quantity }));
  await asked(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'create_prorations' }),
  );
}

/**
 * Replaces its discounts from the next invoice on; nothing is prorated. One that runs already is named by its own id:
 * giving its coupon again would start its months anew.
 */
export async function setProviderDiscounts(context: Context, subscription: Stripe.Subscription, coupons: Coupons) {
  const running = new Map<string | null, string>();
  for (const discount of subscription.discounts)
    if (typeof discount !== 'string') running.set(idOf(discount.source.coupon), discount.id);
  const wanted = await Promise.all(
    coupons.map(async (coupon) => {
      const discount = running.get(coupon.id);
      return discount === undefined ? { coupon: await ensureCoupon(context, coupon) } : { discount };
    }),
  );
  await asked(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, {
      discounts: wanted.length > 0 ? wanted : '',
      proration_behavior: 'none',
    }),
  );
}
