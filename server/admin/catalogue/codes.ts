import type { RequestHandler } from 'express';
import type { codesApi } from '#shared/api/discount-codes.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { adminPageSize } from '#shared/rules/operators/admin.ts';
import { codes } from '#server/catalogue/service.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { redemptionCounts, redemptionsOf, redemptionTotal } from './queries-codes.ts';
import { administratorNames } from '../people/queries-names.ts';

async function listCodes({ db }: Context): Promise<Reply<typeof codesApi.list>> {
  const rows = await codes.codesMade(db);
  const [counts, nameOf] = await Promise.all([
    redemptionCounts(
      db,
      rows.map(({ id }) => id),
    ),
    administratorNames(
      db,
      rows.flatMap(({ madeBy, endedBy }) => (endedBy === null ? [madeBy] : [madeBy, endedBy])),
    ),
  ]);
  return rows.map(({ madeBy, endedAt, endedBy, endReason, ...row }) => ({
    ...row,
    ...(counts.get(row.id) ?? { redeemed: 0, open: 0 }),
    madeBy: nameOf(madeBy),
    ended: endedAt && { at: endedAt, by: nameOf(endedBy ?? ''), reason: endReason ?? '' },
  }));
}

async function listRedemptions(
  { db }: Context,
  codeId: string,
  page: number,
): Promise<Reply<typeof codesApi.redemptions>> {
  const [redemptions, total] = await Promise.all([
    redemptionsOf(db, codeId, { start: (page - 1) * adminPageSize, limit: adminPageSize }),
    redemptionTotal(db, codeId),
  ]);
  return { redemptions, pagination: { page, total, totalPages: Math.ceil(total / adminPageSize) } };
}

export const codeRoutes = (context: Context): RequestHandler =>
  implement(
    contract.codes,
    {
      list: (_input, ctx) => listCodes(ctx),
      redemptions: ({ params, query }, ctx) => listRedemptions(ctx, params.codeId, query.page),
      make: async ({ actor, body }, ctx) => {
        const { startsAt } = await codes.makeCode(ctx, actor, body);
        return {
          message: `${body.code} can be redeemed from ${startsAt ? formatSydneyDate(startsAt) : 'now on'}.`,
        };
      },
      end: async ({ actor, params, body }, ctx) => {
        await codes.endCode(ctx, actor, params.codeId, body.reason);
        return { message: 'Nobody can redeem it any more. Those who have redeemed it keep it.' };
      },
    },
    context,
  );
