import { day, plus } from './dates.ts';

/** Rows on one page of the administrators' lists. */
export const adminPageSize = 50;
/** How often the open page asks for its figures again, in milliseconds. */
export const adminRefreshMs = 60_000;

/** Days an API key may live. */
export const apiKeyDays = { min: 1, max: 365, usual: 365 } as const;
/** What was typed as days, else the usual number. */
export const daysOf = (typed: string) => (/^\s*\d+\s*$/.test(typed) ? Number(typed) : apiKeyDays.usual);
export const expiryOf = (now: Date, days: number) => plus(now, days * day);

export const apiKeyPrefix = 'ak_';
/** All that is ever shown of a key again. */
export const maskedKey = (lastFour: string | null) => `${apiKeyPrefix}••••••••${lastFour ?? '••••'}`;

export const sentences = {
  resetIncomplete: 'Please select a user and enter a new password',
  resetWho: 'Please select a user',
  who: 'Please select a user',
  reason: 'Please give a reason; the user reads it',
  keyIncomplete: 'Please select both a user and a tool',
  keyDays: `Expiration must be a whole number of days from ${apiKeyDays.min} to ${apiKeyDays.max}`,
  keyWarning: 'Store this API key now. For security it cannot be shown again.',
} as const;

/** Searches end at this many matches, and the audit log's pages at that many rows: more is found by asking closer. */
export const searchLimit = 200;
export const auditLimit = 2000;
/** The newest keys that are listed at once. */
export const apiKeyLimit = 500;
/** The newest incidents that are listed at once. */
export const incidentLimit = 100;
