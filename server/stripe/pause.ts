import type Stripe from 'stripe';
import type { Context } from '#server/platform/context.ts';
import { askStripe, askStripeUnlessRefused } from './ask.ts';

/** Our mark: a pause that somebody made in Stripe's dashboard has none, and is theirs to end. */
const mark = 'pausedFor';
const suspension = 'suspension';

const waiting = ({ latest_invoice: invoice }: Stripe.Subscription) =>
  invoice !== null && typeof invoice !== 'string' && (invoice.status === 'draft' || invoice.status === 'open')
    ? invoice
    : null;

/**
 * Makes sure that nothing is charged while it is paused: Stripe voids the renewals to come, and we void the one that was written
 * before, which Stripe would go on to charge. Or that it is charged again. False where nothing had to be done.
 */
export async function pauseAtStripe(
  context: Context,
  subscription: Stripe.Subscription,
  paused: boolean,
): Promise<boolean> {
  const { id, status, metadata } = subscription;
  // Before its first payment it can't be changed, and is withdrawn or ends by itself; an ended one charges nothing.
  if (status !== 'trialing' && status !== 'active' && status !== 'past_due' && status !== 'unpaid') return false;
  const isPaused = metadata[mark] === suspension;
  const invoice = paused ? waiting(subscription) : null;
  if (isPaused === paused && !invoice) return false;
  if (isPaused !== paused)
    await askStripe(context, (stripe) =>
      stripe.subscriptions.update(id, {
        pause_collection: paused ? { behavior: 'void' } : '',
        metadata: { [mark]: paused ? suspension : '' },
      }),
    );
  if (invoice?.status === 'draft')
    await askStripeUnlessRefused(context, (stripe) =>
      stripe.invoices.finalizeInvoice(invoice.id, { auto_advance: false }),
    );
  // Refused where it was paid in the same moment, or nothing was due.
  if (invoice) await askStripeUnlessRefused(context, (stripe) => stripe.invoices.voidInvoice(invoice.id));
  return true;
}
