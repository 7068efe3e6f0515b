import { day, plus } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/data/database.ts';
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
 * Removes what can never be used again: spent tokens, changes of address, devices and limits, and sessions a day after they expire (a
 * tombstone must outlive requests in flight at sign-out). Tokens and changes of address live by business time, the rest by real time.
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

/** Defines the jobs that requests of this room send. */
export async function defineAccountJobs(context: Context): Promise<void> {
  await context.queue.define<{ email: string }>(resetJob, { concurrency: 4 }, ({ email }) =>
    mailResetLink(context, email),
  );
  await defineClosingJobs(context);
}
