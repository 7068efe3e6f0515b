import type Stripe from 'stripe';
import { addUp, lineAmounts } from './amounts.ts';
import { afterBalance } from './balance.ts';
import { reductions } from './discounts.ts';
import { listOf } from './expand.ts';
import { lineOf, prorationLine, taxOf } from './invoice-lines.ts';
import { idOf, newId, type Objects } from './objects.ts';
import type { Store } from './store.ts';

type Invoice = Objects['invoice'];
type Subscription = Objects['subscription'];
/** What an invoice is made for. */
export type Billing = {
  subscription: Subscription;
  discounts: Objects['discount'][];
  reason: Stripe.Invoice.BillingReason;
  /** what the invoice is for, which for a renewal is not the period of the invoice itself */
  period: { start: number; end: number };
  /** items whose period is charged, all unless told; none when the invoice is for a change in the middle */
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
  const ratesOf = (own: Stripe.TaxRate[] | null | undefined) => (own?.length ? own : rates);
  const reduced = items.length ? await reductions(store, billing.discounts, billing.pricedAt) : [];
  const amounts = lineAmounts(
    [
      ...prorations.map((item) => ({ amount: item.amount, rates: ratesOf(item.tax_rates), discountable: false })),
      ...items.map((item) => ({
        amount: free ? 0 : (item.price.unit_amount ?? 0) * (item.quantity ?? 1),
        rates: ratesOf(item.tax_rates),
      })),
    ],
    reduced,
  );
  const products = await Promise.all(items.map((item) => store.get('product', idOf(item.price.product))));
  const lines = [
    ...prorations.map((item, index) => prorationLine(id, item, amounts[index]!, subscription)),
    ...items.map((item, index) =>
      lineOf(id, item, products[index]!.name, amounts[prorations.length + index]!, subscription, free),
    ),
  ];
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
  const { due } = afterBalance(total, customer.balance);
  const taxIds = await store.select('tax_id', { equal: { customer: customer.id } });
  return {
    id,
    object: 'invoice',
    account_country: 'AU',
    account_name: 'Adviserly sandbox',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: billing.finalizesAt !== null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: billing.finalizesAt,
    billing_reason: billing.reason,
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
    next_payment_attempt: billing.finalizesAt,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: ['card'] },
    period_end: billing.period.end,
    period_start: billing.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
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
