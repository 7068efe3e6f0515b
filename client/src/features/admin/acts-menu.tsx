import type { ReactNode } from 'react';
import type { Acts } from '#client/features/admin/acts.tsx';
import { Menu, MenuItem } from '#client/ui/menu.tsx';

/** What an administrator can do to a person or a thing. */
export default function ActsMenu({ trigger, acts }: { trigger: ReactNode; acts: Acts }) {
  return (
    <Menu trigger={trigger}>
      {acts.map(([label, onSelect]) => (
        <MenuItem key={label} onSelect={onSelect}>
          {label}…
        </MenuItem>
      ))}
    </Menu>
  );
}
