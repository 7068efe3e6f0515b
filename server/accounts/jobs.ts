import type { Context } from '#server/platform/context.ts';
export { carryOutResets } from './factors/change-factors.ts';
export { resealFactors } from './factors/authenticator-codes.ts';
import { defineClosingJobs } from './close-account.ts';
import { mailResetLink, resetJob } from './reset-password.ts';
import { deleteExpired } from './queries-tokens.ts';

/**
 * Removes what can never be used again: spent tokens, changes of address, devices and limits, and sessions a day after they expire (a
 * tombstone must outlive requests in flight at sign-out). Tokens and changes of address live by business time, the rest by real time.
 */
export async function pruneAccounts(context: Context) {
  const pruned = await deleteExpired(context.db, context.now());
  context.log.info(pruned, 'accounts pruned');
  return pruned;
}

export async function defineAccountJobs(context: Context): Promise<void> {
  await context.queue.define<{ email: string }>(resetJob, { concurrency: 4 }, ({ email }) =>
    mailResetLink(context, email),
  );
  await defineClosingJobs(context);
}
