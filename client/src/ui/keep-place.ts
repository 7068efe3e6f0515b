const focusable = 'button:not(:disabled), a[href], input:not(:disabled), [tabindex]:not([tabindex="-1"])';

/** Milliseconds after which an answer that has come is on the screen. */
export const settledMs = 100;

/**
 * Remembers where an element stands. What is returned gives the focus back to it, or, where it is gone (Cancel becomes
 * Reactivate), to what stands nearest to its place.
 */
export function keepPlace(element: Element | null): () => void {
  const around: Element[] = [];
  for (let at = element; at && at !== document.body; at = at.parentElement) around.push(at);
  return () => {
    const active = document.activeElement;
    // Whoever has moved on meanwhile stays there.
    if (active && active !== document.body && active !== element) return;
    for (const place of around) {
      if (!place.isConnected) continue;
      const target = place.matches(focusable) ? place : place.querySelector(focusable);
      if (target instanceof HTMLElement) return target.focus();
    }
  };
}
