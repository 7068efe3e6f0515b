import type Stripe from 'stripe';
import { sydneyMidnight } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { askStripe, askStripeIfThere, idOf } from './ask.ts';
import { ensureGst } from './products.ts';

/** An amount for the next invoice, or for one invoice; a credit is negative. `key` names what it is for, and finds it again. */
export type ItemWanted = {
  key: string;
  cents: number;
  description: string;
  toolId: string;
  /** Its first and last day in Sydney. */
  from: string;
  to: string;
};

type Target = { customer: string } & ({ subscription: string } | { invoice: string });

const seconds = (date: string) => Math.floor(sydneyMidnight(date).getTime() / 1000);

/** Stripe knows no price below zero, so a credit is a plain amount. */
export const itemParams = async (
  context: Context,
  target: Target,
  { key, cents, description, toolId, from, to }: ItemWanted,
): Promise<Stripe.InvoiceItemCreateParams> => ({
  ...target,
  currency: 'aud',
  amount: cents,
  description,
  discountable: false,
  period: { start: seconds(from), end: Math.max(seconds(from), seconds(to)) },
  tax_behavior: 'inclusive',
  tax_rates: [await ensureGst(context)],
  metadata: { key, toolId },
});

/**
 * Adds an amount that may be deleted and added again, so it has no idempotency key: whoever adds has looked for the key in its metadata.
 * Two processes may both add it; the mirror deletes doubles that wait, and a draft that has them is mended.
 */
export async function addInvoiceItem(context: Context, target: Target, wanted: ItemWanted): Promise<void> {
  const params = await itemParams(context, target, wanted);
  await askStripe(context, (stripe) => stripe.invoiceItems.create(params));
}

/** What waits for the subscription's next invoice. */
export async function pendingItems(context: Context, customer: string, subscription: string) {
  const items: Stripe.InvoiceItem[] = [];
  for (let after: string | undefined; ;) {
    const page = await askStripeIfThere(context, (stripe) =>
      stripe.invoiceItems.list({ customer, pending: true, limit: 100, ...(after && { starting_after: after }) }),
    );
    items.push(...(page?.data ?? []));
    after = page?.data.at(-1)?.id;
    if (!page?.has_more || !after) break;
  }
  return items
    .filter(({ parent }) => idOf(parent?.subscription_details?.subscription) === subscription)
    .map(({ id, amount, metadata }) => ({ id, cents: amount, key: metadata?.['key'] ?? null }));
}

/** Deletes one that is on no invoice yet; one that is gone is fine. */
export const deleteInvoiceItem = async (context: Context, id: string): Promise<void> => {
  await askStripeIfThere(context, (stripe) => stripe.invoiceItems.del(id));
};
