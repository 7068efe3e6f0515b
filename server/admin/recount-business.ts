import { day, plus } from '#shared/rules/dates.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { countBusiness } from './count-business.ts';
import { beforeAll } from './queries-count-business.ts';
import { isTakenIn, recountBatch, recountSources } from './queries-recount.ts';

export const recountJob = 'recount-business';

/** Rows written within these days are compared with what the triggers noted, so a night or two may be missed. */
const days = 4;
const batch = 1000;
/** Milliseconds after which another run of the job continues. */
const budgetMs = 20_000;
/** How many ids the error names. */
const named = 10;

/** Where a run continues, and how much the runs before it mended. */
export type RecountFrom = { source?: number; after?: string; mended?: number };

/**
 * Mends what the triggers left out: their faults never stop a purchase or an invoice, so they leave gaps in the figures. A missed
 * change counts in the month it is found in, an invoice or note in its own month. Fails if it had to mend anything, so that an
 * administrator hears of it.
 */
export async function recountBusiness(context: Context, from: RecountFrom = {}): Promise<void> {
  const { db, log, queue } = context;
  if (!(await isTakenIn(db))) return;
  const since = plus(realNow(), -days * day);
  const until = realNow().getTime() + budgetMs;
  let mended = from.mended ?? 0;
  let after = from.after ?? beforeAll;
  for (let source = from.source ?? 0; source < recountSources.length; source += 1) {
    const what = recountSources[source]!;
    for (let at: string | null = after; at !== null;) {
      if (realNow().getTime() > until) return void (await queue.send(db, recountJob, { source, after: at, mended }));
      const begun: string = at;
      const done = await transaction(db, (tx) => recountBatch[what](tx, begun, since, batch));
      if (done.mended.length > 0) log.error({ what, ids: done.mended.slice(0, named) }, 'the business was not counted');
      mended += done.mended.length;
      at = done.last;
    }
    after = beforeAll;
  }
  if (mended === 0) return;
  await countBusiness(context);
  throw new Error(`${mended} changes or invoices had not been counted. They are now; the log names them.`);
}
