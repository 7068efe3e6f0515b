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
  monthlyCents?: number;
};

/** Until when this row gives access: a date, `'forever'` (price 0), or null for none (decisions §5). */
export function accessUntil(sub: SubscriptionFacts): Date | 'forever' | null {
  switch (sub.status) {
    case 'trial':
      return (
        sub.trialEndDate &&
        (sub.cardOnFile && sub.autoRenew ? plus(sub.trialEndDate, renewalSlackMs) : sub.trialEndDate)
      );
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

/** Since when a row is over by the clock: after its access, and after the last day to reactivate. Null while it has no end. */
export function overSince(sub: SubscriptionFacts): Date | null {
  const until = accessUntil(sub);
  if (until === 'forever') return null;
  const last = sub.status === 'cancelled' ? sub.gracePeriodEnd : null;
  return last && (!until || last > until) ? last : until;
}

/** What the row is shown as: the stored status is corrected by the clock, since jobs and webhooks may be late. */
export function shownStatus(sub: SubscriptionFacts, now: Date): SubscriptionStatus {
  return sub.status === 'incomplete' || isLive(sub, now) ? sub.status : 'expired';
}

export const subscriptionActions = ['open', 'cancel', 'reactivate', 'autoRenew', 'pay', 'subscribeAgain'] as const;
export type SubscriptionAction = (typeof subscriptionActions)[number];

type Condition = (sub: SubscriptionFacts, now: Date) => boolean;

/** Only what is paid for a period renews: price 0 has no renewal to stop. */
const paysForPeriods: Condition = (sub) => sub.endDate !== null && sub.monthlyCents !== 0;

/** State × action: what may be done with a row in the state the clock gives it; what is absent may not (decisions §5). */
const table: Record<SubscriptionStatus, Partial<Record<SubscriptionAction, true | Condition>>> = {
  incomplete: { subscribeAgain: true },
  trial: { open: true, cancel: true },
  active: { open: true, cancel: true, autoRenew: paysForPeriods },
  grace_period: { open: true, cancel: true, reactivate: true, pay: true },
  cancelled: { open: hasAccess, reactivate: canReactivate },
  expired: { subscribeAgain: true },
};

const may =
  (action: SubscriptionAction): Condition =>
  (sub, now) => {
    const cell = table[shownStatus(sub, now)][action] ?? false;
    return cell === true || (cell !== false && cell(sub, now));
  };

/** The table, as button, server and jobs ask it; `autoRenew` is stopping and resuming the renewal. */
export const subscriptionCan = {
  open: may('open'),
  cancel: may('cancel'),
  reactivate: may('reactivate'),
  autoRenew: may('autoRenew'),
  pay: may('pay'),
  subscribeAgain: may('subscribeAgain'),
} as const satisfies Record<SubscriptionAction, Condition>;

/** Labels of B §4. */
export const statusLabels: Record<SubscriptionStatus, string> = {
  incomplete: 'Payment pending',
  trial: 'Trial',
  active: 'Active',
  grace_period: 'Grace Period',
  cancelled: 'Cancelling',
  expired: 'Expired',
};
