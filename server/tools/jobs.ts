import { day, plus } from '#shared/rules/dates.ts';
import { deleteLaunchTokens, tellToolsJob, type Whose } from '#server/access-tokens/service.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/data/database.ts';
import { deliver, deliverJob, demandErasure, erasureJob } from './deliver.ts';
import { deleteOldEvents } from './queries-events.ts';
import { deleteOldRefusals } from './queries-refusals.ts';
import { tellTools } from './tell-tools.ts';

export { deliverDueEvents, followErasures } from './deliver.ts';
export { resealSigningSecrets } from './signing.ts';
export { tellEndedByClock } from './tell-tools.ts';

const keptDays = 7;
const eventsKeptDays = 365;

/** Deletes old launch tokens, which work for five minutes; the sessions they opened stay. */
export async function pruneLaunchTokens(context: Context): Promise<void> {
  const before = plus(context.now(), -keptDays * day);
  await inBatches((limit) => deleteLaunchTokens(context.db, before, limit));
}

export async function pruneToolEvents(context: Context): Promise<void> {
  const ago = (days: number) => plus(context.now(), -days * day);
  await inBatches((limit) => deleteOldEvents(context.db, ago(eventsKeptDays), limit));
  await inBatches((limit) => deleteOldRefusals(context.db, ago(keptDays), limit));
}

export async function defineToolJobs(context: Context): Promise<void> {
  await context.queue.define<Whose>(tellToolsJob, { retryLimit: 8, concurrency: 2 }, (whose) =>
    tellTools(context, whose),
  );
  // `deliver-due-events` retries a failed attempt; the queue retries only our own faults.
  const patient = { concurrency: 8, expireInSeconds: 120 };
  await context.queue.define<{ eventId: string }>(deliverJob, patient, ({ eventId }) => deliver(context, eventId));
  await context.queue.define<{ eventId: string }>(erasureJob, { retryLimit: 0 }, ({ eventId }) =>
    demandErasure(context, eventId),
  );
}
