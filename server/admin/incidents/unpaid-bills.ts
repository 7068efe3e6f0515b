import type { Reply } from '#shared/api/endpoint.ts';
import type { oversightApi } from '#shared/api/oversight.ts';
import { forAdministrators } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';
import { namesById } from '../people/queries-names.ts';
import { present } from './about.ts';

/** `GET /api/admin/unpaid-bills` */
export async function unpaidBills({ db }: Context): Promise<Reply<typeof oversightApi.unpaidBills>> {
  const bills = await forAdministrators.billsInGrace(db, null);
  const names = await namesById(db, present(bills.flatMap(({ userId, teamId }) => [userId, teamId])));
  return bills
    .flatMap(({ id, userId, teamId, graceEnd, problem, totalCents }) => {
      if (!graceEnd) return [];
      const who = { userId, teamId, name: names.get(teamId ?? userId ?? '') ?? 'A closed account' };
      return { id, who, graceEnd, dueCents: problem?.dueCents ?? totalCents, reason: problem?.reason ?? '' };
    })
    .toSorted((a, b) => a.graceEnd.getTime() - b.graceEnd.getTime());
}
