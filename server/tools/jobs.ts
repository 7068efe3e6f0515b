import { day, plus } from '#shared/rules/dates.ts';
import { deleteLaunchTokens } from '#server/access-tokens/service.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/database.ts';

const keptDays = 7;

/** Deletes old launch tokens, which work for five minutes; the sessions they opened stay. */
export async function pruneLaunchTokens(context: Context): Promise<void> {
  const before = plus(context.now(), -keptDays * day);
  await inBatches((limit) => deleteLaunchTokens(context.db, before, limit));
}
