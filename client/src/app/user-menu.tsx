import { ChevronDown, CircleHelp, LayoutDashboard, LogOut, ShieldCheck, UserRound, Users } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { User } from '#shared/api/accounts.ts';
import { useLogout } from '#client/lib/logout.ts';
import { paths } from '#client/lib/paths.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Button } from '#client/ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#client/ui/menu.tsx';
import { Spinner } from '#client/ui/spinner.tsx';

/** The user's own menu (A §2). Before the profile is complete only what then works is in it. */
export const UserMenu = ({ user }: { user: User }) => {
  const { signOut, pending } = useLogout();
  const [path] = useLocation();
  const name = `${user.firstName} ${user.lastName}`.trim();
  const here = (to: string) => (path === to ? ('page' as const) : undefined);
  const entries = [
    ...(user.profileCompleted
      ? [[paths.profile, 'My Profile', UserRound] as const, [paths.teams, 'Team', Users] as const]
      : []),
    ...(user.profileCompleted && user.isAdmin ? [[paths.admin, 'Admin Dashboard', LayoutDashboard] as const] : []),
    [paths.help, 'Help & Support', CircleHelp] as const,
    [paths.privacy, 'Privacy Policy', ShieldCheck] as const,
  ];
  return (
    <Menu
      trigger={
        <Button variant="ghost" className="gap-2 px-1 lg:px-2" aria-label={`Your menu: ${name}`}>
          {pending ? <Spinner className="mx-2" /> : <Avatar person={user} className="size-7!" />}
          <span className="hidden max-w-48 truncate lg:block">{pending ? 'Signing Out…' : name}</span>
          <ChevronDown aria-hidden className="hidden text-muted sm:block" />
        </Button>
      }
    >
      <MenuLabel>
        <span className="block max-w-64 truncate font-medium">{name}</span>
        <span className="block max-w-64 truncate text-xs text-muted">{user.email}</span>
      </MenuLabel>
      <MenuSeparator />
      {entries.map(([to, label, Icon]) => (
        <MenuItem key={to} asChild>
          <Link href={to} aria-current={here(to)}>
            <Icon aria-hidden />
            {label}
          </Link>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem
        disabled={pending}
        onSelect={(event) => {
          // The menu stays open, so that the pending label is seen.
          event.preventDefault();
          signOut();
        }}
      >
        {pending ? <Spinner /> : <LogOut aria-hidden />}
        {pending ? 'Signing Out…' : 'Sign Out'}
      </MenuItem>
    </Menu>
  );
};
