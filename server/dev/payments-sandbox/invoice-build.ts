import type Stripe from 'stripe';
import { addUp, lineAmounts } from './amounts.ts';
import { reductions } from './discounts.ts';
import { listOf } from './expand.ts';
import { lineOf, taxOf } from './invoice-lines.ts';
import { idOf, newId, type Objects } from './objects.ts';
import type { Store } from './store.ts';

type Invoice = Objects['invoice'];
type Subscription = Objects['subscription'];
export type Billed = {
  subscription: Subscription;
  discounts: Objects['discount'][];
  reason: Stripe.Invoice.BillingReason;
  /** what the invoice is for, which for a renewal is not the period of the invoice itself */
  period: { start: number; end: number };
  /** in a trial every line costs nothing */
  free?: boolean;
  /** seconds, or null when it is finalised at once */
  finalizesAt: number | null;
};

/** The draft of what a subscription owes for its items' current periods. Nothing is saved. */
export async function buildInvoice(store: Store, billed: Billed): Promise<Invoice> {
  const { subscription, free = false } = billed;
  const id = newId('invoice');
  const customer = await store.get('customer', idOf(subscription.customer));
  const rates = subscription.default_tax_rates ?? [];
  const items = subscription.items.data;
  const reduced = await reductions(store, billed.discounts);
  const amounts = lineAmounts(
    items.map((item) => ({
      amount: free ? 0 : (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
      rates: item.tax_rates?.length ? item.tax_rates : rates,
    })),
    reduced,
  );
  const products = await Promise.all(items.map((item) => store.get('product', idOf(item.price.product))));
  const lines = items.map((item, index) =>
    lineOf(id, item, products[index]!.name, amounts[index]!, subscription, free),
  );
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const discounts = addUp(
    amounts.flatMap((line) => line.discounts),
    ({ discount }) => discount,
  );
  const taxes = addUp(
    amounts.flatMap((line) => line.taxes),
    ({ rate }) => rate,
  );
  const subtotal = sum(lines.map((line) => line.subtotal));
  const taxOnTop = sum(taxes.filter((tax) => !tax.inclusive).map((tax) => tax.amount));
  const taxInside = sum(taxes.filter((tax) => tax.inclusive).map((tax) => tax.amount));
  const total = subtotal - sum(discounts.map(({ amount }) => amount)) + taxOnTop;
  const taxIds = await store.select('tax_id', { equal: { customer: customer.id } });
  return {
    id,
    object: 'invoice',
    account_country: 'AU',
    account_name: 'Adviserly sandbox',
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: billed.finalizesAt !== null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: billed.finalizesAt,
    billing_reason: billed.reason,
    collection_method: 'charge_automatically',
    created: store.at,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    customer_tax_ids: taxIds.map(({ type, value }) => ({ type, value })),
    default_payment_method: null,
    default_source: null,
    default_tax_rates: rates,
    description: null,
    discounts: reduced.map(({ discount }) => discount),
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listOf(lines, `/v1/invoices/${id}/lines`),
    livemode: false,
    metadata: {},
    next_payment_attempt: billed.finalizesAt,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: ['card'] },
    period_end: billed.period.end,
    period_start: billed.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal - taxInside,
    test_clock: null,
    total,
    total_discount_amounts: discounts,
    total_excluding_tax: total - taxInside - taxOnTop,
    total_pretax_credit_amounts: discounts.map(({ discount, amount }) => ({
      amount,
      discount,
      type: 'discount' as const,
    })),
    total_taxes: taxes.map(taxOf),
    webhooks_delivered_at: null,
  };
}
