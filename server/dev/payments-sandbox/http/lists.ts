import type { Kind } from '../store/objects.ts';
import type { Filter } from '../store/queries.ts';
import type { Store } from '../store/store.ts';
import { SandboxError } from './error.ts';
import { handle } from './handler.ts';

type Paging = { limit?: number; starting_after?: string };
const paging = ['limit', 'starting_after'] as const;

export const listOf = <T>(data: T[], url: string, hasMore = false) => ({
  object: 'list' as const,
  data,
  has_more: hasMore,
  url,
});

function limitOf({ limit = 10 }: Paging): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw new SandboxError('Invalid integer: limit must be between 1 and 100.', { param: 'limit' });
}

/** One page of an invoice's lines, in their own order. */
export function pageOf<T extends { id: string }>(all: T[], params: Paging, url: string) {
  const limit = limitOf(params);
  const first = all.findIndex(({ id }) => id === params.starting_after) + 1;
  return listOf(all.slice(first, first + limit), url, first + limit < all.length);
}

/** One page, newest first. */
async function listPage(store: Store, kind: Kind, params: Paging, filter: Filter, url: string) {
  const limit = limitOf(params);
  if (params.starting_after) await store.get(kind, params.starting_after, 'starting_after');
  const found = await store.select(kind, filter, { limit: limit + 1, after: params.starting_after });
  return listOf(found.slice(0, limit), url, found.length > limit);
}

/** Answers the object that the path names. */
export const retrieving = (kind: Kind) => handle<object>([], (store, _params, id) => store.get(kind, id));

/**
 * Answers a list, newest first. Where `filterOf` says nothing else, each filter is a field that must equal the parameter
 * of its name.
 */
export const listing = <P extends Paging = Paging & Record<string, unknown>>(
  kind: Kind,
  url: string,
  filters: readonly (keyof NoInfer<P> & string)[] = [],
  filterOf = (params: P): Filter => ({ equal: Object.fromEntries(filters.map((name) => [name, params[name]])) }),
) => handle<P>([...paging, ...filters], (store, params) => listPage(store, kind, params, filterOf(params), url));

/** Answers what belongs to the customer whom the path names. */
export const listingOfCustomer = (kind: Kind, name: string) =>
  handle<Paging>(paging, async (store, params, customer) => {
    await store.get('customer', customer);
    return listPage(store, kind, params, { equal: { customer } }, `/v1/customers/${customer}/${name}`);
  });
