import { day, plus } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/database.ts';
import { realNow } from '#server/platform/clock.ts';
export { carryOutResets } from './factors/change.ts';
export { resealFactors } from './factors/codes.ts';
import { defineClosingJobs } from './close-account.ts';
import { mailResetLink, resetJob } from './reset-password.ts';
import {
  pruneDevices,
  pruneEmailChanges,
  pruneLimits,
  pruneResetTokens,
  pruneSessions,
  pruneVerificationTokens,
} from './queries-tokens.ts';

/**
 * Removes what can never be used again: expired and used tokens, spent limits, and, a day after their end, sessions (a
 * tombstone must outlive every request that was in flight at sign-out). Tokens live by business time, the others by real time.
 */
export async function pruneAccounts(context: Context) {
  const { db } = context;
  const yesterday = plus(realNow(), -day);
  const pruned = {
    sessions: await inBatches((limit) => pruneSessions(db, yesterday, limit)),
    verifications: await inBatches((limit) => pruneVerificationTokens(db, context.now(), limit)),
    resets: await inBatches((limit) => pruneResetTokens(db, context.now(), limit)),
    emailChanges: await inBatches((limit) => pruneEmailChanges(db, context.now(), limit)),
    devices: await inBatches((limit) => pruneDevices(db, realNow(), limit)),
    limits: await inBatches((limit) => pruneLimits(db, realNow(), limit)),
  };
  context.log.info(pruned, 'accounts pruned');
  return pruned;
}

/** Makes the jobs that requests of this noun send known to the queue. */
export async function defineAccountJobs(context: Context): Promise<void> {
  await context.queue.define<{ email: string }>(resetJob, { concurrency: 4 }, ({ email }) =>
    mailResetLink(context, email),
  );
  await defineClosingJobs(context);
}
