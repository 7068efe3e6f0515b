import { clsx } from 'clsx';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { setTheme, themes, useTheme } from '#client/lib/pages/theme.ts';

export const themeLooks = {
  light: ['Light', Sun],
  dark: ['Dark', Moon],
  system: ['Match this device', Monitor],
} as const;

/** Three radio buttons that look like one switch. */
export const ThemeSelect = ({ className }: { className: string }) => {
  const chosen = useTheme();
  const name = useId();
  return (
    <fieldset className={clsx('flex shrink-0 rounded border', className)}>
      <legend className="sr-only">Theme</legend>
      {themes.map((theme) => {
        const [label, Icon] = themeLooks[theme];
        return (
          <label
            key={theme}
            title={label}
            className="relative flex h-8 w-6 max-sm:size-11 items-center justify-center rounded-sm text-muted hover:text-text has-checked:bg-surface-subtle has-checked:text-primary has-focus-visible:outline-2 has-focus-visible:outline-primary sm:w-7"
          >
            <input
              type="radio"
              name={name}
              aria-label={label}
              checked={theme === chosen}
              onChange={() => setTheme(theme)}
              className="absolute inset-0 m-0 cursor-pointer appearance-none opacity-0"
            />
            <Icon aria-hidden className="size-3.5" />
          </label>
        );
      })}
    </fieldset>
  );
};
