import { businessZone } from '#shared/rules/dates.ts';
import { findTool } from '#server/catalogue/service.ts';
import { nameProduct } from '#server/stripe/service.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { finishActJob } from './acts/carry-out.ts';
import { finishLater } from './acts/kinds.ts';
import { carryOutJob, carryOutLater } from './approvals/decide.ts';
import { beforeAll } from './queries-count-business.ts';
import { recountBusiness, recountJob, type RecountFrom } from './recount-business.ts';
import { markRanking, repairBlocks, repairCounts, repairUsage } from './queries-verify.ts';

export { countBusiness } from './count-business.ts';
export { tellIncidents } from './tell-incidents.ts';

const rankJob = 'rank-usage';
const verifyJob = 'verify-counters';

/** Accounts per statement, and milliseconds after which another run of the job continues. */
const batch = 500;
const budgetMs = 20_000;

/**
 * Compares everything the triggers count with the rows, and corrects it: uses, account by account after `after`, then counters
 * and blocks. A difference is a bug of ours and is logged as an error.
 */
export async function verifyCounters(context: Context, after?: string): Promise<void> {
  const { db, log, queue } = context;
  const logDifferences = (what: string, differences: unknown[]) => {
    if (differences.length > 0) log.error({ what, differences: differences.slice(0, 20) }, 'a counter was wrong');
  };
  const until = realNow().getTime() + budgetMs;
  for (let at: string | null = after ?? beforeAll; at !== null;) {
    if (realNow().getTime() > until) return void (await queue.send(db, verifyJob, { after: at }));
    const { last, differences } = await repairUsage(db, at, batch);
    logDifferences('uses', differences);
    at = last;
  }
  // Last, since they include what was corrected above.
  logDifferences('counters', await repairCounts(db));
  logDifferences('blocks', await repairBlocks(db));
}

/** Gives a tool's product at Stripe the tool's name. */
async function nameTool(context: Context, toolId: string): Promise<void> {
  const tool = await findTool(context.db, toolId);
  if (tool) await nameProduct(context, tool);
}

export async function defineAdminJobs(context: Context): Promise<void> {
  const { queue } = context;
  await queue.define(rankJob, { retryLimit: 0 }, () => markRanking(context.db));
  await queue.schedule(rankJob, '*/10 * * * *', businessZone);
  await queue.define<{ after?: string }>(verifyJob, { retryLimit: 2, expireInSeconds: 60 }, ({ after }) =>
    verifyCounters(context, after),
  );
  await queue.define<{ toolId: string }>('name-product', { retryLimit: 10, expireInSeconds: 60 }, ({ toolId }) =>
    nameTool(context, toolId),
  );
  await queue.define<{ id: string }>(carryOutJob, { retryLimit: 8, expireInSeconds: 60 }, ({ id }) =>
    carryOutLater(context, id),
  );
  await queue.define<{ id: string }>(finishActJob, { retryLimit: 8, expireInSeconds: 60 }, ({ id }) =>
    finishLater(context, id),
  );
  await queue.define<RecountFrom>(recountJob, { retryLimit: 0, expireInSeconds: 60 }, (from) =>
    recountBusiness(context, from),
  );
  await queue.schedule(recountJob, '15 4 * * *', businessZone);
  await queue.schedule(verifyJob, '10 4 * * *', businessZone);
}
