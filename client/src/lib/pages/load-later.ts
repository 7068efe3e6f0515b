import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react';
import { currentPage } from '#client/lib/calls/request.ts';
import { createEvent, createStore } from '#client/lib/session/store.ts';

/** Why code does not arrive: no connection, a release has replaced this page's code, or unknown. */
export type Trouble = 'offline' | 'released' | 'missing';

const trouble = createStore<Trouble | null>(null);
export const useTrouble = trouble.use;

const again = createEvent();
export const tryAgain = again.fire;

const longestMs = 30_000;
let waiting = 0;

/** After a release, the server's page begins with a different script from ours. */
const lookWhy = async (): Promise<Trouble> => {
  const ours = document.querySelector('script[type=module][src]')?.getAttribute('src');
  const html = await currentPage();
  if (html === null) return 'offline';
  return ours && !html.includes(ours) ? 'released' : 'missing';
};

const calm = () => trouble.set(navigator.onLine ? null : 'offline');

/** Until the time is up, the browser is back online, or somebody presses "Try again". */
const pause = (ms: number) =>
  new Promise<void>((resume) => {
    const stop = again.on(() => done());
    const timer = setTimeout(() => done(), ms);
    const done = () => {
      stop();
      clearTimeout(timer);
      resume();
    };
  });

/** Loads code and, while that fails, says why and tries again, at ever longer intervals. Never rejects. */
export const keepTrying = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch {
    waiting += 1;
  }
  for (let ms = 1000; ; ms = Math.min(2 * ms, longestMs)) {
    trouble.set(await lookWhy());
    await pause(ms);
    try {
      const loaded = await load();
      waiting -= 1;
      if (waiting === 0) calm();
      return loaded;
    } catch {
      // The next round says why.
    }
  }
};

/**
 * A component whose code comes later. Until it arrives only its Suspense waits, not the rest of the page. Code that `load` has already
 * fetched is drawn at once: React's own `lazy` would draw the skeleton first, and keep it for 300 ms.
 */
export const later = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) => {
  let loaded: ComponentType<P> | undefined;
  const fetched = async () => {
    const part = await load();
    loaded = part.default;
    return part;
  };
  const Lazy: ComponentType<P> = lazy(() => keepTrying(fetched));
  const Later = (props: P) => {
    const [Part] = useState(() => loaded ?? Lazy);
    return createElement(Part, props);
  };
  return Object.assign(Later, { load: fetched });
};

/** As `later`, for a part of a page that waits by itself: `fallback` is shown until its code arrives. */
export const laterPart = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  fallback: ReactNode = null,
) => {
  const Part = later(load);
  const LaterPart = (props: P) => createElement(Suspense, { fallback }, createElement(Part, props));
  return Object.assign(LaterPart, { load: Part.load });
};

/** The app calls it once at start. */
export const watchConnection = () => {
  window.addEventListener('offline', () => trouble.set('offline'));
  window.addEventListener('online', () => {
    if (waiting === 0) calm();
    tryAgain();
  });
};
