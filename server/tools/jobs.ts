import { day, plus } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { deleteLaunchTokens } from './queries.ts';

const keptDays = 7;
/** A statement must end within three seconds, so a long backlog goes in pieces. */
const atOnce = 2000;

/** Launch tokens are worthless after five minutes; the sessions they opened stay. */
export async function pruneLaunchTokens(context: Context): Promise<void> {
  const before = plus(context.now(), -keptDays * day);
  while ((await deleteLaunchTokens(context.db, before, atOnce)) === atOnce);
}
