import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { adminApi } from '#shared/api/operators/admin.ts';
import { parseAbn } from '#shared/rules/australia.ts';
import { searchLimit } from '#shared/rules/operators/admin.ts';
import { invoicesKnownAs } from '#server/invoices/service.ts';
import { findPayersBy, payerOf, practices, requirePayerFacts } from '#server/payers/service.ts';
import { listedPeople } from '#server/people/service.ts';
import { forAdministrators } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { countRanked, mostActive } from './queries-ranking.ts';

type UserListQuery = Input<typeof adminApi.users>['query'];

/** An ABN, an invoice number or a Stripe id. */
const looksLikeNumber = /^(abn\b|[\d\s.-]{11,}$|[\da-z]+-\d{4,}|(cus|sub|in)_\w+$)/i;

/** The open accounts behind such a number; a team's finds its owner. */
async function findByNumber(db: Db, text: string, filter: listedPeople.Filter) {
  const [customers, invoices, subscriptions] = await Promise.all([
    findPayersBy(db, 'stripeCustomerId', [text]),
    invoicesKnownAs(db, [text, text.toUpperCase()]),
    forAdministrators.subscriptionsKnownAs(db, [text]),
  ]);
  const payers = [...customers.values(), ...[...invoices, ...subscriptions].map(payerOf)];
  const owners = await Promise.all(payers.map(async (payer) => (await requirePayerFacts(db, payer)).contactId));
  return listedPeople.among(db, owners, parseAbn(text), filter, searchLimit);
}

/** One page of all open accounts, newest first, or of those that a search finds. */
export async function listUsers({ db }: Context, query: UserListQuery): Promise<Reply<typeof adminApi.users>> {
  const { users, pagination } = await foundUsers(db, query);
  const owners = await practices.ownersAmong(
    db,
    users.map(({ id }) => id),
  );
  return { users: users.map((user) => ({ ...user, ownsTeam: owners.has(user.id) })), pagination };
}

async function foundUsers(db: Db, { page, limit, search = '', freeAccess, only }: UserListQuery) {
  const start = (page - 1) * limit;
  const filter = freeAccess === 'true' ? 'free_access' : (only ?? null);
  const text = search.replace(/\s+/g, ' ');
  const pagination = (total: number, more = false) => ({ page, total, totalPages: Math.ceil(total / limit), more });
  if (text === '') {
    const [users, total] = await Promise.all([
      listedPeople.newest(db, { start, limit }, filter),
      listedPeople.count(db, filter),
    ]);
    return { users, pagination: pagination(total) };
  }
  if (looksLikeNumber.test(text)) {
    const users = await findByNumber(db, text, filter);
    if (users.length > 0) return { users: users.slice(start, start + limit), pagination: pagination(users.length) };
  }
  // Pages end at the limit, however many more there are.
  const range = { start, limit: Math.max(0, Math.min(limit, searchLimit - start)) };
  const { users, total } = await listedPeople.search(db, text, range, filter, searchLimit);
  return { users, pagination: pagination(Math.min(total, searchLimit), total > searchLimit) };
}

/** One page of the ranking by uses of tools. */
export async function usageStats(
  { db }: Context,
  { page, limit }: { page: number; limit: number },
): Promise<Reply<typeof adminApi.usageStats>> {
  const [stats, total] = await Promise.all([mostActive(db, { start: (page - 1) * limit, limit }), countRanked(db)]);
  return { stats, pagination: { page, total, totalPages: Math.ceil(total / limit) } };
}
