import type Stripe from 'stripe';
import { afterBalance } from '../customers/balance.ts';
import { listOf } from '../http/lists.ts';
import { newObject } from '../store/new-object.ts';
import { idOf, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { reductions } from '../subscriptions/discounts.ts';
import { addUp, lineAmounts, sum } from './amounts.ts';
import { itemLine, prorationLine, taxOf } from './lines.ts';

type Invoice = Objects['invoice'];
type Subscription = Objects['subscription'];
/** What an invoice is made for. */
export type Billing = {
  subscription: Subscription;
  discounts: Objects['discount'][];
  reason: Stripe.Invoice.BillingReason;
  /** what the invoice is for, which for a renewal is not the period of the invoice itself */
  period: { start: number; end: number };
  /** items whose period is charged, all unless told; none when the invoice is for a change within the period */
  items?: Stripe.SubscriptionItem[];
  prorations?: Objects['invoiceitem'][];
  /** seconds at which discounts must still run, now unless told */
  pricedAt?: number;
  /** in a trial every line costs nothing */
  free?: boolean;
  /** seconds, or null when it is finalised at once */
  finalizesAt: number | null;
};

/** The draft of what a subscription owes for its items' current periods. Nothing is saved. */
export async function buildInvoice(store: Store, billing: Billing): Promise<Invoice> {
  const { subscription, free = false, prorations = [], items = subscription.items.data } = billing;
  const id = newId('invoice');
  const customer = await store.get('customer', idOf(subscription.customer));
  const rates = subscription.default_tax_rates ?? [];
  const reduced = items.length ? await reductions(store, billing.discounts, billing.pricedAt) : [];
  const amounts = lineAmounts(
    [
      ...prorations.map(({ amount }) => ({ amount, rates, discountable: false })),
      ...items.map((item) => ({ amount: free ? 0 : (item.price.unit_amount ?? 0) * (item.quantity ?? 1), rates })),
    ],
    reduced,
  );
  const products = await Promise.all(items.map((item) => store.get('product', idOf(item.price.product))));
  const lines = [
    ...prorations.map((item, index) => prorationLine({ id, subscription }, item, amounts[index]!)),
    ...items.map((item, index) =>
      itemLine({ id, subscription, free }, item, products[index]!.name, amounts[prorations.length + index]!),
    ),
  ];
  const discounts = addUp(
    amounts.flatMap((line) => line.discounts),
    ({ discount }) => discount,
  );
  const taxes = addUp(
    amounts.flatMap((line) => line.taxes),
    ({ rate }) => rate,
  );
  const subtotal = sum(lines.map((line) => line.subtotal));
  const tax = sum(taxes.map(({ amount }) => amount));
  const total = subtotal - sum(discounts.map(({ amount }) => amount));
  const { due } = afterBalance(total, customer.balance);
  const taxIds = await store.select('tax_id', { equal: { customer: customer.id } });
  return newObject('invoice', store.at, {
    id,
    account_country: 'AU',
    account_name: 'Adviserly sandbox',
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: billing.finalizesAt !== null,
    automatic_tax: { enabled: false },
    automatically_finalizes_at: billing.finalizesAt,
    billing_reason: billing.reason,
    collection_method: 'charge_automatically',
    currency: subscription.currency,
    customer: customer.id,
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    customer_tax_ids: taxIds.map(({ type, value }) => ({ type, value })),
    default_tax_rates: rates,
    discounts: reduced.map(({ discount }) => discount),
    issuer: { type: 'self' },
    lines: listOf(lines, `/v1/invoices/${id}/lines`),
    next_payment_attempt: billing.finalizesAt,
    parent: {
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { payment_method_types: ['card'] },
    period_end: billing.period.end,
    period_start: billing.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: customer.balance,
    status: 'draft',
    status_transitions: {},
    subtotal,
    subtotal_excluding_tax: subtotal - tax,
    total,
    total_discount_amounts: discounts,
    total_excluding_tax: total - tax,
    total_pretax_credit_amounts: discounts.map(({ discount, amount }) => ({
      amount,
      discount,
      type: 'discount' as const,
    })),
    total_taxes: taxes.map(taxOf),
  });
}
