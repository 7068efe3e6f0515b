/** Launch tokens and API keys, which open a tool for a person. Only their hashes are kept. */
import type { Context } from '#server/platform/context.ts';

export * from './queries.ts';

export const tellToolsJob = 'tell-tools';

/** An adviser, or everybody in a team. */
export type Whose = { userId: string | null; teamId: string | null };

/**
 * Called in the transaction of any change that may end or begin access to a tool: of a subscription, a membership, an account, a
 * factor. The job finds out whose it did, so that tools hear once of what really changed (`server/tools/tell-tools.ts`).
 */
export const accessChanged = async (context: Context, { userId, teamId }: Partial<Whose>): Promise<void> => {
  await context.queue.send(context.db, tellToolsJob, { userId: userId ?? null, teamId: teamId ?? null });
};
