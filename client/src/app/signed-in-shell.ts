import { lazy } from 'react';

/** Its menus are not downloaded by visitors. */
export const loadShell = async () => ({ default: (await import('#client/app/shell.tsx')).Shell });
export const SignedInShell = lazy(loadShell);
