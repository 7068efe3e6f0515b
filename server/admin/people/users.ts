import type { Reply } from '#shared/api/endpoint.ts';
import type { adminApi } from '#shared/api/admin.ts';
import { searchLimit } from '#shared/rules/operators/admin.ts';
import type { Context } from '#server/platform/context.ts';
import { countRanked, countUsers, findUsers, findUsersByNumber, mostActive, newestUsers } from './queries-users.ts';

type UserListQuery = { page: number; limit: number; search?: string | undefined; freeAccess?: 'true' | undefined };

/** An ABN, an invoice number or a Stripe id. */
const looksLikeNumber = /^(abn\b|[\d\s.-]{11,}$|[\da-z]+-\d{4,}|(cus|sub|in)_\w+$)/i;

const pagesOf = (total: number, limit: number) => Math.ceil(total / limit);

/** One page of all open accounts, newest first, or of those that a search finds. */
export async function listUsers(
  { db }: Context,
  { page, limit, search = '', freeAccess }: UserListQuery,
): Promise<Reply<typeof adminApi.users>> {
  const range = { start: (page - 1) * limit, limit };
  const free = freeAccess === 'true';
  const text = search.replace(/\s+/g, ' ');
  if (text === '') {
    const [users, total] = await Promise.all([newestUsers(db, range, free), countUsers(db, free)]);
    return { users, pagination: { page, total, totalPages: pagesOf(total, limit), more: false } };
  }
  if (looksLikeNumber.test(text)) {
    const users = (await findUsersByNumber(db, text, searchLimit)).filter((user) => !free || user.freeAccessGranted);
    const shown = users.slice(range.start, range.start + limit);
    if (users.length > 0)
      return {
        users: shown,
        pagination: { page, total: users.length, totalPages: pagesOf(users.length, limit), more: false },
      };
  }
  // Pages end at the limit, however many more there are.
  const searched = { start: range.start, limit: Math.max(0, Math.min(limit, searchLimit - range.start)) };
  const { users, total: found } = await findUsers(db, text, searched, free, searchLimit);
  const total = Math.min(found, searchLimit);
  return { users, pagination: { page, total, totalPages: pagesOf(total, limit), more: found > searchLimit } };
}

/** One page of the ranking by uses of tools. */
export async function usageStats(
  { db }: Context,
  { page, limit }: { page: number; limit: number },
): Promise<Reply<typeof adminApi.usageStats>> {
  const [stats, total] = await Promise.all([mostActive(db, { start: (page - 1) * limit, limit }), countRanked(db)]);
  return { stats, pagination: { page, total, totalPages: pagesOf(total, limit) } };
}
