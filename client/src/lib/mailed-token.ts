import { useLayoutEffect, useState } from 'react';

/** Beside the history's entry the token survives a reload, and stands in no address, log or shared link. */
const stateKey = 'mailedToken';

const readToken = (): string | null => {
  const fromLink = new URLSearchParams(window.location.search).get('token');
  if (fromLink) return fromLink;
  const state: unknown = window.history.state;
  if (typeof state !== 'object' || state === null || !(stateKey in state)) return null;
  const kept = state[stateKey];
  return typeof kept === 'string' ? kept : null;
};

/** The mailed token of the page at `path`, taken out of the address at once; `forget` when it is spent. */
export const useMailedToken = (path: string) => {
  const [token] = useState(readToken);
  useLayoutEffect(() => {
    if (window.location.search) window.history.replaceState({ [stateKey]: token }, '', path);
  }, [token, path]);
  return { token, forget: () => window.history.replaceState(null, '', path) };
};
