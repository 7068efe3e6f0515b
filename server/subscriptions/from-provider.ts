import type Stripe from 'stripe';
import { plus } from '#shared/rules/dates.ts';
import { graceMs, isLive, type SubscriptionStatus } from '#shared/rules/subscriptions.ts';
import type { SubscriptionRow } from './queries.ts';

/** What a row becomes: other values, or nothing at all where its first payment was never made. */
export type Change =
  | { kind: 'remove' }
  | {
      kind: 'set';
      values: Partial<
        Pick<
          SubscriptionRow,
          | 'status'
          | 'isActive'
          | 'autoRenew'
          | 'endDate'
          | 'trialEndDate'
          | 'gracePeriodEnd'
          | 'expiredAt'
          | 'cancelledAt'
        >
      >;
    };

type Row = Pick<SubscriptionRow, 'status' | 'autoRenew' | 'endDate' | 'trialEndDate' | 'gracePeriodEnd'>;

const at = (seconds: number) => new Date(seconds * 1000);
const unchanged: Change = { kind: 'set', values: {} };

/** Ends of the paid period: the earliest of the items', since access must not outlive one. */
const paidUntil = (provider: Stripe.Subscription) =>
  at(Math.min(...provider.items.data.map((item) => item.current_period_end)));
const periodStart = (provider: Stripe.Subscription) =>
  at(Math.min(...provider.items.data.map((item) => item.current_period_start)));

/** A scheduled end may show as either (flexible billing); made outside, it counts as auto-renew off. */
const renews = (provider: Stripe.Subscription) => !provider.cancel_at_period_end && provider.cancel_at === null;

/** When the payment that is missing was first tried: the invoice is charged as it is finalised. */
function failedAt(provider: Stripe.Subscription, now: Date): Date {
  const invoice = provider.latest_invoice;
  if (!invoice || typeof invoice === 'string') return now;
  const tried = at(invoice.status_transitions.finalized_at ?? invoice.created);
  return tried < now ? tried : now;
}

/** The row after reading the provider's subscription (the table of decisions §5). Pure; rights still follow the clock. */
export function fromProvider(provider: Stripe.Subscription, row: Row, now: Date): Change {
  if (row.status === 'expired') return unchanged;
  const over = provider.status === 'canceled' || provider.status === 'incomplete_expired';
  if (over) {
    if (row.status === 'incomplete') return { kind: 'remove' };
    // Who cancelled keeps the place until the last day to reactivate, whatever the provider has ended by then.
    if (row.status === 'cancelled' && isLive(row, now)) return unchanged;
    const expiredAt = provider.ended_at === null ? now : at(provider.ended_at);
    return { kind: 'set', values: { status: 'expired', isActive: false, expiredAt } };
  }
  if (row.status === 'cancelled') return unchanged;
  const live = (status: SubscriptionStatus, values: Extract<Change, { kind: 'set' }>['values']): Change => ({
    kind: 'set',
    values: { status, isActive: true, autoRenew: renews(provider), gracePeriodEnd: null, ...values },
  });
  switch (provider.status) {
    case 'trialing': {
      if (provider.trial_end === null) return unchanged;
      const trialEndDate = at(provider.trial_end);
      return live('trial', { trialEndDate, endDate: trialEndDate });
    }
    case 'active':
      return live('active', { endDate: paidUntil(provider) });
    case 'past_due':
    case 'unpaid': {
      const known = row.status === 'grace_period' ? row.gracePeriodEnd : null;
      const gracePeriodEnd = known ?? plus(failedAt(provider, now), graceMs);
      return live('grace_period', { endDate: periodStart(provider), gracePeriodEnd });
    }
    // `incomplete` waits for the adviser; `paused` and what the provider may invent leave the row to the clock.
    default:
      return unchanged;
  }
}

/** What the provider's invoice should come to, in cents; null where we have no figure of our own (a proration). */
export function expectedInvoiceCents(
  invoice: Pick<Stripe.Invoice, 'billing_reason'>,
  row: Pick<SubscriptionRow, 'purchase' | 'monthlyCents'>,
): number | null {
  switch (invoice.billing_reason) {
    case 'subscription_create':
      if (!row.purchase) return null;
      return row.purchase.trialDays === null ? row.purchase.totalCents : 0;
    case 'subscription_cycle':
      return row.monthlyCents;
    default:
      return null;
  }
}
