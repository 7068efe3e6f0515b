import { day, hour, minute, plus } from '../dates.ts';
import { freeMonthsRange } from '../billing/pricing.ts';

/** Rows on one page of the administrators' lists. */
export const adminPageSize = 50;
/** How often an open page asks for its figures again, in milliseconds. */
export const adminRefreshMs = 60_000;

/** Days an API key may live. */
export const apiKeyDays = { min: 1, max: 365, usual: 365 } as const;
/** What was typed as days, else the usual number. */
export const daysOf = (typed: string) => (/^\s*\d+\s*$/.test(typed) ? Number(typed) : apiKeyDays.usual);
export const expiryOf = (now: Date, days: number) => plus(now, days * day);

export const apiKeyPrefix = 'ak_';
/** All that is ever shown of a key once it has been made. */
export const maskedKey = (lastFour: string | null) => `${apiKeyPrefix}••••••••${lastFour ?? '••••'}`;

/** Days by which an administrator may extend a trial at once, and the most that a trial may last in all. */
export const trialExtension = { min: 1, max: 30, usual: 7, longest: 120 } as const;
/** When the trial would end; null where it would last longer than a trial may. */
export function extendedTrialEnd(begun: Date, end: Date, days: number): Date | null {
  const extended = plus(end, days * day);
  // Stripe's trial begins moments after our row.
  return extended <= plus(begun, trialExtension.longest * day + minute) ? extended : null;
}

/**
 * A second administrator has to approve where more than this, in cents, is refunded of one invoice in total, or to one person by
 * administrators acting alone within this many days.
 */
export const refundAloneCents = 200_00;
export const refundAloneDays = 30;
/** How long a request waits for a second administrator. */
export const approvalLifeMs = 7 * day;
/** How long what was done may be undone. */
export const undoMs = 24 * hour;
/** How long somebody has been an administrator with a factor, and not in the hands of whoever asked, before their approval counts. */
export const approverMs = 7 * day;

export const sentences = {
  resetIncomplete: 'Please select a user and enter a new password',
  resetWho: 'Please select a user',
  who: 'Please select a user',
  reason: 'Please give a reason; the user reads it',
  keyIncomplete: 'Please select both a user and a tool',
  keyDays: `Expiration must be a whole number of days from ${apiKeyDays.min} to ${apiKeyDays.max}`,
  trialDays: `Days must be a whole number from ${trialExtension.min} to ${trialExtension.max}`,
  freeMonths: `Months must be a whole number from ${freeMonthsRange.min} to ${freeMonthsRange.max}`,
  refundCents: 'Please enter how much to refund, in cents',
  keyWarning: 'Store this API key now. For security it cannot be shown again.',
} as const;

/** Searches end at this many matches, and the audit log's pages at this many rows: a narrower search finds the rest. */
export const searchLimit = 200;
export const auditLimit = 2000;
export const auditPageSize = 25;
/** The newest keys that are listed at once. */
export const apiKeyLimit = 200;
/** The newest incidents that are listed at once. */
export const incidentLimit = 100;
/** How many bills in grace administrators are shown. */
export const unpaidBillLimit = 100;
