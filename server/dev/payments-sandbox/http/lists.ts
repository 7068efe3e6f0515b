import type { Kind } from '../store/objects.ts';
import type { Filter } from '../store/queries.ts';
import type { Store } from '../store/store.ts';
import { missing, SandboxError } from './error.ts';
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

/** A list inside an object, which counts its entries. */
export const embeddedList = <T>(data: T[], url: string) => ({ ...listOf(data, url), total_count: data.length });

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

/** Answers the object that the path names; `param` is what a refusal calls it. */
export const retrieving = (kind: Kind, param = 'id') =>
  handle<object>([], (store, _params, id) => store.get(kind, id, param));

/**
 * Answers a list, newest first. Where `filterOf` says nothing else, each filter is a field that must equal the parameter
 * of its name.
 */
export const listing = <P extends Paging = Paging & Record<string, unknown>>(
  kind: Kind,
  url: string,
  filters: readonly (keyof NoInfer<P> & string)[] = [],
  filterOf = (params: P): Filter => ({ equal: Object.fromEntries(filters.map((name) => [name, params[name]])) }),
) =>
  handle<P>([...paging, ...filters], async (store, params) => {
    if ('customer' in params) await checkCustomer(store, String(params.customer));
    return listPage(store, kind, params, filterOf(params), url);
  });

/** Stripe lists what a deleted customer had, and refuses to list what an unknown one had. */
async function checkCustomer(store: Store, id: string) {
  if ((await store.find(id))?.object !== 'customer') throw missing('customer', id, 'customer');
}

/** Answers what belongs to the customer whom the path names. */
export const listingOfCustomer = (kind: Kind, name: string) =>
  handle<Paging>(paging, async (store, params, customer) => {
    await store.get('customer', customer);
    return listPage(store, kind, params, { equal: { customer } }, `/v1/customers/${customer}/${name}`);
  });
