import type Stripe from 'stripe';
import { plus } from '#shared/rules/dates.ts';
import { freeMonthsFrom, offerEnd } from '#shared/rules/pricing.ts';
import { graceMs, isLive, overSince, type SubscriptionStatus } from '#shared/rules/subscriptions.ts';
import { type PaymentProblem, periodOf, scheduledEnd } from '#server/stripe/service.ts';
import type { SubscriptionRow } from '../queries.ts';

type Values = Partial<SubscriptionRow>;

/** How a row changes: to other values, or removed where its first payment was never made. */
export type RowChange = { kind: 'remove' } | { kind: 'set'; values: Values };

type Row = Pick<SubscriptionRow, 'status' | 'autoRenew' | 'endDate' | 'trialEndDate' | 'gracePeriodEnd' | 'purchase'> &
  Partial<Pick<SubscriptionRow, 'freeMonths' | 'winBack'>>;

/** What Stripe's subscription does not say. */
export type PayerState = { freeAccess: boolean; paymentProblem: PaymentProblem | null };

const at = (seconds: number) => new Date(seconds * 1000);
const unchanged: RowChange = { kind: 'set', values: {} };

/** When the missing payment was first tried: Stripe charges an invoice when it finalises it. */
function failedAt(stripeSubscription: Stripe.Subscription, now: Date): Date {
  const invoice = stripeSubscription.latest_invoice;
  if (!invoice || typeof invoice === 'string') return now;
  const tried = at(invoice.status_transitions.finalized_at ?? invoice.created);
  return tried < now ? tried : now;
}

/** A trial that ends without a card goes on free of charge, where the adviser has free access. */
const freeFromNow: RowChange = {
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

function changeWhenEnded(stripeSubscription: Stripe.Subscription, row: Row, now: Date, freeAccess: boolean): RowChange {
  if (row.status === 'incomplete') return { kind: 'remove' };
  // A cancelled row keeps its slot until the last day to reactivate, even where Stripe has ended it; so does one that
  // somebody is reactivating and has not paid for yet.
  if ((row.status === 'cancelled' || row.purchase?.revives) && isLive(row, now)) return unchanged;
  if (row.status === 'trial' && freeAccess) return freeFromNow;
  const endedAt = stripeSubscription.ended_at === null ? now : at(stripeSubscription.ended_at);
  // It expired on the last day to reactivate, however early Stripe ended it and however late we read that.
  const since = row.status === 'cancelled' || row.status === 'grace_period' ? overSince(row) : null;
  const expiredAt = since && since <= now ? since : endedAt;
  return { kind: 'set', values: { status: 'expired', isActive: false, expiredAt, paymentProblem: null } };
}

/** The new Stripe subscription of a reactivated row was paid: the row is what was ordered, and no longer cancelled. */
function revivedValues({ purchase }: Row): Values {
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

/** What a row becomes when Stripe's subscription is read. Pure; access still follows from the row and the clock. */
export function rowFromStripe(
  stripeSubscription: Stripe.Subscription,
  row: Row,
  now: Date,
  { freeAccess, paymentProblem }: PayerState = { freeAccess: false, paymentProblem: null },
): RowChange {
  if (row.status === 'expired') return unchanged;
  if (stripeSubscription.status === 'canceled' || stripeSubscription.status === 'incomplete_expired')
    return changeWhenEnded(stripeSubscription, row, now, freeAccess);
  if (row.status === 'cancelled' && !row.purchase?.revives) return unchanged;
  const running = (status: SubscriptionStatus, values: Values): RowChange => ({
    kind: 'set',
    values: {
      status,
      isActive: true,
      // An end scheduled at Stripe itself counts as auto-renew off.
      autoRenew: scheduledEnd(stripeSubscription) === null,
      billingDay: at(stripeSubscription.billing_cycle_anchor).getUTCDate(),
      gracePeriodEnd: null,
      paymentProblem: null,
      ...revivedValues(row),
      ...values,
    },
  });
  switch (stripeSubscription.status) {
    case 'trialing': {
      if (stripeSubscription.trial_end === null) return unchanged;
      const trialEndDate = at(stripeSubscription.trial_end);
      // Free months begin with the trial's end.
      const moved = row.freeMonths && row.trialEndDate?.getTime() !== trialEndDate.getTime();
      const freeMonths = moved ? { freeMonths: freeMonthsFrom(trialEndDate, row.freeMonths!.months) } : {};
      // So do the months of a discount code.
      const winBack = row.winBack && { ...row.winBack, endsAt: offerEnd(trialEndDate, row.winBack).toISOString() };
      return running('trial', { trialEndDate, endDate: trialEndDate, ...freeMonths, ...(winBack && { winBack }) });
    }
    case 'active':
      return running('active', { endDate: periodOf(stripeSubscription).end });
    case 'past_due':
    case 'unpaid': {
      const known = row.status === 'grace_period' ? row.gracePeriodEnd : null;
      const gracePeriodEnd = known ?? plus(failedAt(stripeSubscription, now), graceMs);
      return running('grace_period', {
        endDate: periodOf(stripeSubscription).start,
        gracePeriodEnd,
        paymentProblem,
      });
    }
    // `incomplete` waits for the adviser; with `paused` and unknown states the row follows the clock.
    default:
      return unchanged;
  }
}
