import type { Billed, Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { couponOf, discountsOf } from '../subscriptions/discounts.ts';
import { sum } from './amounts.ts';
import { buildInvoice, type Billing } from './build.ts';
import { waitingItems } from './pending.ts';

type Invoice = Objects['invoice'];
type Subscription = Objects['subscription'];

/** A once-only coupon is used up by the first invoice, a repeating one ends with its months. */
async function retireDiscounts(store: Store, subscription: Subscription): Promise<string[]> {
  const staying: string[] = [];
  for (const discount of await discountsOf(store, subscription)) {
    const once = (await couponOf(store, discount)).duration === 'once';
    if (once || (discount.end !== null && discount.end <= store.at))
      await store.emit('customer.discount.deleted', discount);
    else staying.push(discount.id);
  }
  return staying;
}

/** What an invoice charges for each item after discounts; prorations were counted when they were made. */
function billedBy(invoice: Invoice): Billed {
  const charges = invoice.lines.data.filter((line) => line.parent?.subscription_item_details?.proration === false);
  return Object.fromEntries(
    charges.map((line) => {
      const off = sum((line.discount_amounts ?? []).map(({ amount }) => amount));
      const charged = {
        invoice_line_item_details: { invoice: invoice.id, invoice_line_items: [line.id] },
        type: 'invoice_line_items' as const,
      };
      const billed = { cents: line.amount - off, from: line.period.start, to: line.period.end, charged };
      return [line.parent?.subscription_item_details?.subscription_item ?? '', billed];
    }),
  );
}

/**
 * Drafts the invoice for the subscription's current periods (or for `items` alone) with all that waits for
 * one, and makes it the latest.
 */
export async function draftInvoice(store: Store, billing: Omit<Billing, 'discounts' | 'pending'>): Promise<Invoice> {
  const { subscription } = billing;
  const pending = await waitingItems(store, subscription);
  const discounts = await discountsOf(store, subscription);
  const invoice = await buildInvoice(store, { ...billing, discounts, pending });
  await store.save(invoice);
  for (const item of pending) await store.save({ ...item, invoice: invoice.id });
  await store.emit('invoice.created', invoice);
  const forPeriods = billing.items?.length !== 0;
  const saved = await store.save({
    ...subscription,
    latest_invoice: invoice.id,
    ...(forPeriods ? { discounts: await retireDiscounts(store, subscription) } : {}),
  });
  if (forPeriods) await store.hide(saved, { billed: billedBy(invoice) });
  return invoice;
}

/** Prices a draft again with other discounts. Its subscription's don't reach it by themselves. */
export async function repriceDraft(
  store: Store,
  draft: Invoice,
  subscription: Subscription,
  discounts: Objects['discount'][],
): Promise<Invoice> {
  const pending = await store.select('invoiceitem', { equal: { invoice: draft.id } });
  const fresh = await buildInvoice(store, {
    subscription,
    discounts,
    pending,
    reason: draft.billing_reason ?? 'subscription_cycle',
    period: { start: draft.period_start, end: draft.period_end },
    finalizesAt: draft.automatically_finalizes_at,
  });
  const lines = {
    ...fresh.lines,
    data: fresh.lines.data.map((line) => ({ ...line, invoice: draft.id })),
    url: draft.lines.url,
  };
  const repriced: Invoice = { ...fresh, id: draft.id, created: draft.created, metadata: draft.metadata, lines };
  await store.save(repriced, 'invoice.updated');
  await store.hide(subscription, { billed: billedBy(repriced) });
  return repriced;
}
