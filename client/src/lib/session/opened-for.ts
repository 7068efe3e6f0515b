import { brought } from '#client/lib/session/brought.ts';

const kept = brought('opened-for');

/**
 * Keeps what a link of planning software says after the # (`/open/file-note-ai#ref=F-10225&purpose=file_note`) in the tab, through a
 * sign-in, and takes it out of the address once the tab holds it. No server sees it.
 */
export const keepOpenedFor = () => {
  const { pathname, hash } = window.location;
  if (!pathname.startsWith('/open/') || hash.length < 2) return;
  void kept.keep(pathname + hash).then(() => {
    if (window.location.pathname + window.location.hash === pathname + hash)
      window.history.replaceState(window.history.state, '', pathname);
  });
};

/** What the link to this page said, as it was written. */
export const readOpenedFor = () => {
  const [path, said = ''] = kept.read()?.split('#', 2) ?? [];
  const given = new URLSearchParams(path === window.location.pathname ? said : '');
  return { clientReference: given.get('ref') ?? '', purpose: given.get('purpose') ?? '' };
};

export const forgetOpenedFor = () => kept.forget();
