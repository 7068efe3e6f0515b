import { sumCents } from '#shared/rules/billing/money.ts';
import type Stripe from 'stripe';
import { askStripe, askStripeUnlessRefused, idOf } from '#server/stripe/ask.ts';
import { endStripeSubscription } from '#server/stripe/bill-subscription.ts';
import { allOfThem, deleteInvoiceItem, voidInvoice } from '#server/stripe/invoices.ts';
import type { Context } from '#server/platform/context.ts';
import { endsAt, isUnpaid, latestInvoiceOf } from './old-row.ts';

/** Calls to Stripe about subscriptions that an older release sold. */

/** What waits for a subscription's next invoice because members came or went; a credit is negative, discounts are taken off. */
export type Proration = {
  id: string;
  subscription: string;
  from: Date;
  to: Date;
  seats: number;
  cents: number;
  metadata: Stripe.Metadata;
};

const at = (seconds: number) => new Date(seconds * 1000);

export async function waitingProrations(context: Context, customer: string): Promise<Proration[]> {
  const items = await askStripe(context, (stripe) =>
    stripe.invoiceItems.list({ customer, pending: true, limit: 100 }).autoPagingToArray(allOfThem),
  );
  return items.flatMap(({ id, parent, period, quantity, amount, net_amount: net, metadata }) => {
    const subscription = idOf(parent?.subscription_details?.subscription);
    const [from, to] = [at(period.start), at(period.end)];
    return subscription
      ? { id, subscription, from, to, seats: quantity, cents: net ?? amount, metadata: metadata ?? {} }
      : [];
  });
}

/** Has it end with its period, without proration. */
export async function endWithPeriod(context: Context, subscription: Stripe.Subscription): Promise<void> {
  if (endsAt(subscription) !== null) return;
  await askStripe(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true, proration_behavior: 'none' }),
  );
}

/** Ends it at once, and voids what is open, so that no late retry can charge it. False where that is paid, or a payment is under way. */
export async function endNow(context: Context, subscription: Stripe.Subscription): Promise<boolean> {
  const open = latestInvoiceOf(subscription);
  if (open?.status === 'open' && !(await voidInvoice(context, open.id))) return false;
  if (subscription.status !== 'canceled' && subscription.status !== 'incomplete_expired')
    await endStripeSubscription(context, subscription.id);
  return true;
}

/** Makes sure that what was cancelled is never charged again; whether anything had to be done. */
export async function stopCharging(context: Context, subscription: Stripe.Subscription): Promise<boolean> {
  const { status } = subscription;
  if (status === 'canceled') {
    const leavesDebt = latestInvoiceOf(subscription)?.status === 'open';
    return leavesDebt && (await endNow(context, subscription));
  }
  if (status !== 'trialing' && status !== 'active' && status !== 'past_due' && status !== 'unpaid') return false;
  if (isUnpaid(subscription)) return endNow(context, subscription);
  if (endsAt(subscription) !== null) return false;
  await endWithPeriod(context, subscription);
  return true;
}

/** What waits to be charged for members who came since the last month was paid; a credit stays. */
export async function dropCharges(context: Context, { id, customer }: Stripe.Subscription): Promise<void> {
  const own = (await waitingProrations(context, idOf(customer) ?? '')).filter(
    ({ subscription }) => subscription === id,
  );
  if (sumCents(own) > 0) for (const one of own) await deleteInvoiceItem(context, one.id);
}

/** The seats of a renewal that is still to come. */
export async function setSeats(context: Context, subscription: Stripe.Subscription, quantity: number): Promise<void> {
  const wrong = subscription.items.data.filter((item) => item.quantity !== quantity);
  if (wrong.length === 0) return;
  const items = wrong.map(({ id }) => ({ id, quantity }));
  await askStripeUnlessRefused(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' }),
  );
}
