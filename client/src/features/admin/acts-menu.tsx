import type { ReactNode } from 'react';
import { Menu, MenuItem } from '#client/ui/menu.tsx';

export type Acts = readonly (readonly [label: string, onSelect: () => void])[];

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
