import { day, hour, plus } from './dates.ts';

/** Stored statuses (B §4, decisions §5); `incomplete` is never listed. */
export const subscriptionStatuses = ['incomplete', 'trial', 'active', 'grace_period', 'cancelled', 'expired'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
export const listedStatuses = ['trial', 'active', 'grace_period', 'cancelled', 'expired'] as const;

export const trialDays = { individual: 30, team: 45 } as const;
/** Access outlives a paid period that should renew by this much, so that a late webhook locks nobody out. */
export const renewalSlackMs = 72 * hour;
export const graceMs = 7 * day;
/** An unconfirmed first payment is removed after 23 hours, as the provider does. */
export const incompleteLifeMs = 23 * hour;
/** An open attempt is offered again until here, so that it cannot run out under the adviser's hands. */
export const attemptReuseMs = 22 * hour;

/** What the rules need of a row. `endDate` is paid-until when active, the end of access when cancelled. */
export type SubscriptionFacts = {
  status: SubscriptionStatus;
  autoRenew: boolean;
  endDate: Date | null;
  trialEndDate: Date | null;
  gracePeriodEnd: Date | null;
  /** The payer has a card on file, so that a trial converts instead of ending. */
  cardOnFile?: boolean;
};

/** Until when this row gives access: a date, `'forever'` (price 0), or null for none (decisions §5). */
export function accessUntil(sub: SubscriptionFacts): Date | 'forever' | null {
  switch (sub.status) {
    case 'trial':
      return sub.trialEndDate && (sub.cardOnFile ? plus(sub.trialEndDate, renewalSlackMs) : sub.trialEndDate);
    case 'active':
      if (!sub.endDate) return 'forever';
      return sub.autoRenew ? plus(sub.endDate, renewalSlackMs) : sub.endDate;
    case 'grace_period':
      return sub.gracePeriodEnd;
    case 'cancelled':
      return sub.endDate;
    case 'incomplete':
    case 'expired':
      return null;
  }
}

/** Rights follow from the row and the clock, never from a stored flag alone. */
export function hasAccess(sub: SubscriptionFacts, now: Date): boolean {
  const until = accessUntil(sub);
  return until === 'forever' || (until !== null && until > now);
}

const canReactivate = (sub: SubscriptionFacts, now: Date) =>
  (sub.status === 'cancelled' || sub.status === 'grace_period') &&
  sub.gracePeriodEnd !== null &&
  sub.gracePeriodEnd > now;

/** Holds the place of its payer and tool: subscribing again answers 409 (decisions §5). */
export const isLive = (sub: SubscriptionFacts, now: Date) => hasAccess(sub, now) || canReactivate(sub, now);

/** What may be done with a row: read by button, server and jobs alike. */
export const subscriptionCan = {
  open: hasAccess,
  cancel: (sub: SubscriptionFacts, now: Date) =>
    (sub.status === 'trial' || sub.status === 'active' || sub.status === 'grace_period') && isLive(sub, now),
  reactivate: canReactivate,
  /** Stop or resume the renewal: only what is paid for a period renews. */
  autoRenew: (sub: SubscriptionFacts, now: Date) =>
    sub.status === 'active' && sub.endDate !== null && hasAccess(sub, now),
  pay: (sub: SubscriptionFacts, now: Date) => sub.status === 'grace_period' && canReactivate(sub, now),
  subscribeAgain: (sub: SubscriptionFacts, now: Date) => !isLive(sub, now),
} as const;

/** What the row is shown as: the stored status is corrected by the clock, since jobs and webhooks may be late. */
export function shownStatus(sub: SubscriptionFacts, now: Date): SubscriptionStatus {
  return sub.status === 'incomplete' || isLive(sub, now) ? sub.status : 'expired';
}

/** Labels of B §4. */
export const statusLabels: Record<SubscriptionStatus, string> = {
  incomplete: 'Payment pending',
  trial: 'Trial',
  active: 'Active',
  grace_period: 'Grace Period',
  cancelled: 'Cancelling',
  expired: 'Expired',
};
