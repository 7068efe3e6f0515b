import type Stripe from 'stripe';
import { lineAmounts, portion } from './amounts.ts';
import { couponOf, reductions } from './discounts.ts';
import { decimal, idOf, newId, type Billed, type Objects } from './objects.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

type Subscription = Objects['subscription'];
type Item = Stripe.SubscriptionItem;
type Proration = Objects['invoiceitem'];
/** What a change in the middle of a period costs, and what is invoiced for each item once it holds. */
export type Change = { prorations: Proration[]; billed: Billed };

const dated = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString('en-AU', {
    timeZone: 'UTC',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
  });

/** Cents for the item's whole period after the subscription's discounts; a once-only coupon leaves prorations alone. */
async function netOf(store: Store, item: Item, discounts: Objects['discount'][], at: number): Promise<number> {
  const lasting = [];
  for (const discount of discounts) if ((await couponOf(store, discount)).duration !== 'once') lasting.push(discount);
  const amount = (item.price.unit_amount ?? 0) * (item.quantity ?? 1);
  const [line] = lineAmounts([{ amount, rates: [] }], await reductions(store, lasting, at));
  return (line?.discounts ?? []).reduce((left, { amount: off }) => left - off, amount);
}

async function prorationOf(
  store: Store,
  subscription: Subscription,
  item: Item,
  { cents, from }: { cents: number; from: number },
): Promise<Proration> {
  const product = await store.get('product', idOf(item.price.product));
  const quantity = item.quantity ?? 1;
  return {
    id: newId('invoiceitem'),
    object: 'invoiceitem',
    amount: cents,
    currency: subscription.currency,
    customer: idOf(subscription.customer),
    customer_account: null,
    date: store.at,
    description: `${cents < 0 ? 'Unused' : 'Remaining'} time on ${quantity} × ${product.name} after ${dated(from)}`,
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      subscription_details: { subscription: subscription.id, subscription_item: item.id },
      type: 'subscription_details',
    },
    period: { start: from, end: item.current_period_end },
    pricing: {
      price_details: { price: item.price.id, product: product.id },
      type: 'price_details',
      unit_amount_decimal: decimal(item.price.unit_amount ?? 0),
    },
    proration: true,
    proration_details: { credited_items: null, discount_amounts: [] },
    quantity,
    quantity_decimal: decimal(quantity),
    tax_rates: item.tax_rates ?? [],
    test_clock: null,
  };
}

const costs = (item: Item) => `${item.price.id} ${item.quantity ?? 1}`;
export const costsChange = (before: Item[], after: Item[]): boolean =>
  JSON.stringify(before.map((item) => [item.id, costs(item)])) !==
  JSON.stringify(after.map((item) => [item.id, costs(item)]));

/**
 * By the second: what was invoiced for an item and is not used is credited, what it costs from `from` (seconds) on is
 * charged. Nothing is saved.
 */
export async function prorate(
  store: Store,
  subscription: Subscription,
  after: Item[],
  discounts: Objects['discount'][],
  from: number,
): Promise<Change> {
  const known = (await store.hidden(subscription.id)).billed;
  const before = subscription.items.data;
  const [first] = before;
  if (first && (from < first.current_period_start || from > first.current_period_end))
    throw new SandboxError('proration_date must be inside the current period.', { param: 'proration_date' });
  const same = (item: Item, others: Item[]) =>
    others.some((other) => other.id === item.id && costs(other) === costs(item));
  const prorations: Proration[] = [];
  const billed: Billed = {};
  for (const item of before) {
    const whole = { from: item.current_period_start, to: item.current_period_end };
    // rows from before this was remembered: as if the whole period had been invoiced
    const last = known ? known[item.id] : { ...whole, cents: await netOf(store, item, discounts, from) };
    if (same(item, after)) {
      if (last) billed[item.id] = last;
      continue;
    }
    const unused = last ? portion(last.cents, Math.max(0, last.to - from), last.to - last.from) : 0;
    if (unused > 0) prorations.push(await prorationOf(store, subscription, item, { cents: -unused, from }));
  }
  for (const item of after) {
    if (same(item, before)) continue;
    const { current_period_start: start, current_period_end: to } = item;
    const cents = portion(await netOf(store, item, discounts, from), to - from, to - start);
    billed[item.id] = { cents, from, to };
    if (cents > 0) prorations.push(await prorationOf(store, subscription, item, { cents, from }));
  }
  return { prorations, billed };
}

/** Prorations of the subscription that are on no invoice yet. */
export const waitingProrations = async (store: Store, subscription: string): Promise<Proration[]> =>
  (
    await store.select('invoiceitem', { equal: { invoice: null, parent: { subscription_details: { subscription } } } })
  ).toReversed();
