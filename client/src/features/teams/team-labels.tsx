import type { TeamRole } from '#shared/rules/people/teams.ts';
import { fullName } from '#client/lib/session/people.ts';
import { Badge, type Tone } from '#client/ui/elements.tsx';

const tones: Record<TeamRole, Tone> = { owner: 'primary', admin: 'info', member: 'neutral', reviewer: 'success' };

export const RoleBadge = ({ role }: { role: TeamRole }) => (
  <Badge tone={tones[role]} className="capitalize">
    {role}
  </Badge>
);

export const roleLabels: Record<TeamRole, string> = {
  owner: 'Owner',
  member: 'Member',
  admin: 'Admin',
  reviewer: 'Reviewer',
};

/** What each role may do. */
export const roleRights: Record<TeamRole, string> = {
  owner: 'Decides and pays for everything.',
  member: 'Can open the practice’s tools and see its members.',
  admin: 'Opens the tools, invites and removes members, sees how the tools are used, reviews them and reads invoices.',
  reviewer: 'Takes no seat and opens no tools. Reads the record, reviews and decides about tools, and reads invoices.',
};

/** Said to somebody of their own role. */
export const yourRights: Record<TeamRole, string> = {
  owner: 'You decide and pay for everything.',
  member: 'You can open the practice’s tools and see its members.',
  admin:
    'You can open the tools, invite and remove members, see how the tools are used, review them and read invoices.',
  reviewer:
    'You take no seat and open no tools. You read the record, review and decide about tools, and read invoices.',
};

/** The name, or the email address of people without one. */
export const nameOf = (person: { firstName: string; lastName: string; email: string }) =>
  fullName(person) || person.email;
