import type Stripe from 'stripe';
import { afterBalance } from '../customers/balance.ts';
import { embeddedList } from '../http/lists.ts';
import { newObject } from '../store/new-object.ts';
import { idOf, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { addUp, sum } from './amounts.ts';

type Invoice = Objects['invoice'];
type Line = Stripe.InvoiceLineItem;

/** What lines of an invoice or of a credit note add up to. */
export function sumsOf(lines: Pick<Line, 'amount' | 'discount_amounts' | 'taxes'>[]) {
  const discounts = addUp(
    lines.flatMap((line) => (line.discount_amounts ?? []).map((off) => ({ ...off, discount: idOf(off.discount) }))),
    ({ discount }) => discount,
  );
  const taxes = addUp(
    lines.flatMap((line) => line.taxes ?? []),
    ({ tax_rate_details: details }) => details?.tax_rate ?? '',
  );
  const subtotal = sum(lines.map(({ amount }) => amount));
  const tax = sum(taxes.map(({ amount }) => amount));
  const total = subtotal - sum(discounts.map(({ amount }) => amount));
  return {
    discounts,
    sums: {
      subtotal,
      subtotal_excluding_tax: subtotal - tax,
      total,
      total_excluding_tax: total - tax,
      total_taxes: taxes,
    },
  };
}

/** What an invoice's lines add up to, and what it asks for beside this balance of its customer. */
function totalsOf(lines: Line[], balance: number) {
  const { discounts, sums } = sumsOf(lines);
  const { due } = afterBalance(sums.total, balance);
  return {
    ...sums,
    amount_due: due,
    amount_remaining: due,
    starting_balance: balance,
    total_discount_amounts: discounts,
    total_pretax_credit_amounts: discounts.map((discount) => ({ ...discount, type: 'discount' as const })),
  };
}

/** A draft with other lines. */
export async function saveLines(store: Store, draft: Invoice, data: Line[]): Promise<Invoice> {
  const { balance } = await store.get('customer', idOf(draft.customer ?? ''));
  const lines = embeddedList(data, draft.lines.url);
  return store.save({ ...draft, lines, ...totalsOf(data, balance) }, 'invoice.updated');
}

type Own = Pick<Invoice, 'id' | 'billing_reason' | 'currency' | 'parent'> &
  Partial<Pick<Invoice, 'default_tax_rates' | 'discounts' | 'metadata' | 'period_end' | 'period_start'>>;

/** A draft with these lines. Nothing is saved. */
export async function newInvoice(
  store: Store,
  customerId: string,
  { metadata, ...own }: Own,
  lines: Line[],
  finalizesAt: number | null,
): Promise<Invoice> {
  const customer = await store.get('customer', customerId, 'customer');
  const taxIds = await store.select('tax_id', { equal: { customer: customer.id } });
  return newObject('invoice', store.at, {
    account_country: 'AU',
    account_name: 'Adviserly sandbox',
    auto_advance: finalizesAt !== null || own.billing_reason === 'subscription_create',
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
    lines: embeddedList(lines, `/v1/invoices/${own.id}/lines`),
    metadata: metadata ?? {},
    next_payment_attempt: finalizesAt,
    payment_settings: { payment_method_types: ['card'] },
    period_end: store.at,
    period_start: store.at,
    status: 'draft',
    ...totalsOf(lines, customer.balance),
    ...own,
  });
}
