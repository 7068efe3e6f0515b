import {
  Blocks,
  CircleHelp,
  ClipboardCheck,
  FileClock,
  LayoutDashboard,
  LogOut,
  ReceiptText,
  Search,
  ShieldCheck,
  UserRound,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { User } from '#shared/api/accounts.ts';
import { contract } from '#shared/api/members.ts';
import { teamCan } from '#shared/rules/people/teams.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { setTheme, themes, useTheme } from '#client/lib/pages/theme.ts';
import { themeLooks } from '#client/app/theme-select.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '#client/ui/menu.tsx';
import { Spinner, Text } from '#client/ui/elements.tsx';

type Props = {
  trigger: ReactNode;
  user: User;
  name: string;
  signOut: () => void;
  pending: boolean;
  onSearch: () => void;
};

export default function UserMenu({ trigger, user, name, signOut, pending, onSearch }: Props) {
  const [path] = useLocation();
  const theme = useTheme();
  const my = useApiQuery(contract.teams.my).data;
  const decides = my !== undefined && (my.ownedTeams.length > 0 || (my.role !== null && teamCan(my.role, 'decide')));
  const here = (to: string) => (path === to ? ('page' as const) : undefined);
  const entries = [
    ...(user.profileCompleted
      ? [
          [paths.profile, 'My Profile', UserRound] as const,
          [paths.teams, 'Team', Users] as const,
          ...(decides ? [[`${paths.teams}?tab=record`, 'Practice record', ClipboardCheck] as const] : []),
          [paths.invoices, 'Invoices', ReceiptText] as const,
          [paths.record, 'Record of AI use', FileClock] as const,
        ]
      : []),
    ...(user.profileCompleted && user.isAdmin ? [[paths.admin, 'Admin Dashboard', LayoutDashboard] as const] : []),
    [paths.help, 'Help & Support', CircleHelp] as const,
    [paths.developers(), 'For makers', Blocks] as const,
    [paths.privacy, 'Privacy Policy', ShieldCheck] as const,
  ];
  return (
    <Menu trigger={trigger}>
      <MenuLabel>
        <span className="block max-w-64 truncate font-medium">{name}</span>
        <span className="block max-w-64 truncate text-xs text-muted">{user.email}</span>
      </MenuLabel>
      <MenuSeparator />
      {user.profileCompleted && (
        <MenuItem onSelect={onSearch}>
          <Search aria-hidden />
          Search
          <kbd className="ml-auto pl-4 text-xs text-muted max-md:hidden">Ctrl K</kbd>
        </MenuItem>
      )}
      {entries.map(([to, label, Icon]) => (
        <MenuItem key={to} asChild>
          <Link href={to} aria-current={here(to)}>
            <Icon aria-hidden />
            {label}
          </Link>
        </MenuItem>
      ))}
      <MenuSeparator />
      <div className="sm:hidden">
        <MenuChoice
          label="Theme"
          value={theme}
          onChange={setTheme}
          options={themes.map((value) => {
            const [label, Icon] = themeLooks[value];
            return { value, label, icon: <Icon aria-hidden /> };
          })}
        />
        <MenuSeparator />
      </div>
      <MenuItem
        disabled={pending}
        onSelect={(event) => {
          // Keep the menu open, so that the pending label is seen.
          event.preventDefault();
          signOut();
        }}
      >
        {pending ? <Spinner /> : <LogOut aria-hidden />}
        <Text>{pending ? 'Signing Out…' : 'Sign Out'}</Text>
      </MenuItem>
    </Menu>
  );
}
