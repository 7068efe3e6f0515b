import type Stripe from 'stripe';
import type { CancellationReason } from '#shared/rules/cancellation.ts';
import type { Context } from '#server/platform/context.ts';
import { isMissing } from '#server/platform/payments.ts';
import { asked, idOf } from './provider.ts';

/** Why it ends, in the provider's words. */
const feedback = {
  too_expensive: 'too_expensive',
  not_using: 'unused',
  switching_tools: 'switched_service',
  poor_support: 'customer_service',
  other: 'other',
} as const satisfies Record<CancellationReason, string>;

export type Why = { reason?: CancellationReason | undefined; details?: string | undefined };

export const at = (seconds: number) => new Date(seconds * 1000);

/** The period that runs at the provider: the earliest of the items, since access must not outlive one. */
export const periodOf = ({ items: { data } }: Stripe.Subscription) => ({
  start: at(Math.min(...data.map((item) => item.current_period_start))),
  end: at(Math.min(...data.map((item) => item.current_period_end))),
});

/** When it is going to end, or null: a schedule may show in either form (flexible billing). */
export const scheduledEnd = (subscription: Stripe.Subscription): Date | null =>
  subscription.cancel_at !== null
    ? at(subscription.cancel_at)
    : subscription.cancel_at_period_end
      ? periodOf(subscription).end
      : null;

/** The renewal has begun but nothing was paid for it yet: its invoice is a draft, or is being charged. */
export function hasUnpaidRenewal({ status, latest_invoice: invoice }: Stripe.Subscription): boolean {
  if (status !== 'active' || !invoice || typeof invoice === 'string') return false;
  const waits = invoice.status === 'draft' || invoice.status === 'open';
  return invoice.billing_reason === 'subscription_cycle' && waits && invoice.amount_due > 0;
}

/** Has it end by itself, without a last bill; at the end of the period where that is the moment. */
export async function scheduleProviderEnd(
  context: Context,
  subscription: Stripe.Subscription,
  end: Date,
  { reason, details }: Why = {},
): Promise<Stripe.Subscription> {
  const atPeriodEnd = end.getTime() === periodOf(subscription).end.getTime();
  return asked(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, {
      ...(atPeriodEnd ? { cancel_at_period_end: true } : { cancel_at: Math.floor(end.getTime() / 1000) }),
      proration_behavior: 'none',
      ...((reason ?? details) && {
        cancellation_details: { ...(reason && { feedback: feedback[reason] }), ...(details && { comment: details }) },
      }),
    }),
  );
}

/**
 * Takes back what members who came during the period would still be charged with the end of it: nobody who cancelled is
 * charged again. Credits stay.
 */
export async function dropPendingCharges(context: Context, subscription: Stripe.Subscription): Promise<void> {
  const customer = idOf(subscription.customer);
  if (!customer || subscription.metadata.teamId === undefined) return;
  const waiting = await asked(context, (stripe) => stripe.invoiceItems.list({ customer, pending: true, limit: 100 }));
  const own = waiting.data.filter(({ parent }) => idOf(parent?.subscription_details?.subscription) === subscription.id);
  if (own.reduce((sum, { amount }) => sum + amount, 0) <= 0) return;
  await Promise.all(own.map(({ id }) => unlessMissing(asked(context, (stripe) => stripe.invoiceItems.del(id)))));
}

const unlessMissing = async (call: Promise<unknown>): Promise<void> => {
  try {
    await call;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};

/** Takes the scheduled end back. */
export const resumeProvider = (context: Context, subscription: Stripe.Subscription): Promise<Stripe.Subscription> =>
  asked(context, (stripe) =>
    stripe.subscriptions.update(
      subscription.id,
      subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' },
    ),
  );
