import type { ErrorCode } from '#shared/api/errors.ts';
import type { ApiError } from '#client/lib/api-error.ts';

/** Refusals whose own sentence says what is the matter; anything else is a fault that may pass. */
const told: readonly ErrorCode[] = [
  'already_subscribed',
  'lost_money_gate',
  'coming_soon',
  'tool_not_found',
  'trial_used',
  'trial_not_needed',
  'email_unverified',
  'rate_limited',
];

/** What is said when a subscription can't be prepared (B §8). */
export const initFailure = (error: ApiError) =>
  told.some((code) => code === error.code) ? error.sentence : 'Failed to initialize subscription. Please try again.';
