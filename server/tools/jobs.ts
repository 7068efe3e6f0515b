import { day, plus } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { deleteLaunchTokens } from './queries.ts';

const keptDays = 7;

/** Launch tokens are worthless after five minutes; the sessions they opened stay. */
export const pruneLaunchTokens = (context: Context) =>
  deleteLaunchTokens(context.db, plus(context.now(), -keptDays * day));
