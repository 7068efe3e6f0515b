import type Stripe from 'stripe';
import { afterBalance } from '../customers/balance.ts';
import { embeddedList } from '../http/lists.ts';
import { newObject } from '../store/new-object.ts';
import { idOf, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { reductions } from '../subscriptions/discounts.ts';
import { addUp, lineAmounts, sum } from './amounts.ts';
import { itemEntry, lineOf, pendingEntry } from './lines.ts';

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
  /** newest first */
  pending?: Objects['invoiceitem'][];
  /** seconds at which discounts must still run, now unless told */
  pricedAt?: number;
  /** in a trial every line costs nothing */
  free?: boolean;
  /** seconds, or null when it is finalised at once */
  finalizesAt: number | null;
};

/** What an invoice's lines add up to, and what it asks for beside this balance of its customer. */
export function totalsOf(lines: Stripe.InvoiceLineItem[], balance: number) {
  const discounts = addUp(
    lines.flatMap((line) =>
      (line.discount_amounts ?? []).map(({ discount, amount }) => ({ discount: idOf(discount), amount })),
    ),
    ({ discount }) => discount,
  );
  const taxes = addUp(
    lines.flatMap((line) => line.taxes ?? []),
    ({ tax_rate_details: details }) => details?.tax_rate ?? '',
  );
  const subtotal = sum(lines.map((line) => line.subtotal));
  const tax = sum(taxes.map(({ amount }) => amount));
  const total = subtotal - sum(discounts.map(({ amount }) => amount));
  const { due } = afterBalance(total, balance);
  return {
    amount_due: due,
    amount_remaining: due,
    starting_balance: balance,
    subtotal,
    subtotal_excluding_tax: subtotal - tax,
    total,
    total_discount_amounts: discounts,
    total_excluding_tax: total - tax,
    total_pretax_credit_amounts: discounts.map((discount) => ({ ...discount, type: 'discount' as const })),
    total_taxes: taxes,
  };
}

type Own = Pick<Invoice, 'billing_reason' | 'currency' | 'default_tax_rates' | 'period_end' | 'period_start'> &
  Partial<Pick<Invoice, 'description' | 'discounts' | 'metadata' | 'parent'>> & {
    lines: Stripe.InvoiceLineItem[];
    finalizesAt: number | null;
  };

/** A draft with these lines. Nothing is saved. */
export async function newInvoice(
  store: Store,
  id: string,
  customerId: string,
  { lines, finalizesAt, ...own }: Own,
): Promise<Invoice> {
  const customer = await store.get('customer', customerId, 'customer');
  const taxIds = await store.select('tax_id', { equal: { customer: customer.id } });
  return newObject('invoice', store.at, {
    id,
    account_country: 'AU',
    account_name: 'Adviserly sandbox',
    amount_overpaid: 0,
    amount_paid: 0,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: finalizesAt !== null || own.billing_reason === 'subscription_create',
    automatic_tax: { enabled: false },
    automatically_finalizes_at: finalizesAt,
    collection_method: 'charge_automatically',
    customer: customer.id,
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    customer_tax_ids: taxIds.map(({ type, value }) => ({ type, value })),
    issuer: { type: 'self' },
    lines: embeddedList(lines, `/v1/invoices/${id}/lines`),
    next_payment_attempt: finalizesAt,
    payment_settings: { payment_method_types: ['card'] },
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    status: 'draft',
    status_transitions: {},
    ...totalsOf(lines, customer.balance),
    discounts: [],
    ...own,
    metadata: own.metadata ?? {},
  });
}

/** The draft of what a subscription owes for its items' current periods, newest item first. Nothing is saved. */
export async function buildInvoice(store: Store, billing: Billing): Promise<Invoice> {
  const { subscription, free = false, pending = [], items = subscription.items.data, reason } = billing;
  const id = reason === 'upcoming' ? `upcoming_${newId('invoice')}` : newId('invoice');
  const rates = subscription.default_tax_rates ?? [];
  const reduced = items.length ? await reductions(store, billing.discounts, billing.pricedAt) : [];
  const entries = pending.map((item) => pendingEntry(item, rates));
  for (const item of items.toReversed()) {
    const { name } = await store.get('product', idOf(item.price.product));
    entries.push(itemEntry(subscription, item, name, free));
  }
  const amounts = lineAmounts(entries, reduced);
  const { currency } = subscription;
  return newInvoice(store, id, idOf(subscription.customer), {
    billing_reason: reason,
    currency,
    default_tax_rates: rates,
    discounts: reduced.map(({ discount }) => discount),
    finalizesAt: billing.finalizesAt,
    lines: entries.map((entry, index) => lineOf({ id, currency }, entry, amounts[index]!)),
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: billing.period.end,
    period_start: billing.period.start,
  });
}
