import { useLayoutEffect, useState } from 'react';
// Kept in the tab, it survives a reload and a sign-in on the way, and stays out of addresses, logs and shared links.
import { mailedToken as kept } from '#client/lib/session/brought.ts';

/** The token that this tab keeps for a page. */
export const keptToken = (path: string) => kept(path).read();

/** The token of an emailed link to `path`. The address loses it once the tab holds it. Call `forget` once it is used. */
export const useMailedToken = (path: string) => {
  const [fromLink] = useState(() => new URLSearchParams(window.location.search).get('token'));
  const [token] = useState(() => fromLink ?? keptToken(path));
  useLayoutEffect(() => {
    const clean = () => {
      const { pathname, search } = window.location;
      if (pathname === path && search) window.history.replaceState(null, '', path);
    };
    if (fromLink) void kept(path).keep(fromLink).then(clean);
    else clean();
  }, [path, fromLink]);
  return { token, forget: () => kept(path).forget() };
};
