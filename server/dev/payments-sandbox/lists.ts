import type Stripe from 'stripe';
import { listOf } from './expand.ts';
import type { Kind } from './objects.ts';
import type { Filter } from './queries.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

type ListParams = {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
  created?: Stripe.RangeQueryParam | number;
};

function limitOf({ limit = 10 }: ListParams): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw new SandboxError('Invalid integer: limit must be between 1 and 100.', { param: 'limit' });
}

/** One page of lines, in their own order. */
export function pageOf<T extends { id: string }>(all: T[], params: ListParams, url: string) {
  const limit = limitOf(params);
  const place = (id: string) => all.findIndex((entry) => entry.id === id);
  const last = params.ending_before ? place(params.ending_before) : all.length;
  const first = params.starting_after ? place(params.starting_after) + 1 : params.ending_before ? last - limit : 0;
  const page = all.slice(Math.max(0, first), Math.min(last, Math.max(0, first) + limit));
  const more = params.ending_before ? first > 0 : first + limit < last;
  return listOf(page, url, more);
}

/** One page, newest first. */
export async function listPage<K extends Kind>(store: Store, kind: K, params: ListParams, filter: Filter, url: string) {
  const limit = limitOf(params);
  if (params.starting_after) await store.get(kind, params.starting_after, 'starting_after');
  if (params.ending_before) await store.get(kind, params.ending_before, 'ending_before');
  const created = typeof params.created === 'number' ? { gte: params.created, lte: params.created } : params.created;
  const found = await store.select(
    kind,
    { ...filter, ...(created ? { created } : {}) },
    { limit: limit + 1, after: params.starting_after, before: params.ending_before },
  );
  const more = found.length > limit;
  const page = params.ending_before && more ? found.slice(1) : found.slice(0, limit);
  return listOf(page, url, more);
}

/** Only the fields that were given: an absent filter filters nothing. */
export const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
