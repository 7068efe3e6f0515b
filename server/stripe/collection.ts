import type { Context } from '#server/platform/context.ts';
import { askStripe, askStripeIfThere, askStripeUnlessRefused, idOf } from './ask.ts';

/**
 * Where a subscription ends, Stripe stops collecting every open invoice of its customer. This switches on again what is owed for
 * subscriptions that go on, unless their charges are paused; the first invoice of a purchase waits for the buyer. It may be repeated.
 */
export async function resumeCollection(context: Context, customer: string): Promise<void> {
  const open = await askStripeIfThere(context, (stripe) =>
    stripe.invoices.list({ customer, status: 'open', limit: 100 }),
  );
  const stopped = (open?.data ?? []).filter(
    ({ auto_advance: collected, billing_reason: reason }) => collected === false && reason !== 'subscription_create',
  );
  if (stopped.length === 0) return;
  const { data } = await askStripe(context, (stripe) => stripe.subscriptions.list({ customer, limit: 100 }));
  const going = new Set(
    data
      .filter(({ status, pause_collection: pause }) => status !== 'incomplete_expired' && pause === null)
      .map(({ id }) => id),
  );
  for (const { id, parent } of stopped)
    if (going.has(idOf(parent?.subscription_details?.subscription) ?? ''))
      // Stripe refuses where it was paid in the same moment.
      await askStripeUnlessRefused(context, (stripe) => stripe.invoices.update(id, { auto_advance: true }));
}
