import { businessZone } from '#shared/rules/dates.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { markRanking, repairBlocks, repairCounts, repairUsage } from './queries-verify.ts';

const rankJob = 'rank-usage';
const verifyJob = 'verify-counters';

/** Nobody's id: comes before every other. */
const first = '00000000-0000-0000-0000-000000000000';
/** Accounts of one statement, and milliseconds after which the rest is left to another run of the job. */
const batch = 500;
const budgetMs = 20_000;

/**
 * Compares everything the triggers count with the rows and makes differences good: counters and blocks first, then the
 * uses account by account, from `after` on. A difference is a fault of ours and is logged as one.
 */
export async function verifyCounters(context: Context, after?: string): Promise<void> {
  const { db, log, queue } = context;
  const tell = (what: string, differences: unknown[]) => {
    if (differences.length > 0) log.error({ what, differences: differences.slice(0, 20) }, 'a counter was wrong');
  };
  const until = realNow().getTime() + budgetMs;
  for (let at: string | null = after ?? first; at !== null;) {
    if (realNow().getTime() > until) return void (await queue.send(db, verifyJob, { after: at }));
    const { last, differences } = await repairUsage(db, at, batch);
    tell('uses', differences);
    at = last;
  }
  // Last, since what was repaired above is counted here.
  tell('counters', await repairCounts(db));
  tell('blocks', await repairBlocks(db));
}

/** The administrator's counters and ranking. Each run finishes what it can and leaves the rest to the next. */
export async function defineAdminJobs(context: Context): Promise<void> {
  const { queue } = context;
  await queue.define(rankJob, { retryLimit: 0 }, () => markRanking(context.db));
  await queue.schedule(rankJob, '*/10 * * * *', businessZone);
  await queue.define<{ after?: string }>(verifyJob, { retryLimit: 2, expireInSeconds: 60 }, ({ after }) =>
    verifyCounters(context, after),
  );
  await queue.schedule(verifyJob, '10 4 * * *', businessZone);
}
