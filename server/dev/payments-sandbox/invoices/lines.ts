import type Stripe from 'stripe';
import { newObject } from '../store/new-object.ts';
import { decimal, idOf, type Objects } from '../store/objects.ts';
import type { LineAmounts } from './amounts.ts';

type Line = Stripe.InvoiceLineItem;
type TaxRates = Stripe.TaxRate[];
type Own = 'description' | 'metadata' | 'parent' | 'period' | 'pricing' | 'quantity' | 'quantity_decimal';
/** What becomes a line once its discounts and taxes are known. */
export type Entry = {
  amount: number;
  rates: TaxRates;
  discountable: boolean;
  own: Pick<Line, Own | 'subscription'>;
};

export const taxOf = ({ rate, amount, taxable }: LineAmounts['taxes'][number]) => ({
  amount,
  tax_behavior: 'inclusive' as const,
  tax_rate_details: { tax_rate: rate },
  taxability_reason: 'not_available' as const,
  taxable_amount: taxable,
  type: 'tax_rate_details' as const,
});

/** Its own tax rates replace those of the invoice. */
const ratesOf = (own: TaxRates | null, invoice: TaxRates) => (own?.length ? own : invoice);

export const lineOf = (
  { id, currency }: { id: string; currency: string },
  { amount, discountable, own }: Entry,
  { discounts, taxes }: LineAmounts,
): Line =>
  newObject('line_item', 0, {
    amount,
    currency,
    discount_amounts: discounts,
    discountable,
    // those of the subscription are in the amounts only
    discounts: [],
    invoice: id,
    pretax_credit_amounts: discounts.map((discount) => ({ ...discount, type: 'discount' as const })),
    subtotal: amount,
    taxes: taxes.map(taxOf),
    ...own,
  });

/** What one item of a subscription costs. */
export function itemEntry(
  subscription: Objects['subscription'],
  item: Stripe.SubscriptionItem,
  name: string,
  free: boolean,
): Entry {
  const { price, quantity = 1 } = item;
  const unit = free ? 0 : (price.unit_amount ?? 0);
  const each = `at $${(unit / 100).toFixed(2)} / month`;
  return {
    amount: unit * quantity,
    rates: ratesOf(item.tax_rates, subscription.default_tax_rates ?? []),
    discountable: true,
    own: {
      description: free ? `Free trial for ${quantity} × ${name}` : `${quantity} × ${name} (${each})`,
      metadata: subscription.metadata,
      parent: {
        invoice_item_details: null,
        subscription_item_details: {
          invoice_item: null,
          proration: false,
          proration_details: { credited_items: null },
          subscription: subscription.id,
          subscription_item: item.id,
        },
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
      subscription: subscription.id,
    },
  };
}

/** An invoice item, or a proration, whose discounts are inside its amount already. */
export function pendingEntry(item: Objects['invoiceitem'], invoiceRates: TaxRates): Entry {
  const { subscription = null, subscription_item = '' } = item.parent?.subscription_details ?? {};
  const details = { invoice_item: item.id, proration: item.proration, subscription };
  const credited = item.proration_details?.credited_items?.invoice_line_item_details ?? null;
  const proration_details = { credited_items: credited };
  return {
    amount: item.amount,
    rates: ratesOf(item.tax_rates, invoiceRates),
    discountable: item.discountable,
    own: {
      description: item.description,
      metadata: item.metadata ?? {},
      parent: item.proration
        ? {
            invoice_item_details: null,
            subscription_item_details: { ...details, proration_details, subscription_item },
            type: 'subscription_item_details',
          }
        : {
            invoice_item_details: { ...details, proration_details: null },
            subscription_item_details: null,
            type: 'invoice_item_details',
          },
      period: item.period,
      pricing: item.pricing,
      quantity: item.quantity,
      quantity_decimal: item.quantity_decimal,
      subscription,
    },
  };
}
