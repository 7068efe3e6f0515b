import type { TeamRole } from '#shared/rules/people/teams.ts';
import { fullName } from '#client/lib/session/people.ts';
import { Badge, type Tone } from '#client/ui/elements.tsx';

const tones: Record<TeamRole, Tone> = { owner: 'primary', admin: 'info', member: 'neutral' };

export const RoleBadge = ({ role }: { role: TeamRole }) => <Badge tone={tones[role]}>{role}</Badge>;

/** The name, or the email address of people without one. */
export const nameOf = (person: { firstName: string; lastName: string; email: string }) =>
  fullName(person) || person.email;
