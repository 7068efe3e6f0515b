import type Stripe from 'stripe';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { type Fields, newObject } from '../schema/schema.ts';
import { idOf, listOf, newId } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { currentPeriod, itemsFor, periodEnd } from '../subscriptions/periods.ts';

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

type Subscription = Stripe.Subscription;
type Invoice = Stripe.Invoice;

/** No card can be charged less, in cents. */
const SMALLEST_CHARGE = 50;

/**
 * What an invoice of this total asks for after the balance, and what is left of the balance then. Less than can be charged
 * is owed until the next invoice.
 */
export function afterBalance(total: number, balance: number): { due: number; balance: number } {
  const due = total + balance < SMALLEST_CHARGE ? 0 : total + balance;
  return { due, balance: total + balance - due };
}

/** What an invoice's lines add up to, and what it asks for beside this balance of its customer. */
function totalsOf(lines: Stripe.InvoiceLineItem[], balance: number) {
  const { discounts: total_discount_amounts, sums } = sumsOf(lines);
  const { due } = afterBalance(sums.total, balance);
  return { ...sums, amount_due: due, amount_remaining: due, starting_balance: balance, total_discount_amounts };
}

/** A draft with other lines. */
export async function saveLines(store: Store, draft: Invoice, data: Stripe.InvoiceLineItem[]): Promise<Invoice> {
  const { balance } = await store.get('customer', idOf(draft.customer ?? ''));
  const lines = listOf(data, draft.lines.url);
  return store.save({ ...draft, lines, ...totalsOf(data, balance) }, 'invoice.updated');
}

/** A draft with these lines. Nothing is saved. */
export async function newInvoice(
  store: Store,
  customerId: string,
  { id = newId('invoice'), ...own }: Partial<Fields<Invoice>>,
  lines: Stripe.InvoiceLineItem[],
  finalizesAt: number | null,
): Promise<Invoice> {
  const { id: customer, balance } = await store.get('customer', customerId, 'customer');
  return newObject('invoice', store.at, {
    id,
    auto_advance: finalizesAt !== null || own.billing_reason === 'subscription_create',
    automatically_finalizes_at: finalizesAt,
    customer,
    lines: listOf(lines, `/v1/invoices/${id}/lines`),
    next_payment_attempt: finalizesAt,
    status: 'draft',
    ...totalsOf(lines, balance),
    ...own,
  });
}

/** An older release's discounts that run at this time (seconds); `once` for those that one invoice uses up. Nothing gives a discount any more. */
async function discountsAt(store: Store, { discounts }: Subscription, at: number) {
  const found = [];
  for (const one of discounts) {
    const { id, end, source } = await store.get('discount', idOf(one));
    const { percent_off, duration } = await store.get('coupon', idOf(source.coupon ?? ''));
    if (end === null || end > at) found.push({ discount: id, percentOff: percent_off ?? 0, once: duration === 'once' });
  }
  return found;
}

/** Newest first, what the subscription's next invoice takes up: its own items, and those that name no subscription. */
export async function waitingItems(store: Store, { id, customer }: Subscription) {
  const waiting = await store.select('invoiceitem', { equal: { customer: idOf(customer), invoice: null } });
  return waiting.filter((item) => [id, null].includes(item.parent?.subscription_details?.subscription ?? null));
}

type Billing = {
  reason: Stripe.Invoice.BillingReason;
  /** items whose period is charged, all unless told; none after a scheduled end */
  items?: Stripe.SubscriptionItem[];
  /** seconds, or null when it is finalised at once */
  finalizesAt: number | null;
};

/** The draft of what a subscription owes for its items' periods, newest item first, after all that waits. Nothing is saved. */
async function buildInvoice(store: Store, subscription: Subscription, billing: Billing, at = store.at) {
  const { reason, items = subscription.items.data, finalizesAt } = billing;
  const { metadata, default_tax_rates, status } = subscription;
  const isTrial = reason === 'subscription_create' && status === 'trialing';
  const id = `${reason === 'upcoming' ? 'upcoming_' : ''}${newId('invoice')}`;
  const own = { id, default_tax_rates: default_tax_rates ?? [] };
  const reductions = items.length ? await discountsAt(store, subscription, at) : [];
  const waiting = await waitingItems(store, subscription);
  const entries = waiting.map(pendingEntry);
  for (const item of items.toReversed()) {
    const { name } = await store.get('product', idOf(item.price.product));
    entries.push(itemEntry(subscription, item, name, isTrial));
  }
  const details = {
    ...own,
    billing_reason: reason,
    discounts: reductions.map(({ discount }) => discount),
    parent: {
      subscription_details: { metadata, subscription: subscription.id },
      type: 'subscription_details' as const,
    },
  };
  const lines = entries.map((entry) => lineOf(own, entry, reductions));
  return { invoice: await newInvoice(store, idOf(subscription.customer), details, lines, finalizesAt), waiting };
}

/** Drafts the invoice for the subscription's current periods (or for `items` alone) with all that waits, and makes it the latest. */
export async function draftInvoice(store: Store, subscription: Subscription, billing: Billing): Promise<Invoice> {
  const { invoice, waiting } = await buildInvoice(store, subscription, billing);
  await store.save(invoice);
  for (const item of waiting) await store.save({ ...item, invoice: invoice.id });
  await store.emit('invoice.created', invoice);
  const lasting = (await discountsAt(store, subscription, store.at)).filter(({ once }) => !once);
  const discounts = billing.items?.length === 0 ? subscription.discounts : lasting.map(({ discount }) => discount);
  await store.save({ ...subscription, latest_invoice: invoice.id, discounts });
  return invoice;
}

/** What the next period of a running subscription will cost as things stand, with what waits for it. Nothing is saved. */
export const createPreview = handle<Stripe.InvoiceCreatePreviewParams>(
  ['subscription'],
  async (store, { subscription: id }) => {
    if (!id) throw unsupported('previews without a subscription', 'subscription');
    const subscription = await store.get('subscription', id, 'subscription');
    const { status, cancel_at: ends, billing_cycle_anchor: anchor, customer } = subscription;
    const { end: start } = currentPeriod(subscription);
    const goesOn = ends === null || ends > start;
    const items = goesOn ? itemsFor(subscription.items.data, { start, end: periodEnd(anchor, start) }) : [];
    const billing = { items, reason: 'upcoming' as const, finalizesAt: null };
    const { invoice } = await buildInvoice(store, subscription, billing, start);
    if (['active', 'past_due', 'trialing'].includes(status) && invoice.lines.data.length) return invoice;
    const none = { status: 404, code: 'invoice_upcoming_none' };
    throw new SandboxError(`No upcoming invoices for customer: ${idOf(customer)}`, none);
  },
);
