import type Stripe from 'stripe';
import type { LineAmounts } from './amounts.ts';
import { decimal, idOf, newId, type Objects } from './objects.ts';

type Subscription = Objects['subscription'];

export const taxOf = ({ rate, amount, inclusive, taxable }: LineAmounts['taxes'][number]) => ({
  amount,
  tax_behavior: inclusive ? ('inclusive' as const) : ('exclusive' as const),
  tax_rate_details: { tax_rate: rate },
  taxability_reason: 'not_available' as const,
  taxable_amount: taxable,
  type: 'tax_rate_details' as const,
});

/** What one item of a subscription costs, as a line of an invoice. */
export function lineOf(
  id: string,
  item: Stripe.SubscriptionItem,
  name: string,
  amounts: LineAmounts,
  subscription: Subscription,
  free: boolean,
): Stripe.InvoiceLineItem {
  const { price } = item;
  const quantity = item.quantity ?? 1;
  const unit = free ? 0 : (price.unit_amount ?? 0);
  const each = `at $${(unit / 100).toFixed(2)} / ${price.recurring?.interval ?? 'month'}`;
  return {
    id: newId('line_item'),
    object: 'line_item',
    amount: amounts.amount,
    currency: subscription.currency,
    description: free ? `Free trial for ${quantity} × ${name}` : `${quantity} × ${name} (${each})`,
    discount_amounts: amounts.discounts,
    discountable: true,
    discounts: amounts.discounts.map(({ discount }) => discount),
    invoice: id,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pretax_credit_amounts: amounts.discounts.map(({ discount, amount }) => ({
      amount,
      discount,
      type: 'discount' as const,
    })),
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: decimal(unit),
    },
    quantity,
    quantity_decimal: decimal(quantity),
    subscription: subscription.id,
    subtotal: amounts.amount,
    taxes: amounts.taxes.map(taxOf),
  };
}

/** A proration as a line; its discounts are inside its amount already. */
export const prorationLine = (
  id: string,
  proration: Objects['invoiceitem'],
  amounts: LineAmounts,
  subscription: Subscription,
): Stripe.InvoiceLineItem => ({
  id: newId('line_item'),
  object: 'line_item',
  amount: amounts.amount,
  currency: subscription.currency,
  description: proration.description,
  discount_amounts: [],
  discountable: false,
  discounts: [],
  invoice: id,
  livemode: false,
  metadata: proration.metadata ?? {},
  parent: {
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: proration.id,
      proration: true,
      proration_details: { credited_items: null },
      subscription: subscription.id,
      subscription_item: proration.parent?.subscription_details?.subscription_item ?? '',
    },
    type: 'subscription_item_details',
  },
  period: proration.period,
  pretax_credit_amounts: [],
  pricing: proration.pricing,
  quantity: proration.quantity,
  quantity_decimal: proration.quantity_decimal,
  subscription: subscription.id,
  subtotal: amounts.amount,
  taxes: amounts.taxes.map(taxOf),
});
