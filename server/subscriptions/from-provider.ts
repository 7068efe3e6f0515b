import type Stripe from 'stripe';
import { plus } from '#shared/rules/dates.ts';
import { graceMs, isLive, overSince, type SubscriptionStatus } from '#shared/rules/subscriptions.ts';
import { periodOf, scheduledEnd, type PaymentProblem } from '#server/billing/service.ts';
import type { SubscriptionRow } from './queries.ts';

type Values = Partial<SubscriptionRow>;

/** What a row becomes: other values, or nothing at all where its first payment was never made. */
export type Change = { kind: 'remove' } | { kind: 'set'; values: Values };

type Row = Pick<SubscriptionRow, 'status' | 'autoRenew' | 'endDate' | 'trialEndDate' | 'gracePeriodEnd' | 'purchase'>;

/** What is known beside the provider's object. */
export type Beside = { freeAccess: boolean; problem: PaymentProblem | null };

const at = (seconds: number) => new Date(seconds * 1000);
const unchanged: Change = { kind: 'set', values: {} };

/** When the payment that is missing was first tried: the invoice is charged as it is finalised. */
function failedAt(provider: Stripe.Subscription, now: Date): Date {
  const invoice = provider.latest_invoice;
  if (!invoice || typeof invoice === 'string') return now;
  const tried = at(invoice.status_transitions.finalized_at ?? invoice.created);
  return tried < now ? tried : now;
}

/** A trial that ends without a card costs nothing where the adviser has free access: it goes on by itself. */
const freeFromNow: Change = {
  kind: 'set',
  values: {
    status: 'active',
    isActive: true,
    autoRenew: true,
    monthlyCents: 0,
    endDate: null,
    gracePeriodEnd: null,
    purchase: null,
    stripeSubscriptionId: null,
  },
};

function whenOver(provider: Stripe.Subscription, row: Row, now: Date, freeAccess: boolean): Change {
  if (row.status === 'incomplete') return { kind: 'remove' };
  // Who cancelled keeps the place until the last day to reactivate, whatever the provider has ended by then; so does
  // who has tried to come back and has not paid.
  if ((row.status === 'cancelled' || row.purchase?.revives) && isLive(row, now)) return unchanged;
  if (row.status === 'trial' && freeAccess) return freeFromNow;
  const endedAt = provider.ended_at === null ? now : at(provider.ended_at);
  // Over is what can't be reactivated any more, however early the provider's part ended and however late this is read.
  const since = row.status === 'cancelled' || row.status === 'grace_period' ? overSince(row) : null;
  const expiredAt = since && since <= now ? since : endedAt;
  return { kind: 'set', values: { status: 'expired', isActive: false, expiredAt, paymentProblem: null } };
}

/** The payment of a new provider subscription for this row came through: it is what was ordered, and no longer cancelled. */
function revived({ purchase }: Row): Values {
  if (!purchase?.revives) return {};
  const { revives: _paid, ...ordered } = purchase;
  return {
    purchase: ordered,
    monthlyCents: ordered.totalCents,
    quantity: ordered.quantity,
    cancelledAt: null,
    cancellationReason: null,
    cancellationDetails: null,
  };
}

/** The row after reading the provider's subscription (the table of decisions §5). Pure; rights still follow the clock. */
export function fromProvider(
  provider: Stripe.Subscription,
  row: Row,
  now: Date,
  { freeAccess, problem }: Beside = { freeAccess: false, problem: null },
): Change {
  if (row.status === 'expired') return unchanged;
  if (provider.status === 'canceled' || provider.status === 'incomplete_expired')
    return whenOver(provider, row, now, freeAccess);
  if (row.status === 'cancelled' && !row.purchase?.revives) return unchanged;
  const live = (status: SubscriptionStatus, values: Values): Change => ({
    kind: 'set',
    values: {
      status,
      isActive: true,
      // A scheduled end that was made outside counts as auto-renew off.
      autoRenew: scheduledEnd(provider) === null,
      gracePeriodEnd: null,
      paymentProblem: null,
      ...revived(row),
      ...values,
    },
  });
  switch (provider.status) {
    case 'trialing': {
      if (provider.trial_end === null) return unchanged;
      const trialEndDate = at(provider.trial_end);
      return live('trial', { trialEndDate, endDate: trialEndDate });
    }
    case 'active':
      return live('active', { endDate: periodOf(provider).end });
    case 'past_due':
    case 'unpaid': {
      const known = row.status === 'grace_period' ? row.gracePeriodEnd : null;
      const gracePeriodEnd = known ?? plus(failedAt(provider, now), graceMs);
      return live('grace_period', { endDate: periodOf(provider).start, gracePeriodEnd, paymentProblem: problem });
    }
    // `incomplete` waits for the adviser; `paused` and what the provider may invent leave the row to the clock.
    default:
      return unchanged;
  }
}

/** What the provider's invoice should come to, in cents; null where we have no figure of our own (a proration). */
export function expectedInvoiceCents(
  invoice: Pick<Stripe.Invoice, 'billing_reason'> & { lines?: Stripe.Invoice['lines'] },
  row: Pick<SubscriptionRow, 'purchase' | 'monthlyCents'>,
): number | null {
  if (invoice.lines?.data.some((line) => line.parent?.subscription_item_details?.proration)) return null;
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
