import { Moon, Sun } from 'lucide-react';
import { setTheme, themes, useTheme } from '#client/lib/theme.ts';

const labels = { light: 'Light', dark: 'Dark', system: 'System' } as const;

/** An invisible native select over an icon, which needs no menu code. */
export const ThemeSelect = () => (
  <span className="relative flex size-9 items-center justify-center rounded hover:bg-surface-subtle has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary">
    <Sun aria-hidden className="size-4 dark:hidden" />
    <Moon aria-hidden className="hidden size-4 dark:block" />
    <select
      name="theme"
      aria-label="Theme"
      title="Theme"
      value={useTheme()}
      onChange={(event) => setTheme(themes.find((theme) => theme === event.target.value) ?? 'system')}
      className="absolute inset-0 appearance-none bg-surface text-transparent opacity-0"
    >
      {themes.map((theme) => (
        <option key={theme} value={theme} className="text-text">
          {labels[theme]}
        </option>
      ))}
    </select>
  </span>
);
