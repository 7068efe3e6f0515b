import type { ReactNode } from 'react';
import { Menu, MenuItem } from '#client/ui/menu.tsx';

export type Act = 'free' | 'identity' | 'account';
type Props = { trigger: ReactNode; free: boolean; onChoose: (act: Act) => void };

/** What an administrator can do to an account. */
export default function PersonMenu({ trigger, free, onChoose }: Props) {
  const acts: readonly (readonly [Act, string])[] = [
    ['free', free ? 'Revoke Free Access' : 'Grant Free Access'],
    ['identity', 'Email and admin access'],
    ['account', 'Manage account'],
  ];
  return (
    <Menu trigger={trigger}>
      {acts.map(([act, label]) => (
        <MenuItem key={act} onSelect={() => onChoose(act)}>
          {label}…
        </MenuItem>
      ))}
    </Menu>
  );
}
