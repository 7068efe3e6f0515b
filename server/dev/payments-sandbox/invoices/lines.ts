import type Stripe from 'stripe';
import { newObject } from '../store/new-object.ts';
import { decimal, idOf, type Objects } from '../store/objects.ts';
import type { LineAmounts } from './amounts.ts';

type Line = Stripe.InvoiceLineItem;
type About = { id: string; subscription: Objects['subscription'] };
type Own = Pick<Line, 'description' | 'metadata' | 'period' | 'pricing' | 'quantity' | 'quantity_decimal'> & {
  item: string;
  /** the invoice item of a proration */
  proration?: string;
};

export const taxOf = ({ rate, amount, taxable }: LineAmounts['taxes'][number]) => ({
  amount,
  tax_behavior: 'inclusive' as const,
  tax_rate_details: { tax_rate: rate },
  taxability_reason: 'not_available' as const,
  taxable_amount: taxable,
  type: 'tax_rate_details' as const,
});

const lineOf = ({ id, subscription }: About, { amount, discounts, taxes }: LineAmounts, own: Own): Line => {
  const { item, proration = null, ...rest } = own;
  return newObject('line_item', 0, {
    amount,
    currency: subscription.currency,
    discount_amounts: discounts,
    discountable: proration === null,
    discounts: discounts.map(({ discount }) => discount),
    invoice: id,
    parent: {
      subscription_item_details: {
        invoice_item: proration,
        proration: proration !== null,
        proration_details: proration === null ? null : {},
        subscription: subscription.id,
        subscription_item: item,
      },
      type: 'subscription_item_details',
    },
    pretax_credit_amounts: discounts.map((discount) => ({ ...discount, type: 'discount' as const })),
    subscription: subscription.id,
    subtotal: amount,
    taxes: taxes.map(taxOf),
    ...rest,
  });
};

/** What one item of a subscription costs, as a line of an invoice. */
export function itemLine(
  about: About & { free: boolean },
  item: Stripe.SubscriptionItem,
  name: string,
  amounts: LineAmounts,
): Line {
  const { price, quantity = 1 } = item;
  const unit = about.free ? 0 : (price.unit_amount ?? 0);
  const each = `at $${(unit / 100).toFixed(2)} / month`;
  return lineOf(about, amounts, {
    description: about.free ? `Free trial for ${quantity} × ${name}` : `${quantity} × ${name} (${each})`,
    item: item.id,
    metadata: about.subscription.metadata,
    period: { start: item.current_period_start, end: item.current_period_end },
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: decimal(unit),
    },
    quantity,
    quantity_decimal: decimal(quantity),
  });
}

/** A proration as a line; its discounts are inside its amount already. */
export const prorationLine = (about: About, proration: Objects['invoiceitem'], amounts: LineAmounts): Line =>
  lineOf(about, amounts, {
    description: proration.description,
    item: proration.parent?.subscription_details?.subscription_item ?? '',
    metadata: proration.metadata ?? {},
    period: proration.period,
    pricing: proration.pricing,
    proration: proration.id,
    quantity: proration.quantity,
    quantity_decimal: proration.quantity_decimal,
  });
