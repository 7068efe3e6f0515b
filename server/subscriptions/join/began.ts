import { minute } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { hasBegun, noteBegun } from './queries-join.ts';

/** Servers of the older release may still run beside this one for so long, in milliseconds, while an operator goes over to it. */
const rollsOverIn = 15 * minute;

/** Notes that joining begins; unless it must be `atOnce`, not while servers of the older release may still run. */
export async function begin({ db, env, now }: Context, { atOnce = false } = {}): Promise<boolean> {
  if (await hasBegun(db)) return true;
  if (!atOnce && env.mode === 'production' && process.uptime() * 1000 < rollsOverIn) return false;
  await noteBegun(db, now());
  return true;
}
