import type { Context } from '#server/platform/context.ts';
import { pruneBatch } from './queries.ts';

/** Deletes expired tokens, and sessions and tombstones older than a day, until none is left. */
export async function pruneAccounts(context: Context): Promise<void> {
  while ((await pruneBatch(context.db, context.now())) > 0);
}
