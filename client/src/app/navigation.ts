import type { QueryClient } from '@tanstack/react-query';
import { LandingPage, pages, SignedInShell } from '#client/app/pages.ts';
import { resolveRoute, type Situation } from '#client/app/resolve-route.ts';
import { hasOwnAnswers } from '#client/lib/calls/own-answers.ts';
import { fetchUser, mayHoldSession } from '#client/lib/session/session.ts';
import { showTypeface } from '#client/lib/pages/typeface.ts';

/** The longest that the document's frame stays up. A slow phone needs most of it to run code that has already arrived. */
const patienceOfFrameMs = 1000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const linkOf = (event: Event) => (event.target instanceof Element ? event.target.closest('a') : null);

const load = async (situation: Situation, path: string) => {
  const resolution = resolveRoute(situation, path);
  const page = resolution.show === 'page' ? pages[resolution.page] : resolution.show === 'landing' ? LandingPage : null;
  // If this fails, opening the page tries again and shows the error.
  await page?.load().catch(() => undefined);
};

/**
 * Fetches the code of the page the browser opened. With a session it does so while the server says who is asking, guessing that the profile
 * is complete. Waits for a prerendered page, which needs its code to hydrate; for the landing page, which is small (React would show its
 * skeleton for at least 300 ms); and, briefly, for a page that came with its answers.
 */
export const loadFirstPage = async (rendered: boolean, queryClient: QueryClient) => {
  const { pathname } = window.location;
  const situation = !rendered && mayHoldSession() ? 'complete' : 'signed-out';
  const page = load(situation, pathname);
  const shell = situation === 'complete' && SignedInShell.load().catch(() => undefined);
  if (rendered || resolveRoute(situation, pathname).show === 'landing') await page;
  // Its code is already on the way, so React's own frame would only flash.
  else if (hasOwnAnswers())
    await Promise.race([Promise.all([page, shell, fetchUser(queryClient)]), pause(patienceOfFrameMs)]);
};

/** Fetches a page's code when a link to it is hovered or focused. */
const prefetch = (situation: () => Situation) => (event: Event) => {
  const link = linkOf(event);
  if (!link || link.origin !== window.location.origin || link.target) return;
  void load(situation(), link.pathname);
};

/** How long a page's heading may take to arrive and still be given the focus. */
const patienceMs = 20_000;
let giveUp: () => void = () => undefined;

/**
 * Moves the focus to the next page's heading, once it is drawn: the page may have to load first, and the shell to change with it.
 * A press of a key or a pointer meanwhile cancels it.
 */
const focusHeading = () => {
  giveUp();
  const old = document.querySelector('main h1');
  document.getElementById('main')?.focus({ preventScroll: true });
  const look = () => {
    const active = document.activeElement;
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading || heading === active || heading === old) return;
    if (active && active !== document.body && active.id !== 'main') return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => giveUp(), patienceMs);
  giveUp = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
};

/** A new page starts at the top; after Back and Forward the browser restores the scroll position. */
const startAtTop = () => {
  let last = window.location.pathname;
  const settle = (event: Event) => {
    const { pathname } = window.location;
    if (pathname === last) return;
    last = pathname;
    if (event.type !== 'popstate') window.scrollTo(0, 0);
    showTypeface();
    focusHeading();
  };
  for (const type of ['pushState', 'replaceState', 'popstate']) window.addEventListener(type, settle);
  for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, () => giveUp(), { capture: true });
};

export const watchNavigation = (situation: () => Situation) => {
  const onPoint = prefetch(situation);
  document.addEventListener('pointerover', onPoint, { passive: true });
  document.addEventListener('focusin', onPoint);
  startAtTop();
};
