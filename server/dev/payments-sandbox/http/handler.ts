import type { Store } from '../store/store.ts';
import { unsupported } from './error.ts';

/** `id` is the object the path names; a path with two ids gives the outer one as `owner`. */
type Call = { store: Store; params: Record<string, unknown>; id: string; owner: string };
export type Handler = (call: Call) => Promise<object>;

/** An operation that knows these parameters; others that Stripe has are refused, never ignored. */
export function handle<P>(
  supported: readonly (keyof P & string)[],
  work: (store: Store, params: P, id: string, owner: string) => Promise<object>,
): Handler {
  const known = new Set<string>([...supported, 'expand']);
  return ({ store, params, id, owner }) => {
    const strange = Object.keys(params).find((name) => !known.has(name));
    if (strange) throw unsupported(`the parameter ${strange}`, strange);
    return work(store, params as P, id, owner);
  };
}
