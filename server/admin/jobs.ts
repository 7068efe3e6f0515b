import { findTool } from '#server/catalogue/service.ts';
import { nameProduct } from '#server/stripe/products.ts';
import { usesBesideOutside } from '#server/usage/service.ts';
import type { Context } from '#server/platform/context.ts';
import { finishAct, finishActJob, olderFinishJob } from './acts/carry-out.ts';
import { kinds } from './acts/kinds.ts';
import { refreshFigures } from './business/queries-business.ts';
import { correctUses } from './people/queries-ranking.ts';

export { tellIncidents } from './incidents/tell-incidents.ts';

/** Older releases counted sessions with tools from elsewhere as uses of ours. */
export async function correctRanking({ db }: Context): Promise<void> {
  for (const { userId, uses } of await usesBesideOutside(db)) await correctUses(db, userId, uses);
}

export const refreshBusiness = ({ db }: Context) => refreshFigures(db);

export async function defineAdminJobs(context: Context): Promise<void> {
  const { queue } = context;
  // Gives the tool's product at Stripe the tool's name.
  await queue.define<{ toolId: string }>(
    'name-product',
    { retryLimit: 10, expireInSeconds: 60 },
    async ({ toolId }) => {
      const tool = await findTool(context.db, toolId);
      if (tool) await nameProduct(context, tool);
    },
  );
  for (const name of [finishActJob, olderFinishJob])
    await queue.define<{ id: string }>(name, { retryLimit: 8, expireInSeconds: 60 }, ({ id }) =>
      finishAct(context, id, kinds),
    );
}
