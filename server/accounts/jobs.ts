import type { Context } from '#server/platform/context.ts';
import { realNow } from '#server/platform/clock.ts';
import { eraseCustomer, userPayer } from '#server/billing/service.ts';
import { endEverything } from '#server/subscriptions/service.ts';
import { endLateJob, eraseCustomerJob } from './close-account.ts';
import { mailResetLink, resetJob } from './forgot-password.ts';
import { pruneLimits, pruneResetTokens, pruneSessions, pruneVerificationTokens } from './queries.ts';

const dayMs = 86_400_000;
/** Rows of one statement: many enough to end, few enough to stay within the database's time limit. */
const batch = 1000;

async function inBatches(prune: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await prune(batch);
    total += removed;
    if (removed < batch) return total;
  }
}

/**
 * Removes what can never be used again: expired and used tokens, spent limits, and, a day after their end, sessions (a
 * tombstone must outlive every request that was in flight at sign-out). Tokens live by business time, the others by real time.
 */
export async function pruneAccounts(context: Context) {
  const { db } = context;
  const yesterday = new Date(realNow().getTime() - dayMs);
  const pruned = {
    sessions: await inBatches((limit) => pruneSessions(db, yesterday, limit)),
    verifications: await inBatches((limit) => pruneVerificationTokens(db, context.now(), limit)),
    resets: await inBatches((limit) => pruneResetTokens(db, context.now(), limit)),
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
  const patient = { retryLimit: 10, retryDelaySeconds: 15, expireInSeconds: 120 };
  await context.queue.define<{ userId: string }>(eraseCustomerJob, patient, ({ userId }) =>
    eraseCustomer(context, userId),
  );
  await context.queue.define<{ userId: string }>(endLateJob, patient, async ({ userId }) => {
    await endEverything(context, userPayer(userId));
    // A purchase that came late may have made the customer, too.
    await eraseCustomer(context, userId);
  });
}
