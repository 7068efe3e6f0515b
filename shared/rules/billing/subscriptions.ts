import { businessZone, calendarDays, day, hour, plus } from '../dates.ts';

/** As stored; `incomplete` (first payment not confirmed) is never listed. */
export const subscriptionStatuses = ['incomplete', 'trial', 'active', 'grace_period', 'cancelled', 'expired'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
export const listedStatuses = ['trial', 'active', 'grace_period', 'cancelled', 'expired'] as const;

/** Access goes on this long after a period that should renew, so that a late webhook locks nobody out. */
export const renewalSlackMs = 72 * hour;
export const graceMs = 7 * day;
/** Stripe drops an unconfirmed first payment after 23 hours, and so do we. */
export const incompleteLifeMs = 23 * hour;
/** An open purchase is offered again for this long: an hour less, so that it does not expire while the adviser pays. */
export const attemptReuseMs = 22 * hour;

/** What the rules need of a row. `endDate` is the end of the paid period when active, the end of access when cancelled. */
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

/** Until when this row gives access: a date, `'forever'` (it costs nothing), or null for none. */
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

/**
 * Whether it still opens its tool after that moment's day in Sydney, as far as is known now. What renews then goes on; what
 * ends on that day or earlier does not, nor does a trial that no card will pay for, or what stays unpaid.
 */
export function goesOnAfter(sub: SubscriptionFacts & { freeAccess?: boolean }, at: Date): boolean {
  const outlasts = (until: Date | null) => until !== null && calendarDays(at, until, businessZone) > 0;
  if (sub.status === 'trial' && !sub.autoRenew) return outlasts(sub.trialEndDate);
  if (sub.status === 'trial' && (sub.cardOnFile || sub.freeAccess)) return true;
  if (sub.status === 'active' && (sub.autoRenew || sub.endDate === null)) return true;
  const until = accessUntil(sub);
  return until === 'forever' || outlasts(until);
}

const canReactivate = (sub: SubscriptionFacts, now: Date) =>
  (sub.status === 'cancelled' || sub.status === 'grace_period') &&
  sub.gracePeriodEnd !== null &&
  sub.gracePeriodEnd > now;

/** While a row is live, its payer cannot subscribe to the tool again. */
export const isLive = (sub: SubscriptionFacts, now: Date) => hasAccess(sub, now) || canReactivate(sub, now);

/** When a row is over: after its access and after the last day to reactivate. Null: it has no end. */
export function overSince(sub: SubscriptionFacts): Date | null {
  const until = accessUntil(sub);
  if (until === 'forever') return null;
  const last = sub.status === 'cancelled' ? sub.gracePeriodEnd : null;
  return last && (!until || last > until) ? last : until;
}

/** The stored status, corrected by the clock: jobs and webhooks may be late. */
export function shownStatus(sub: SubscriptionFacts, now: Date): SubscriptionStatus {
  return sub.status === 'incomplete' || isLive(sub, now) ? sub.status : 'expired';
}

export const subscriptionActions = ['open', 'cancel', 'reactivate', 'autoRenew', 'pay', 'subscribeAgain'] as const;
export type SubscriptionAction = (typeof subscriptionActions)[number];

type Condition = (sub: SubscriptionFacts, now: Date) => boolean;

/** What costs nothing has no renewal to stop. */
const paysForPeriods: Condition = (sub) => sub.endDate !== null && sub.monthlyCents !== 0;

/** What may be done with a row, by the status it is shown as; what is absent may not. */
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

/** Asked by buttons, server and jobs alike; `autoRenew` means stopping and resuming the renewal. */
export const subscriptionCan = {
  open: may('open'),
  cancel: may('cancel'),
  reactivate: may('reactivate'),
  autoRenew: may('autoRenew'),
  pay: may('pay'),
  subscribeAgain: may('subscribeAgain'),
} as const satisfies Record<SubscriptionAction, Condition>;

export const statusLabels: Record<SubscriptionStatus, string> = {
  incomplete: 'Payment pending',
  trial: 'Trial',
  active: 'Active',
  grace_period: 'Grace Period',
  cancelled: 'Cancelling',
  expired: 'Expired',
};

/** What a status is called; cancelled, it is "Cancelling" until its access ends. */
export const statusLabel = ({ status, hasAccess: open }: { status: SubscriptionStatus; hasAccess: boolean }): string =>
  status === 'cancelled' && !open ? 'Cancelled' : statusLabels[status];

/** What a practice has decided about a tool, and its rule for tools without a decision. */
export type ToolRule = {
  teamId: string;
  teamName: string;
  newToolsAllowed: boolean;
  toolId: string | null;
  allowed: boolean | null;
  reason: string | null;
};

/** Which practice doesn't allow this tool, and why; null where none objects. `rules` are those of all teams the person is in. */
export function toolRefusal(
  rules: readonly ToolRule[],
  toolId: string,
): { teamName: string; reason: string | null } | null {
  const decided = rules.filter((rule) => rule.toolId === toolId && rule.allowed !== null);
  const refused = decided.find((rule) => rule.allowed === false);
  if (refused) return { teamName: refused.teamName, reason: refused.reason };
  const undecided = rules.find(
    (rule) => !rule.newToolsAllowed && !decided.some(({ teamId }) => teamId === rule.teamId),
  );
  return undecided ? { teamName: undecided.teamName, reason: null } : null;
}
