import type Stripe from 'stripe';
import { newObject, type Fields } from '../schema/schema.ts';
import { idOf } from '../store/objects.ts';

export type Reduction = { discount: string; percentOff: number };
type Rate = { id: string; percentage: number };

/** Percentages may have two decimals, so they are counted in hundredths of a percent. */
const hundredths = (percentage: number) => Math.round(percentage * 100);
const halfUp = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/** Part of an amount of cents, half a cent rounded up. A credit is rounded as the charge it mirrors, so that both cancel out. */
export const portion = (cents: number, part: number, whole: number): number =>
  cents < 0 ? -halfUp(-cents * part, whole) : halfUp(cents * part, whole);

export const sum = (entries: readonly { amount: number }[]) => entries.reduce((total, { amount }) => total + amount, 0);

/**
 * What is in the cents of a line. Each discount is taken from what the one before it left. Tax is inside the price: GST of 10% is the
 * total over eleven.
 */
export function lineAmounts(amount: number, rates: readonly Rate[], reductions: readonly Reduction[]) {
  let left = amount;
  const discounts = reductions.map(({ discount, percentOff }) => {
    const off = halfUp(left * hundredths(percentOff), 10_000);
    left -= off;
    return { discount, amount: off };
  });
  const taxes = rates.map(({ id, percentage }) => {
    const tax = portion(left, hundredths(percentage), 10_000 + hundredths(percentage));
    return { rate: id, amount: tax, taxable: left - tax };
  });
  return { discounts, taxes };
}

/** Adds up amounts that carry the same name, and what they are taxed on, in the order of first appearance. */
function addUp<T extends { amount: number; taxable_amount?: number | null }>(entries: T[], name: (entry: T) => string) {
  const sums = new Map<string, T>();
  for (const entry of entries) {
    const known = sums.get(name(entry));
    const amount = (known?.amount ?? 0) + entry.amount;
    const taxable_amount = (known?.taxable_amount ?? 0) + (entry.taxable_amount ?? 0);
    sums.set(name(entry), { ...entry, amount, ...('taxable_amount' in entry && { taxable_amount }) });
  }
  return [...sums.values()];
}

/** What lines of an invoice or of a credit note add up to. */
export function sumsOf(lines: Pick<Stripe.InvoiceLineItem, 'amount' | 'discount_amounts' | 'taxes'>[]) {
  const offs = lines.flatMap((line) => line.discount_amounts ?? []);
  const discounts = addUp(
    offs.map(({ amount, discount }) => ({ amount, discount: idOf(discount) })),
    ({ discount }) => discount,
  );
  const total_taxes = addUp(
    lines.flatMap((line) => line.taxes ?? []),
    ({ tax_rate_details: details }) => details?.tax_rate ?? '',
  );
  const subtotal = sum(lines);
  const total = subtotal - sum(discounts);
  return { discounts, sums: { subtotal, total, total_excluding_tax: total - sum(total_taxes), total_taxes } };
}

/** What becomes a line once its discounts and taxes are known. */
export type Entry = Fields<Stripe.InvoiceLineItem> & {
  amount: number;
  rates: Stripe.TaxRate[] | null;
  discountable: boolean;
};

/** Its own tax rates replace those of the invoice. */
export function lineOf(
  { id, default_tax_rates: others }: Pick<Stripe.Invoice, 'id' | 'default_tax_rates'>,
  { rates: own, discountable, ...entry }: Entry,
  reductions: Reduction[] = [],
): Stripe.InvoiceLineItem {
  const { discounts, taxes } = lineAmounts(entry.amount, own?.length ? own : others, discountable ? reductions : []);
  return newObject('line_item', 0, {
    discount_amounts: discounts,
    discountable,
    invoice: id,
    subtotal: entry.amount,
    taxes: taxes.map(({ rate, amount, taxable }) => ({
      amount,
      tax_behavior: 'inclusive',
      tax_rate_details: { tax_rate: rate },
      taxability_reason: 'not_available',
      taxable_amount: taxable,
      type: 'tax_rate_details',
    })),
    ...entry,
  });
}

/** What one item of a subscription costs for its period; nothing where it is `free`, in a trial. */
export function itemEntry(
  { id: subscription, metadata }: Stripe.Subscription,
  { id: subscription_item, price, quantity = 1, tax_rates: rates, ...item }: Stripe.SubscriptionItem,
  name: string,
  free: boolean,
): Entry {
  const unit = free ? 0 : (price.unit_amount ?? 0);
  const month = `${quantity} × ${name} (at $${(unit / 100).toFixed(2)} / month)`;
  return {
    amount: unit * quantity,
    rates,
    discountable: true,
    description: free ? `Free trial for ${quantity} × ${name}` : month,
    metadata,
    parent: {
      subscription_item_details: { proration_details: {}, subscription, subscription_item },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pricing: { price_details: { price: price.id, product: idOf(price.product) }, type: 'price_details' },
    quantity,
  };
}

/** An invoice item, or a proration of an older release, whose discounts are inside its amount already. */
export function pendingEntry(item: Stripe.InvoiceItem): Entry {
  const { id: invoice_item, amount, description, discountable, metadata, period, pricing, proration, quantity } = item;
  const { subscription = null } = item.parent?.subscription_details ?? {};
  return {
    amount,
    description,
    discountable,
    period,
    pricing,
    quantity,
    rates: item.tax_rates,
    metadata: metadata ?? {},
    parent: { invoice_item_details: { invoice_item, proration, subscription }, type: 'invoice_item_details' },
  };
}
