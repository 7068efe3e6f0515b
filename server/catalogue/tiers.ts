import type { DatedTier } from '#shared/rules/tiers.ts';
import type { Context } from '#server/platform/context.ts';
import { tierRows } from './queries-discounts.ts';

/** The volume discounts with their dates, and how often they were changed. */
export type TierSchedule = { number: number; tiers: DatedTier[] };

export async function tierSchedule({ db }: Pick<Context, 'db'>): Promise<TierSchedule> {
  const rows = await tierRows(db);
  return {
    number: rows[0]?.number ?? 0,
    tiers: rows.map(({ toolCount, discountPercent, startsAt, endsAt }) => ({
      toolCount,
      discountPercent: Number(discountPercent),
      from: startsAt,
      until: endsAt,
    })),
  };
}

/** `GET /api/discounts/tiers`: those that hold now, smallest first. */
export async function tiersNow({ db, now }: Pick<Context, 'db' | 'now'>) {
  const at = now();
  const rows = await tierRows(db);
  return rows.filter(({ startsAt, endsAt }) => (!startsAt || startsAt <= at) && (!endsAt || endsAt > at));
}
