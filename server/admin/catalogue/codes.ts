import type { codesApi } from '#shared/api/operators/discount-codes.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { adminPageSize } from '#shared/rules/operators/admin.ts';
import { codes } from '#server/catalogue/service.ts';
import { forAdministrators } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';
import { administratorNames } from '../people/queries-names.ts';

export async function listCodes({ db }: Context): Promise<Reply<typeof codesApi.list>> {
  const rows = await codes.codesMade(db);
  const [counts, nameOf] = await Promise.all([
    forAdministrators.redemptionCounts(
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

export async function listRedemptions(
  { db }: Context,
  codeId: string,
  page: number,
): Promise<Reply<typeof codesApi.redemptions>> {
  const [redemptions, total] = await Promise.all([
    forAdministrators.redemptionsOf(db, codeId, { start: (page - 1) * adminPageSize, limit: adminPageSize }),
    forAdministrators.countRedemptions(db, codeId),
  ]);
  return { redemptions, pagination: { page, total, totalPages: Math.ceil(total / adminPageSize) } };
}
