import { minute } from '#shared/rules/dates.ts';
import { hasBegunToJoin, noteJoinBegun } from '#server/stripe/service.ts';
import type { Context } from '#server/platform/context.ts';

/** Servers of the older release may still run beside this one for so long, in milliseconds, while an operator goes over to it. */
const rollsOverIn = 15 * minute;

/** Notes that joining begins; unless it must be `atOnce`, not while servers of the older release may still run. */
export async function begin({ db, env, now }: Context, { atOnce = false } = {}): Promise<boolean> {
  if (await hasBegunToJoin(db)) return true;
  if (!atOnce && env.mode === 'production' && process.uptime() * 1000 < rollsOverIn) return false;
  await noteJoinBegun(db, now());
  return true;
}
