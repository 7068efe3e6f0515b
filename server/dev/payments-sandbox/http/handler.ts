import { listOf, type Kind } from '../store/objects.ts';
import type { Filter, Store } from '../store/store.ts';
import { missing, SandboxError, unsupported } from './error.ts';

/** `id` is the object the path names; a path with two ids gives the outer one as `owner`. */
type Call = { store: Store; params: Record<string, unknown>; id: string; owner: string };
export type Handler = (call: Call) => Promise<object>;

/** What may be said, wherever Stripe takes it, but only with this value. */
const only: Record<string, unknown> = {
  billing_mode: { type: 'flexible' },
  cancel_at: '',
  collection_method: 'charge_automatically',
  currency: 'aud',
  inclusive: true,
  invoice_now: false,
  payment_behavior: 'default_incomplete',
  pending_invoice_items_behavior: 'exclude',
  prorate: false,
  proration_behavior: 'none',
  tax_behavior: 'inclusive',
  usage: 'off_session',
};

/** An operation that knows these parameters; others that Stripe has are refused, never ignored. Only a percentage has fractions. */
export function handle<P>(
  supported: readonly (keyof P & string)[],
  work: (store: Store, params: P, id: string, owner: string) => Promise<object>,
): Handler {
  const known = new Set<string>([...supported, ...Object.keys(only), 'expand']);
  return ({ store, params, id, owner }) => {
    for (const [name, value] of Object.entries(params)) {
      if (!known.has(name)) throw unsupported(`the parameter ${name}`, name);
      if (name in only && JSON.stringify(value) !== JSON.stringify(only[name])) throw unsupported(`this ${name}`, name);
      const isWhole = typeof value !== 'number' || Number.isInteger(value) || name === 'percentage';
      const fits = name !== 'limit' || (Number(value) >= 1 && Number(value) <= 100);
      if (!isWhole || !fits)
        throw new SandboxError(`Invalid integer: ${name}`, { code: 'parameter_invalid_integer', param: name });
    }
    return work(store, params as P, id, owner);
  };
}

/** Answers the object that the path names, also one that says it is deleted; `param` is what a refusal calls it. */
export const retrieving = (kind: Kind, param = 'id') =>
  handle<object>([], async (store, _params, id) => {
    const object = await store.find(id);
    return object?.object === kind ? object : store.get(kind, id, param);
  });

type Paging = { limit?: number; starting_after?: string };
export const paging = ['limit', 'starting_after'] as const;

/** One page of what was found, and whether there is more. */
export const pageOf = <T>(found: T[], { limit = 10 }: Paging, url: string) =>
  listOf(found.slice(0, limit), url, found.length > limit);

/** One page, newest first. Stripe's paths are the kinds in the plural. */
async function listPage(store: Store, kind: Kind, params: Paging, filter: Filter) {
  const { limit = 10, starting_after: after } = params;
  if (after) await store.get(kind, after, 'starting_after');
  return pageOf(await store.select(kind, filter, { limit: limit + 1, after }), params, `/v1/${kind}s`);
}

/** Answers a list, newest first. Where `filterOf` says nothing else, each filter is a field that equals its parameter. */
export const listing = <P extends Paging = Paging & Record<string, unknown>>(
  kind: Kind,
  filters: readonly (keyof NoInfer<P> & string)[] = [],
  filterOf = (params: P): Filter => ({ equal: Object.fromEntries(filters.map((name) => [name, params[name]])) }),
) =>
  handle<P>([...paging, ...filters], async (store, params) => {
    // Stripe lists what a deleted customer had, and refuses to list what an unknown one had
    if ('customer' in params && (await store.find(String(params.customer)))?.object !== 'customer')
      throw missing('customer', String(params.customer), 'customer');
    return listPage(store, kind, params, filterOf(params));
  });

/** Answers what belongs to the customer whom the path names. */
export const listingOfCustomer = (kind: Kind) =>
  handle<Paging>(paging, async (store, params, customer) => {
    await store.get('customer', customer);
    return listPage(store, kind, params, { equal: { customer } });
  });
