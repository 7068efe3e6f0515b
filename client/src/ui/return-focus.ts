import { useRef } from 'react';

const focusable = 'button:not(:disabled), a[href], input:not(:disabled), [tabindex]:not([tabindex="-1"])';

/** Long enough for an answer to be drawn. */
const redrawMs = 100;

/**
 * Remembers an element and returns a function that gives the focus back to it or, if it is gone (Cancel becomes
 * Reactivate), to the focusable element nearest to where it was, if `isNear` says so of the place that has it.
 */
export function rememberFocus(element: Element | null, isNear: (place: Element) => boolean = () => true): () => void {
  const around: Element[] = [];
  for (let at = element; at && at !== document.body; at = at.parentElement) around.push(at);
  return () => {
    const active = document.activeElement;
    // Somebody who has moved on stays where they are.
    if (active && active !== document.body && active !== element) return;
    for (const place of around) {
      if (!place.isConnected) continue;
      if (!isNear(place)) return;
      const target = place.matches(focusable) ? place : place.querySelector(focusable);
      if (target instanceof HTMLElement) return target.focus();
    }
  };
}

/** For a button that its own success removes. Calls what `rememberFocus` returned, once the page has been redrawn. */
export const returnFocusSoon = (returnFocus: (() => void) | null) => setTimeout(() => returnFocus?.(), redrawMs);

/** For a dialog that is opened by state: Radix returns the focus only to its own trigger. */
export const useReturnedFocus = () => {
  const returnFocus = useRef<() => void>(null);
  return {
    onOpenAutoFocus: () => {
      returnFocus.current = rememberFocus(document.activeElement);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      returnFocus.current?.();
    },
  };
};
