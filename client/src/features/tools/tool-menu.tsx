import { CreditCard, FileClock, FolderOpen, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '#client/lib/pages/paths.ts';
import { Menu, MenuItem } from '#client/ui/menu.tsx';

type Props = {
  trigger: ReactNode;
  toolId: string;
  teamId: string | null;
  canManage: boolean;
  onOpenFor: (() => void) | null;
};

/** What else there is to do about a tool that one has. */
export default function ToolMenu({ trigger, toolId, teamId, canManage, onOpenFor }: Props) {
  const entries = [
    ...(canManage ? [[paths.billing(teamId), 'Renewal and billing', CreditCard] as const] : []),
    [paths.record, 'Record of AI use', FileClock] as const,
    [paths.disclosure(toolId), 'Supplier due diligence', ShieldCheck] as const,
  ];
  return (
    <Menu trigger={trigger}>
      {onOpenFor && (
        <MenuItem onSelect={onOpenFor}>
          <FolderOpen aria-hidden />
          Open for a client
        </MenuItem>
      )}
      {entries.map(([to, label, Icon]) => (
        <MenuItem key={label} asChild>
          <Link href={to}>
            <Icon aria-hidden />
            {label}
          </Link>
        </MenuItem>
      ))}
    </Menu>
  );
}
