import { landingPage, pages } from '#client/app/pages.ts';
import { resolveRoute, type Situation } from '#client/app/resolve-route.ts';
import { loadShell } from '#client/app/signed-in-shell.ts';
import { mayHoldSession } from '#client/lib/session.ts';

const linkOf = (event: Event) => (event.target instanceof Element ? event.target.closest('a') : null);

const load = async (situation: Situation, path: string) => {
  const resolution = resolveRoute(situation, path);
  const page = resolution.show === 'page' ? pages[resolution.page] : resolution.show === 'landing' ? landingPage : null;
  // A failure is met again, and shown, when the page is opened.
  await page?.load().catch(() => undefined);
};

/**
 * Fetches the files of the page the browser opened; with a session, while the server says who is asking (that the profile
 * is complete is seldom a wrong guess). A page that is here already is taken over with its files, and the landing is
 * small: both are waited for. React keeps a skeleton for at least 300 ms.
 */
export const loadFirstPage = async (rendered: boolean) => {
  const { pathname } = window.location;
  const situation = mayHoldSession() ? 'complete' : 'signed-out';
  const page = load(situation, pathname);
  if (situation === 'complete') loadShell().catch(() => undefined);
  if (rendered || resolveRoute(situation, pathname).show === 'landing') await page;
};

/** Fetches a page's files when a link to it is pointed at or focused, so that the press finds them here. */
const prefetch = (situation: () => Situation) => (event: Event) => {
  const link = linkOf(event);
  if (!link || link.origin !== window.location.origin || link.target) return;
  void load(situation(), link.pathname);
};

/** Another page starts at its top, with the focus on its content; Back and Forward are the browser's own. */
const startAtTop = () => {
  let last = window.location.pathname;
  const settle = (event: Event) => {
    const { pathname } = window.location;
    if (pathname === last) return;
    last = pathname;
    if (event.type === 'popstate') return;
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  for (const type of ['pushState', 'replaceState', 'popstate']) window.addEventListener(type, settle);
};

export const watchNavigation = (situation: () => Situation) => {
  const onPoint = prefetch(situation);
  document.addEventListener('pointerover', onPoint, { passive: true });
  document.addEventListener('focusin', onPoint);
  startAtTop();
};
