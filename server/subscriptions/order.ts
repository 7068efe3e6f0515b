import { centsOf } from '#shared/rules/money.ts';
import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import { couponFor } from './coupons.ts';
import type { Offer } from './quote.ts';

/** What the provider is asked for, without the number of the attempt. */
export type Order = Omit<PurchaseAttempt, 'attempt' | 'revives'>;

/** The offer as an order; null where it costs nothing. */
export function orderFor({ tool, facts, price }: Offer, trialDays: number | null): Order | null {
  if (price.totalCents === 0) return null;
  return {
    trialDays,
    unitCents: centsOf(tool.basePrice),
    quantity: facts.members,
    totalCents: price.totalCents,
    coupons: price.discounts.map(couponFor),
  };
}

/** Whether an open attempt asks the provider for what the order wants. */
export function asksTheSame(open: PurchaseAttempt, order: Order): boolean {
  const ids = (list: Order['coupons']) => list.map(({ id }) => id).join();
  return (
    open.trialDays === order.trialDays &&
    open.unitCents === order.unitCents &&
    open.quantity === order.quantity &&
    open.totalCents === order.totalCents &&
    ids(open.coupons) === ids(order.coupons)
  );
}
