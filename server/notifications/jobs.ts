import { day, plus } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { blankExpired } from './queries-list.ts';

/** A notice that expired can be looked up by support for this long. */
const keptDays = 30;
/** A statement must end within three seconds, so a long backlog goes in pieces. */
const atOnce = 1000;

/** Blanks what expired a month ago. Rows stay for their keys: what was told once is not told again. */
export async function blankOldNotices(context: Context): Promise<void> {
  const before = plus(context.now(), -keptDays * day);
  while ((await blankExpired(context.db, before, atOnce)) === atOnce);
}
