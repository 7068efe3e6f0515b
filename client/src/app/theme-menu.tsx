import { Monitor, Moon, Sun } from 'lucide-react';
import { setTheme, useTheme } from '#client/lib/theme.ts';
import { Button } from '#client/ui/button.tsx';
import { Menu, MenuRadio } from '#client/ui/menu.tsx';

const options = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
] as const;

export const ThemeMenu = () => {
  const theme = useTheme();
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label="Theme" title="Theme">
          <Sun aria-hidden className="dark:hidden" />
          <Moon aria-hidden className="hidden dark:block" />
        </Button>
      }
    >
      <MenuRadio label="Theme" options={options} value={theme} onChange={setTheme} />
    </Menu>
  );
};
