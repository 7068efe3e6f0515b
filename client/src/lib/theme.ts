import { useSyncExternalStore } from 'react';

export const themes = ['light', 'dark', 'system'] as const;
export type Theme = (typeof themes)[number];

/** Also in client/public/theme.js, which runs before the first paint. */
const storageKey = 'adviserly-ui-theme';
const device = () => window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const stored = (): Theme => {
  try {
    const value = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === value) ?? 'system';
  } catch {
    return 'system';
  }
};
let chosen: Theme = 'system';

const apply = () => {
  const dark = chosen === 'dark' || (chosen === 'system' && device().matches);
  const { classList } = document.documentElement;
  classList.toggle('dark', dark);
  classList.toggle('light', !dark);
  for (const listener of listeners) listener();
};

export const setTheme = (theme: Theme) => {
  chosen = theme;
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Storage can be forbidden; the choice then lasts as long as the page.
  }
  apply();
};

/** Follows the device while the choice is "system", and a choice made in another tab. Called once at start. */
export const startTheme = () => {
  chosen = stored();
  apply();
  device().addEventListener('change', apply);
  window.addEventListener('storage', (event) => {
    if (event.key !== storageKey && event.key !== null) return;
    chosen = stored();
    apply();
  });
};

export const useTheme = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
    () => 'system' as const,
  );
