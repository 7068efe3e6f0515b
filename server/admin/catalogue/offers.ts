import type { RequestHandler } from 'express';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import type { offersApi } from '#shared/api/offers.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { tiersAt, tiersChangeAt } from '#shared/rules/billing/pricing.ts';
import { pricing, tierSchedule } from '#server/catalogue/service.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { administratorNames } from '../people/queries-names.ts';
import { previewTiers, setTiers, withdrawTiers } from './volume-discounts.ts';

async function showTiers(context: Context): Promise<Reply<typeof offersApi.tiers>> {
  const now = context.now();
  const [{ number, tiers }, rows] = await Promise.all([tierSchedule(context), pricing.tierChangesOf(context.db)]);
  const by = await administratorNames(
    context.db,
    rows.map(({ changedBy }) => changedBy),
  );
  const startsAt = tiersChangeAt(tiers, now);
  const withdrawn = new Set(rows.map(({ withdraws }) => withdraws));
  return {
    number,
    tiers: tiersAt(tiers, now),
    coming: startsAt && { number, tiers: tiersAt(tiers, startsAt), startsAt },
    history: rows.map(({ changedBy, ...row }) => ({
      ...row,
      by: by(changedBy),
      isWithdrawn: withdrawn.has(row.number),
    })),
  };
}

export const offerRoutes = (context: Context): RequestHandler =>
  implement(
    contract.offers,
    {
      tiers: (_input, ctx) => showTiers(ctx),
      previewTiers: ({ query }, ctx) => previewTiers(ctx, query.tiers),
      setTiers: async ({ actor, body }, ctx) => {
        const { startsAt } = await setTiers(ctx, actor, body);
        return {
          message: startsAt
            ? `The volume discounts change on ${formatSydneyDate(startsAt)}. Whoever pays more is being told.`
            : 'The volume discounts hold from now on. Whoever pays less is being told.',
        };
      },
      withdrawTiers: async ({ actor, body }, ctx) => {
        await withdrawTiers(ctx, actor, body);
        return { message: 'The change was taken back. Those who were told of it are being told so.' };
      },
    },
    context,
  );
