import { unsupported } from './sandbox-error.ts';
import type { Store } from './store.ts';

/** `id` is the object the path names; a path with two ids gives the outer one as `owner`. */
type Call = { store: Store; params: Record<string, unknown>; id: string; owner: string };
export type Handler = (call: Call) => Promise<object>;

/** Ties a call to its parameters' type. Parameters the provider knows and the sandbox does not are refused, never ignored. */
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
