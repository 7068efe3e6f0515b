import { useLayoutEffect, useState } from 'react';
import { paths } from '#client/lib/paths.ts';

/** In this tab only: it outlives sign-up, profile and reload, and stands in no address, log or shared link. */
const storageKey = 'invitation-token';

const stored = (act: (storage: Storage) => string | null | void): string | null => {
  try {
    return act(window.sessionStorage) ?? null;
  } catch {
    // The browser keeps nothing: the link in the mail still works.
    return null;
  }
};

const readToken = () =>
  new URLSearchParams(window.location.search).get('token') ?? stored((storage) => storage.getItem(storageKey));

/** The token of an invitation link, taken out of the address at once; `forget` once it is answered. */
export const useInvitationToken = () => {
  const [token] = useState(readToken);
  useLayoutEffect(() => {
    if (token) stored((storage) => storage.setItem(storageKey, token));
    if (window.location.search) window.history.replaceState(null, '', paths.acceptInvitation);
  }, [token]);
  return { token, forget: () => void stored((storage) => storage.removeItem(storageKey)) };
};
