import { findTool } from '#server/catalogue/service.ts';
import { nameProduct } from '#server/stripe/products.ts';
import type { Context } from '#server/platform/context.ts';
import { finishActJob, olderFinishJob } from './acts/carry-out.ts';
import { finishLater } from './acts/kinds.ts';
import { refreshFigures } from './business/queries-business.ts';

export { tellIncidents } from './incidents/tell-incidents.ts';

/** Brings the figures of the business up to date. */
export const refreshBusiness = ({ db }: Context) => refreshFigures(db);

/** Gives a tool's product at Stripe the tool's name. */
async function nameTool(context: Context, toolId: string): Promise<void> {
  const tool = await findTool(context.db, toolId);
  if (tool) await nameProduct(context, tool);
}

export async function defineAdminJobs(context: Context): Promise<void> {
  const { queue } = context;
  await queue.define<{ toolId: string }>('name-product', { retryLimit: 10, expireInSeconds: 60 }, ({ toolId }) =>
    nameTool(context, toolId),
  );
  for (const name of [finishActJob, olderFinishJob])
    await queue.define<{ id: string }>(name, { retryLimit: 8, expireInSeconds: 60 }, ({ id }) =>
      finishLater(context, id),
    );
}
