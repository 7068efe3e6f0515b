import type Stripe from 'stripe';
import { plus, plusMonths } from '#shared/rules/dates.ts';
import { graceMs, isLive, overSince } from '#shared/rules/billing/subscriptions.ts';
import type { OldPurchase, toolSubscriptions } from '#shared/schema/subscriptions.ts';

type SubscriptionRow = typeof toolSubscriptions.$inferSelect;

type Held = Pick<SubscriptionRow, 'purchase' | 'stripeSubscriptionId'>;

/** Whether an older release sold it and it still has a Stripe subscription of its own. */
export const isOld = <R extends Held>(row: R): row is R & { purchase: OldPurchase; stripeSubscriptionId: string } =>
  row.purchase !== null && row.stripeSubscriptionId !== null;

type Dates = Pick<SubscriptionRow, 'status' | 'endDate' | 'trialEndDate'>;
type Standing = Held & Dates & Pick<SubscriptionRow, 'autoRenew' | 'billingDay'>;

/**
 * Such a row as the bill takes it: Stripe renews it by itself, so that it is paid until the month after that, unless it is to end with its
 * paid month; and what is in grace is paid until the end of the month that is owed. Any other row as it is.
 */
export function asBilled(row: Standing): Dates {
  const { status, endDate, trialEndDate, autoRenew, billingDay } = row;
  const dates = { status, endDate, trialEndDate };
  if (!isOld(row) || endDate === null || row.purchase.join?.renewal === null) return dates;
  const later = plusMonths(endDate, 1, billingDay);
  if (status === 'grace_period') return { ...dates, status: 'active', endDate: later };
  if (status === 'trial') return { ...dates, trialEndDate: later };
  const until = row.purchase.join?.renewal.until;
  return status === 'active' && autoRenew ? { ...dates, endDate: until ? new Date(until) : later } : dates;
}

type Values = Partial<SubscriptionRow>;
const at = (seconds: number) => new Date(seconds * 1000);

/** When its Stripe subscription is going to end; null where it renews. Under flexible billing Stripe may set either field. */
export const endsAt = ({ cancel_at: cancelAt, cancel_at_period_end: atPeriodEnd, items }: Stripe.Subscription) =>
  cancelAt !== null
    ? at(cancelAt)
    : atPeriodEnd
      ? at(Math.min(...items.data.map((item) => item.current_period_end)))
      : null;

/** The latest invoice, where Stripe has sent it along. */
export const latestInvoiceOf = ({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | null =>
  typeof invoice === 'object' ? invoice : null;

/** A month has begun that is not paid yet: its invoice is a draft, or is being charged. */
export function isUnpaid(subscription: Stripe.Subscription): boolean {
  const invoice = latestInvoiceOf(subscription);
  if (subscription.status === 'past_due' || subscription.status === 'unpaid') return true;
  const waits = invoice?.status === 'draft' || invoice?.status === 'open';
  return subscription.status === 'active' && waits && invoice.amount_due > 0;
}

/** Nobody has paid or given a card for it. */
const ended = (expiredAt: Date): Values => ({ status: 'expired', isActive: false, expiredAt, paymentProblem: null });

/** A trial without a card goes on free of charge, where the adviser has free access. */
const freeFromNow: Values = {
  status: 'active',
  isActive: true,
  autoRenew: true,
  monthlyCents: 0,
  endDate: null,
  gracePeriodEnd: null,
  purchase: null,
  stripeSubscriptionId: null,
};

function whenOver(subscription: Stripe.Subscription, row: SubscriptionRow, now: Date, isFree: boolean): Values | null {
  const { status, purchase } = row;
  if (status === 'incomplete') return null;
  // A cancelled row keeps its slot until the last day to reactivate; so does one that somebody has not paid for yet.
  if ((status === 'cancelled' || purchase?.revives) && isLive(row, now)) return {};
  // What we ended goes on by the clock: its paid days, and then the bill.
  if (purchase?.join || (status === 'active' && endsAt(subscription) !== null)) return {};
  if (status === 'trial' && isFree) return freeFromNow;
  const since = status === 'cancelled' || status === 'grace_period' ? overSince(row) : null;
  return ended(since && since <= now ? since : at(subscription.ended_at ?? now.getTime() / 1000));
}

/** What the reactivation of a cancelled row makes of it, once it is paid. */
function revived({ purchase }: SubscriptionRow): Values {
  if (!purchase?.revives) return {};
  const { revives: _paid, ...ordered } = purchase;
  return { purchase: ordered, cancelledAt: null, cancellationReason: null, cancellationDetails: null, autoRenew: true };
}

/** What a row becomes when its own Stripe subscription is read; null: it is removed, since it was never paid. Pure. */
export function rowFromOld(
  subscription: Stripe.Subscription,
  row: SubscriptionRow,
  now: Date,
  isFree: boolean,
): Values | null {
  const { status, items, trial_end: trialEnd, billing_cycle_anchor: anchor } = subscription;
  if (row.status === 'expired') return {};
  if (status === 'canceled' || status === 'incomplete_expired') return whenOver(subscription, row, now, isFree);
  if (row.status === 'cancelled' && !row.purchase?.revives) return {};
  const start = at(Math.min(...items.data.map((item) => item.current_period_start)));
  const end = at(Math.min(...items.data.map((item) => item.current_period_end)));
  const running = { isActive: true, gracePeriodEnd: null, paymentProblem: null, billingDay: at(anchor).getUTCDate() };
  switch (status) {
    case 'trialing':
      return trialEnd === null
        ? {}
        : { ...running, status: 'trial', trialEndDate: at(trialEnd), endDate: at(trialEnd) };
    case 'active': {
      // An end within the period shortens it at Stripe; its days are paid all the same.
      const paid = endsAt(subscription) !== null && row.status === 'active' && row.endDate && row.endDate > end;
      return { ...running, ...revived(row), status: 'active', endDate: paid ? row.endDate : end };
    }
    case 'past_due':
    case 'unpaid': {
      const invoice = latestInvoiceOf(subscription);
      const failedAt = invoice ? at(invoice.status_transitions.finalized_at ?? invoice.created) : now;
      const known = row.status === 'grace_period' ? row.gracePeriodEnd : null;
      const gracePeriodEnd = known ?? plus(failedAt < now ? failedAt : now, graceMs);
      return { ...running, status: 'grace_period', endDate: start, gracePeriodEnd };
    }
    // `incomplete` waits for the payer; with `paused` and unknown states the row follows the clock.
    default:
      return {};
  }
}
