import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction, tryLock, type Db } from '#server/platform/database.ts';
import { countChanges, countDocuments, lockBackfill, takeIn } from './queries-count-business.ts';

/** Rows in one transaction; fewer of subscriptions, since they stay locked until it ends. */
const batch = 1000;
const subscriptionBatch = 100;
/** After this long, the rest is left to the next minute's run. */
const budgetMs = 20_000;

const sources = ['subscriptions', 'invoices', 'notes'] as const;

/** Runs one step in a transaction of its own, so that an interruption loses nothing and counts nothing twice. */
const step = (context: Context, work: (tx: Db) => Promise<boolean>) =>
  transaction(context.db, async (tx) => ((await tryLock(tx, 'count-business')) ? work(tx) : true));

/**
 * Brings the months of the business up to date: takes in what was there before the triggers, then adds every noted change and
 * document to its month. It finds both by their state, so any replica may run it at any time, even twice.
 */
export async function countBusiness(context: Context): Promise<void> {
  const until = realNow().getTime() + budgetMs;
  const repeat = async (work: (tx: Db) => Promise<boolean>) => {
    for (let done = false; !done && realNow().getTime() < until;) done = await step(context, work);
  };
  for (const source of sources)
    await repeat(async (tx) => {
      const { after, done } = await lockBackfill(tx, source);
      return done || takeIn(tx, source, after, source === 'subscriptions' ? subscriptionBatch : batch);
    });
  await repeat(async (tx) => (await countDocuments(tx, batch)) < batch);
  await repeat(async (tx) => (await countChanges(tx, batch)) < batch);
}
