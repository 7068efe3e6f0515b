import { packYears } from '#shared/rules/record/evidence.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { holdingTeams } from '#server/record/service.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/data/database.ts';
import { makeExpireSeconds, makeJob, makePack } from './make.ts';
import { deletePacksBefore, packsToMake } from './queries.ts';
import { stampJob, stampPack } from './stamp.ts';

/** Defines the jobs that write packs, one at a time in each process, and have their heads stamped: tried for some two days. */
export async function defineEvidenceJobs(context: Context): Promise<void> {
  const options = { retryLimit: 4, concurrency: 1, expireInSeconds: makeExpireSeconds };
  await context.queue.define<{ pack: string }>(makeJob, options, ({ pack }) => makePack(context, pack));
  const patient = { retryLimit: 12, retryDelaySeconds: 30, expireInSeconds: 60 };
  await context.queue.define<{ pack: string }>(stampJob, patient, ({ pack }) => stampPack(context, pack));
}

/** Sends the jobs again for packs whose makers were killed, and which the queue gave up. */
export async function resumePacks({ db, queue }: Context): Promise<void> {
  for (const pack of await packsToMake(db, realNow(), 100))
    await queue.send(db, makeJob, { pack }, { singletonKey: pack });
}

export async function prunePacks(context: Context): Promise<number> {
  const holding = await holdingTeams(context.db);
  const before = plusMonths(context.now(), -12 * packYears);
  return inBatches((limit) => deletePacksBefore(context.db, before, holding, limit), 10);
}
