import { day, plus } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/data/database.ts';
import { blankExpired } from './queries-list.ts';

/** For how long support can look up an expired notice. */
const keptDays = 30;

/** Blanks what expired a month ago. The rows stay, so that their keys still prevent a second notice. */
export async function blankOldNotices(context: Context): Promise<void> {
  const before = plus(context.now(), -keptDays * day);
  await inBatches((limit) => blankExpired(context.db, before, limit));
}
