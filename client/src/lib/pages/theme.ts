import { createStore } from '#client/lib/session/store.ts';

export const themes = ['light', 'dark', 'system'] as const;
export type Theme = (typeof themes)[number];

/** Also in client/public/theme.js, which runs before the first paint. */
const storageKey = 'adviserly-ui-theme';
const device = () => window.matchMedia('(prefers-color-scheme: dark)');

const stored = (): Theme => {
  try {
    const value = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === value) ?? 'system';
  } catch {
    return 'system';
  }
};
const chosen = createStore<Theme>('system');
export const useTheme = chosen.use;

const apply = () => {
  const theme = chosen.get();
  const dark = theme === 'dark' || (theme === 'system' && device().matches);
  const { classList } = document.documentElement;
  classList.toggle('dark', dark);
  classList.toggle('light', !dark);
};

export const setTheme = (theme: Theme) => {
  chosen.set(theme);
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // Storage can be forbidden; the choice then lasts until the page is closed.
  }
  apply();
};

/** Follows the device while the choice is "system", and a choice made in another tab. Called once at start. */
export const startTheme = () => {
  chosen.set(stored());
  apply();
  device().addEventListener('change', apply);
  window.addEventListener('storage', (event) => {
    if (event.key !== storageKey && event.key !== null) return;
    chosen.set(stored());
    apply();
  });
};
