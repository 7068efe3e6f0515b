import type Stripe from 'stripe';
import { newObject } from '../store/new-object.ts';
import { decimal, idOf, type Objects } from '../store/objects.ts';
import { lineAmounts, type Reduction } from './amounts.ts';

type Line = Stripe.InvoiceLineItem;
type Own = 'amount' | 'description' | 'metadata' | 'parent' | 'period' | 'pricing' | 'quantity' | 'quantity_decimal';
/** What becomes a line once its discounts and taxes are known. */
export type Entry = Pick<Line, Own | 'subscription'> & { rates: Stripe.TaxRate[] | null; discountable: boolean };

/** Its own tax rates replace those of the invoice. */
export function lineOf(
  { id, currency, default_tax_rates: others }: Pick<Objects['invoice'], 'id' | 'currency' | 'default_tax_rates'>,
  { rates: own, discountable, ...entry }: Entry,
  reductions: Reduction[] = [],
): Line {
  const rates = own?.length ? own : others;
  const { discounts, taxes } = lineAmounts(entry.amount, rates, discountable ? reductions : []);
  return newObject('line_item', 0, {
    currency,
    discount_amounts: discounts,
    discountable,
    invoice: id,
    pretax_credit_amounts: discounts.map((discount) => ({ ...discount, type: 'discount' as const })),
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

/** What one item of a subscription costs for its period; in a trial nothing. */
export function itemEntry(
  { id: subscription, metadata }: Objects['subscription'],
  { id: subscription_item, price, quantity = 1, tax_rates: rates, ...item }: Stripe.SubscriptionItem,
  name: string,
  free: boolean,
): Entry {
  const unit = free ? 0 : (price.unit_amount ?? 0);
  const month = `${quantity} × ${name} (at $${(unit / 100).toFixed(2)} / month)`;
  const details = { invoice_item: null, proration: false, proration_details: { credited_items: null } };
  return {
    amount: unit * quantity,
    rates,
    discountable: true,
    description: free ? `Free trial for ${quantity} × ${name}` : month,
    metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: { ...details, subscription, subscription_item },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: decimal(unit),
    },
    quantity,
    quantity_decimal: decimal(quantity),
    subscription,
  };
}

/** An invoice item, or a proration of an older release, whose discounts are inside its amount already. */
export function pendingEntry(item: Objects['invoiceitem']): Entry {
  const { id: invoice_item, amount, proration, description, period, pricing, quantity, quantity_decimal } = item;
  const { subscription = null } = item.parent?.subscription_details ?? {};
  const own = { amount, description, period, pricing, quantity, quantity_decimal, subscription };
  return {
    ...own,
    rates: item.tax_rates,
    discountable: item.discountable,
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: { invoice_item, proration, proration_details: null, subscription },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
  };
}
