import type Stripe from 'stripe';
import { unsupported } from '../http/error.ts';
import { lineAmounts, portion, sum } from '../invoices/amounts.ts';
import { newObject } from '../store/new-object.ts';
import { decimal, idOf, type Billed, type Credited, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { couponOf, reductions } from './discounts.ts';
import { naturalEnd } from './periods.ts';

type Subscription = Objects['subscription'];
type Item = Stripe.SubscriptionItem;
type Discounts = Objects['discount'][];

const dated = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString('en-AU', {
    timeZone: 'UTC',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
  });

/** Cents for the item's whole period after the subscription's discounts; a once-only coupon leaves prorations alone. */
async function netOf(store: Store, item: Item, discounts: Discounts): Promise<number> {
  const lasting = [];
  for (const discount of discounts) if ((await couponOf(store, discount)).duration !== 'once') lasting.push(discount);
  const amount = (item.price.unit_amount ?? 0) * (item.quantity ?? 1);
  const [line] = lineAmounts([{ amount, rates: [] }], await reductions(store, lasting));
  return amount - sum((line?.discounts ?? []).map(({ amount: off }) => off));
}

type Saved = { period?: { start: number; end: number }; credited?: Credited | undefined };

/** Answers what a later credit says of it. */
async function saveProration(
  store: Store,
  subscription: Subscription,
  item: Item,
  cents: number,
  { period = { start: store.at, end: item.current_period_end }, credited }: Saved = {},
): Promise<Credited | undefined> {
  if (cents === 0) return;
  const product = await store.get('product', idOf(item.price.product));
  const { quantity = 1 } = item;
  const proration = newObject('invoiceitem', store.at, {
    amount: cents,
    currency: subscription.currency,
    customer: idOf(subscription.customer),
    date: store.at,
    description: `${cents < 0 ? 'Unused' : 'Remaining'} time on ${quantity} × ${product.name} after ${dated(period.start)}`,
    discountable: false,
    discounts: [],
    metadata: subscription.metadata,
    parent: {
      subscription_details: { subscription: subscription.id, subscription_item: item.id },
      type: 'subscription_details',
    },
    period,
    pricing: {
      price_details: { price: item.price.id, product: product.id },
      type: 'price_details',
      unit_amount_decimal: decimal(item.price.unit_amount ?? 0),
    },
    proration: true,
    net_amount: cents,
    proration_details: { credited_items: cents < 0 ? credited : null, discount_amounts: [] },
    quantity,
    quantity_decimal: decimal(quantity),
    tax_rates: item.tax_rates ?? [],
  });
  await store.save(proration);
  return { invoice_item: proration.id, type: 'invoice_item' };
}

/**
 * Prorates, by the second, the items whose quantity or price changes now: credits what was invoiced for an item and is not used, and
 * charges what it costs from now on. Both wait for the next invoice. Returns what then counts as invoiced for each item.
 */
export async function prorate(
  store: Store,
  subscription: Subscription,
  after: Item[],
  discounts: Discounts,
): Promise<Billed> {
  const { billed = {} } = await store.hidden(subscription.id);
  const now: Billed = { ...billed };
  const ids = (items: Item[]) => items.map(({ id }) => id).join();
  if (ids(after) !== ids(subscription.items.data))
    throw unsupported('prorations of items that come or go', 'proration_behavior');
  const changed = after.flatMap((item) => {
    const before = subscription.items.data.find(({ id }) => id === item.id);
    const differs = before && (before.quantity !== item.quantity || before.price.id !== item.price.id);
    return differs ? [{ before, item }] : [];
  });
  for (const { before, item } of changed) {
    const last = billed[item.id];
    const unused = last ? portion(last.cents, Math.max(0, last.to - store.at), last.to - last.from) : 0;
    await saveProration(store, subscription, before, -unused, { credited: last?.charged });
    const { current_period_start: start, current_period_end: to } = item;
    const cents = portion(await netOf(store, item, discounts), to - store.at, naturalEnd(subscription) - start);
    const charged = await saveProration(store, subscription, item, cents);
    now[item.id] = { cents, from: store.at, to, ...(charged && { charged }) };
  }
  return now;
}

/**
 * Prorates a period that ends at another moment, because an end within it was scheduled or taken back: credits what was
 * invoiced beyond that moment, or charges the time that is added.
 */
export async function prorateEnd(
  store: Store,
  subscription: Subscription,
  end: number,
  discounts: Discounts,
): Promise<Billed> {
  const { billed = {} } = await store.hidden(subscription.id);
  const now: Billed = { ...billed };
  const whole = naturalEnd(subscription);
  for (const item of subscription.items.data) {
    const { current_period_start: start, current_period_end: before } = item;
    const last: Billed[string] = billed[item.id] ?? { cents: 0, from: start, to: whole };
    const cents =
      end < before
        ? -portion(last.cents, Math.max(0, last.to - end), last.to - last.from)
        : portion(await netOf(store, item, discounts), end - before, whole - start);
    await saveProration(store, subscription, item, cents, {
      period: { start: Math.min(before, end), end: Math.max(before, end) },
      credited: last.charged,
    });
    now[item.id] = { ...last, cents: last.cents + cents, to: end };
  }
  return now;
}
