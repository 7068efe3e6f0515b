import { businessZone, calendarDays } from './dates.ts';
import type { SubscriptionStatus } from './subscriptions.ts';

/** Days before a renewal on which a reminder may be sent, and the default: all of them (B §3, §9). */
export const reminderDays = [7, 3, 1] as const;

const zones: Record<string, string> = {
  QLD: 'Australia/Brisbane',
  SA: 'Australia/Adelaide',
  NT: 'Australia/Darwin',
  WA: 'Australia/Perth',
};
/** Where an adviser of this state looks at the calendar; Sydney for the states that share its clock, and unknown ones. */
export const zoneOf = (state: string | null) => zones[state ?? ''] ?? businessZone;

/** When the row renews or its trial ends, if a reminder may speak of it: nothing is due where nothing will be charged. */
export function remindsOf(
  sub: {
    status: SubscriptionStatus;
    autoRenew: boolean;
    endDate: Date | null;
    trialEndDate: Date | null;
    monthlyCents: number;
  },
  now: Date,
): Date | null {
  if (!sub.autoRenew || sub.monthlyCents === 0) return null;
  const at = sub.status === 'trial' ? sub.trialEndDate : sub.status === 'active' ? sub.endDate : null;
  return at && at > now ? at : null;
}

/**
 * The reminder that is due: the smallest chosen day that the renewal is not nearer than. One that a night without jobs
 * missed is still sent a day later, and each of them once.
 */
export function reminderDue(at: Date, now: Date, chosen: readonly number[], zone: string): number | null {
  const left = calendarDays(now, at, zone);
  const days = chosen.filter((day) => left <= day);
  return days.length > 0 ? Math.min(...days) : null;
}
