import { useLayoutEffect, useState } from 'react';

/** The history's state survives a reload, and keeps the token out of addresses, logs and shared links. */
const stateKey = 'mailedToken';

const readToken = (): string | null => {
  const fromLink = new URLSearchParams(window.location.search).get('token');
  if (fromLink) return fromLink;
  const state: unknown = window.history.state;
  if (typeof state !== 'object' || state === null || !(stateKey in state)) return null;
  const kept = state[stateKey];
  return typeof kept === 'string' ? kept : null;
};

/** The token of an emailed link to `path`, which is removed from the address. Call `forget` once it is used. */
export const useMailedToken = (path: string) => {
  const [token] = useState(readToken);
  useLayoutEffect(() => {
    if (window.location.search) window.history.replaceState({ [stateKey]: token }, '', path);
  }, [token, path]);
  return { token, forget: () => window.history.replaceState(null, '', path) };
};
