import type { MembershipType } from '#shared/rules/accounts.ts';
import type { TeamRole } from '#shared/rules/teams.ts';
import { Badge, type Tone } from '#client/ui/badge.tsx';

const tones: Record<TeamRole, Tone> = { owner: 'primary', admin: 'info', member: 'neutral' };

export const RoleBadge = ({ role }: { role: TeamRole }) => <Badge tone={tones[role]}>{role}</Badge>;

export const membershipLabels: Record<MembershipType, string> = {
  standard: 'Standard',
  team: 'Team',
  shaw_partners: 'Special Pricing',
};

/** Name, or the address of somebody without one. */
export const nameOf = ({ firstName, lastName, email }: { firstName: string; lastName: string; email: string }) =>
  `${firstName} ${lastName}`.trim() || email;
