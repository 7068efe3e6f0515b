import type Stripe from 'stripe';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { idOf, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { currentPeriod, itemsFor, periodEnd, type Period } from '../subscriptions/periods.ts';
import type { Reduction } from './amounts.ts';
import { newInvoice } from './build.ts';
import { itemEntry, lineOf, pendingEntry } from './lines.ts';

type Subscription = Objects['subscription'];
type Billing = {
  subscription: Subscription;
  reason: Stripe.Invoice.BillingReason;
  /** what the invoice is for, which for a renewal is not the period of the invoice itself */
  period: Period;
  /** items whose period is charged, all unless told; none after a scheduled end */
  items?: Stripe.SubscriptionItem[];
  /** in a trial every line costs nothing */
  free?: boolean;
  /** seconds, or null when it is finalised at once */
  finalizesAt: number | null;
};

type Discount = Reduction & { end: number | null; once: boolean };

/** What an older release's subscription has taken off. Nothing gives a discount any more. */
const discountsOf = (store: Store, { discounts }: Subscription): Promise<Discount[]> =>
  Promise.all(
    discounts.map(async (one) => {
      const { id, end, source } = await store.get('discount', idOf(one));
      const { percent_off, duration } = await store.get('coupon', idOf(source.coupon ?? ''));
      return { discount: id, percentOff: percent_off ?? 0, end, once: duration === 'once' };
    }),
  );

const runs = ({ end }: Discount, at: number) => end === null || end > at;

/** Those that run at this time (seconds). */
const reductions = async (store: Store, subscription: Subscription, at: number) =>
  (await discountsOf(store, subscription)).filter((one) => runs(one, at));

/** The ids of those that go on after an invoice: a once-only one is used up by it. */
const lasting = async (store: Store, subscription: Subscription) =>
  (await discountsOf(store, subscription))
    .filter((one) => !one.once && runs(one, store.at))
    .map(({ discount }) => discount);

/** Newest first, what the subscription's next invoice takes up: its own items, and those that name no subscription. */
export async function waitingItems(store: Store, { id, customer }: Subscription) {
  const waiting = await store.select('invoiceitem', { equal: { customer: idOf(customer), invoice: null } });
  return waiting.filter((item) => [id, null].includes(item.parent?.subscription_details?.subscription ?? null));
}

/** The draft of what a subscription owes for its items' periods, newest item first, after all that waits. Nothing is saved. */
async function buildInvoice(store: Store, billing: Billing, waiting: Objects['invoiceitem'][], at = store.at) {
  const { subscription, free = false, items = subscription.items.data, reason, period } = billing;
  const { currency, metadata } = subscription;
  const id = `${reason === 'upcoming' ? 'upcoming_' : ''}${newId('invoice')}`;
  const own = { id, currency, default_tax_rates: subscription.default_tax_rates ?? [] };
  const reduced = items.length ? await reductions(store, subscription, at) : [];
  const entries = waiting.map(pendingEntry);
  for (const item of items.toReversed()) {
    const { name } = await store.get('product', idOf(item.price.product));
    entries.push(itemEntry(subscription, item, name, free));
  }
  const details = {
    ...own,
    billing_reason: reason,
    discounts: reduced.map(({ discount }) => discount),
    parent: {
      quote_details: null,
      subscription_details: { metadata, subscription: subscription.id },
      type: 'subscription_details' as const,
    },
    period_end: period.end,
    period_start: period.start,
  };
  const lines = entries.map((entry) => lineOf(own, entry, reduced));
  return newInvoice(store, idOf(subscription.customer), details, lines, billing.finalizesAt);
}

/** Drafts the invoice for the subscription's current periods (or for `items` alone) with all that waits, and makes it the latest. */
export async function draftInvoice(store: Store, billing: Billing): Promise<Objects['invoice']> {
  const { subscription, items } = billing;
  const waiting = await waitingItems(store, subscription);
  const invoice = await buildInvoice(store, billing, waiting);
  await store.save(invoice);
  for (const item of waiting) await store.save({ ...item, invoice: invoice.id });
  await store.emit('invoice.created', invoice);
  const discounts = items?.length === 0 ? subscription.discounts : await lasting(store, subscription);
  await store.save({ ...subscription, latest_invoice: invoice.id, discounts });
  return invoice;
}

/** What the next period of a running subscription will cost as things stand, with what waits for it. Nothing is saved. */
export const createPreview = handle<Stripe.InvoiceCreatePreviewParams>(
  ['subscription'],
  async (store, { subscription: id }) => {
    if (!id) throw unsupported('previews without a subscription', 'subscription');
    const subscription = await store.get('subscription', id, 'subscription');
    const { status, cancel_at: ends, billing_cycle_anchor: anchor, items } = subscription;
    const period = currentPeriod(subscription);
    const next = { start: period.end, end: periodEnd(anchor, period.end) };
    const goesOn = ends === null || ends > period.end;
    const charged = goesOn ? itemsFor(items.data, next) : [];
    const billing = { subscription, items: charged, reason: 'upcoming' as const, period, finalizesAt: null };
    const runs = ['active', 'past_due', 'trialing'].includes(status);
    const preview = runs && (await buildInvoice(store, billing, await waitingItems(store, subscription), period.end));
    if (preview && preview.lines.data.length) return preview;
    throw new SandboxError(`No upcoming invoices for customer: ${idOf(subscription.customer)}`, {
      status: 404,
      code: 'invoice_upcoming_none',
    });
  },
);
