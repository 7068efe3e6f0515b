import { useLayoutEffect, useState } from 'react';
// Kept in the tab, it survives a reload and a sign-in on the way, and stays out of addresses, logs and shared links.
import { mailedToken as kept } from '#client/lib/session/brought.ts';

const readToken = (path: string): string | null => {
  const fromLink = new URLSearchParams(window.location.search).get('token');
  if (fromLink) kept(path).keep(fromLink);
  return fromLink ?? kept(path).read();
};

/** The token that this tab keeps for a page. */
export const keptToken = (path: string) => kept(path).read();

/** The token of an emailed link to `path`, which is removed from the address. Call `forget` once it is used. */
export const useMailedToken = (path: string) => {
  const [token] = useState(() => readToken(path));
  useLayoutEffect(() => {
    if (window.location.search) window.history.replaceState(null, '', path);
  }, [path]);
  return { token, forget: () => kept(path).forget() };
};
