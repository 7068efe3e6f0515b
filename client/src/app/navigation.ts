import { landingPage, pages } from '#client/app/pages.ts';
import { resolveRoute, type Situation } from '#client/app/resolve-route.ts';

const linkOf = (event: Event) => (event.target instanceof Element ? event.target.closest('a') : null);

/** Fetches a page's files when a link to it is pointed at or focused, so that the press finds them here. */
const prefetch = (situation: () => Situation) => (event: Event) => {
  const link = linkOf(event);
  if (!link || link.origin !== window.location.origin || link.target) return;
  const resolution = resolveRoute(situation(), link.pathname);
  const page = resolution.show === 'page' ? pages[resolution.page] : resolution.show === 'landing' ? landingPage : null;
  // A failure is met again, and shown, when the page is opened.
  page?.load().catch(() => undefined);
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
