import { day } from '../dates.ts';

/** A reviewer looks after the practice's record: takes no seat, opens no tool. */
export const teamRoles = ['owner', 'admin', 'member', 'reviewer'] as const;
export type TeamRole = (typeof teamRoles)[number];
export const invitedRoles = ['member', 'admin', 'reviewer'] as const;
export type InvitedRole = (typeof invitedRoles)[number];

/** `an admin`, for a sentence. */
export const aRole = (role: TeamRole): string => (role === 'admin' ? 'an admin' : `a ${role}`);

/** Whether somebody of this role is paid for, counts for places and the team discount, and opens the team's tools. */
export const takesSeat = (role: TeamRole): boolean => role !== 'reviewer';

/** The roles that somebody of this role may invite people to: only the owner invites admins and reviewers. */
export const rolesToInvite = (role: TeamRole): readonly InvitedRole[] => (role === 'owner' ? invitedRoles : ['member']);

export const defaultMaxMembers = 19;
export const teamNameLength = 100;
export const invitationLifeMs = 7 * day;
/** Lines of the team's activity on a page. */
export const activityPageSize = 25;
/** For this long a member may accept to become the owner. */
export const handOverDays = 14;
/** For one owner; one that is sent again counts. */
export const invitationsADay = 40;
/** How many people may be chosen for one tool. */
export const mostToolUsers = 200;
/** Days of use that the owner and admins see unless they choose others. */
export const teamUsageDays = 30;

/** A new team is named after its owner. */
export const defaultTeamName = (firstName: string) => `${firstName}'s Team`;

export const teamRights = [
  'seeMembers',
  'seeUsage',
  'review',
  'decide',
  'seeInvoices',
  'seeActivity',
  'invite',
  'remove',
  'manage',
] as const;
/** `decide`: which tools are allowed. `manage`: roles, rename, hand over, close, and everything that spends money. */
export type TeamRight = (typeof teamRights)[number];

const rights: Record<TeamRole, readonly TeamRight[]> = {
  owner: teamRights,
  admin: ['seeMembers', 'seeUsage', 'review', 'seeInvoices', 'seeActivity', 'invite', 'remove'],
  member: ['seeMembers'],
  reviewer: ['seeMembers', 'seeUsage', 'review', 'decide', 'seeInvoices'],
};

/** Asked by the page's buttons and the server alike. */
export const teamCan = (role: TeamRole, right: TeamRight): boolean => rights[role].includes(right);

type Person = { userId: string; role: TeamRole };

/** Why the actor may not remove the target; null: they may. Nobody removes the owner or themselves. */
export function removalRefusal(actor: Person, target: Person): 'owner_stays' | 'self_removal' | 'forbidden' | null {
  if (!teamCan(actor.role, 'remove')) return 'forbidden';
  if (target.role === 'owner') return 'owner_stays';
  if (target.userId === actor.userId) return 'self_removal';
  return actor.role === 'owner' || target.role === 'member' ? null : 'forbidden';
}

export const invitationStates = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const;
export type InvitationState = (typeof invitationStates)[number];

type Invitation = { acceptedAt: Date | null; declinedAt: Date | null; isRevoked: boolean; expiresAt: Date };

export function invitationState(
  { acceptedAt, declinedAt, isRevoked, expiresAt }: Invitation,
  now: Date,
): InvitationState {
  if (acceptedAt) return 'accepted';
  if (declinedAt) return 'declined';
  if (isRevoked) return 'revoked';
  return expiresAt <= now ? 'expired' : 'pending';
}

/** Why a pending invitation can't be accepted. */
export const invitationObstacles = [
  'team_closed',
  'wrong_account',
  'own_team',
  'already_member',
  'other_team',
  'unproved',
  'team_full',
] as const;
export type InvitationObstacle = (typeof invitationObstacles)[number];

/** `j•••@practice.example`: enough for its owner to recognise. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}
