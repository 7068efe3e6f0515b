import type { ErrorCode } from '#shared/api/errors.ts';
import type { ReceivedInvitation } from '#shared/api/teams.ts';
import {
  invitationState,
  maskEmail,
  takesSeat,
  teamCan,
  type InvitationObstacle,
  type InvitationState,
} from '#shared/rules/people/teams.ts';
import { isPartnerEmail } from '#shared/rules/people/accounts.ts';
import { audit } from '#server/audit/service.ts';
import { userPayer } from '#server/payers/service.ts';
import { lockActor, practiceDetails, proveAddress } from '#server/people/service.ts';
import { queueMirror, seats } from '#server/subscriptions/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db } from '#server/platform/data/database.ts';
import { consumeByAddress } from '#server/platform/http/rate-limit.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { joinMembership, leaveIn } from './members.ts';
import { nameOf, notifyDeclined, notifyJoined } from './notices.ts';
import { countMembers, insertMember, lockTeam, membersOf, teamsOf } from './queries.ts';
import { findInvitation, markAccepted, markDeclined, type Invitation } from './queries-invitations.ts';

type Reader = Pick<ActorRow, 'id' | 'email' | 'emailVerified'> | null;

/** The invitation that a link opens. Wrong links are limited per IP; right ones are not, since many people may share an IP. */
async function requireInvitation(context: Context, token: string): Promise<Invitation> {
  const invitation = await findInvitation(context.db, hashToken(token));
  if (invitation) return invitation;
  await consumeByAddress(context, 'tokenIp');
  throw new AppError('invitation_not_found');
}

/** Why this reader can't join, or null; of several reasons, the one that matters most to them. `leaving`: a team that they leave for it. */
async function findObstacle(db: Db, { team, email, role, isMailed }: Invitation, reader: Reader, leaving?: string) {
  if (!team.isActive) return 'team_closed';
  const mine = reader ? await teamsOf(db, reader.id) : [];
  const here = mine.find(({ id }) => id === team.id);
  if (here) return here.role === 'owner' ? 'own_team' : 'already_member';
  if (reader && reader.email !== email) return 'wrong_account';
  if (mine.some((one) => one.role !== 'owner' && one.id !== leaving)) return 'other_team';
  if (reader && !reader.emailVerified && !isMailed) return 'unproved';
  if (!takesSeat(role)) return null;
  return (await countMembers(db, team.id)) >= team.maxMembers ? 'team_full' : null;
}

async function present(context: Context, invitation: Invitation, reader: Reader): Promise<ReceivedInvitation> {
  const { team, email, role, expiresAt, invitedBy, isMailed } = invitation;
  const isInvited = reader?.email === email && team.isActive;
  return {
    team,
    inviter: invitedBy,
    email: reader?.email === email || (reader === null && isMailed) ? email : maskEmail(email),
    role,
    expiresAt,
    practice: isInvited ? await practiceDetails(context.db, team.ownerId) : null,
    state: invitationState(invitation, context.now()),
    obstacle: await findObstacle(context.db, invitation, reader),
  };
}

export const readInvitation = async (context: Context, reader: Reader, token: string) =>
  present(context, await requireInvitation(context, token), reader);

const refusals: Record<InvitationObstacle, ErrorCode> = {
  team_closed: 'team_closed',
  own_team: 'in_team',
  already_member: 'in_team',
  wrong_account: 'wrong_account',
  other_team: 'in_other_team',
  unproved: 'verify_to_join',
  team_full: 'team_full',
};

function requirePending(state: InvitationState): void {
  if (state === 'expired') throw new AppError('invitation_expired');
  if (state !== 'pending') throw new AppError('invitation_over');
}

async function requireNoObstacle(db: Db, invitation: Invitation, reader: Reader, leaving?: string): Promise<void> {
  const obstacle = await findObstacle(db, invitation, reader, leaving);
  if (obstacle) throw new AppError(refusals[obstacle]);
}

const lastOfTeam = new Map<string, Promise<unknown>>();

/**
 * Runs `work` after all work that this process has already started for the same team. The database's lock decides; this only
 * lets a crowd wait without holding a connection each, which would empty the pool.
 */
async function oneAfterAnother<T>(teamId: string, work: () => Promise<T>): Promise<T> {
  const before = lastOfTeam.get(teamId) ?? Promise.resolve();
  const running = before.then(work, work);
  const finished = running.catch(() => undefined);
  lastOfTeam.set(teamId, finished);
  try {
    return await running;
  } finally {
    if (lastOfTeam.get(teamId) === finished) lastOfTeam.delete(teamId);
  }
}

/**
 * Joins the team. Obstacles are first checked without a lock, which is cheap if many people want to join a full team, and again
 * with team and joiner locked, so that of any number at once, one gets the last place.
 */
export async function acceptInvitation(context: Context, actor: ActorRow, token: string, leaving?: string) {
  const seen = await requireInvitation(context, token);
  const joined = await oneAfterAnother(seen.team.id, async () => {
    requirePending(invitationState(seen, context.now()));
    await requireNoObstacle(context.db, seen, actor, leaving);
    return inTransaction(context, (inside) => join(inside, actor, seen.team.id, hashToken(token), leaving));
  });
  return present(context, joined, actor);
}

async function join(context: Context, actor: ActorRow, teamId: string, tokenHash: string, leaving?: string) {
  const { db } = context;
  const now = context.now();
  const team = await lockTeam(db, teamId);
  const joiner = await lockActor(db, actor);
  const invitation = await findInvitation(db, tokenHash);
  if (!team || !invitation) throw new AppError('invitation_not_found');
  requirePending(invitationState(invitation, now));
  await requireNoObstacle(db, { ...invitation, team }, actor, leaving);
  if (invitation.isMailed) await noteMailed(context, actor);
  if (!(await markAccepted(db, invitation.id, now))) throw new AppError('invitation_over');
  if (leaving !== undefined) await leaveIn(context, actor, leaving);
  const { role } = invitation;
  if (takesSeat(role)) await seats.memberJoined(context, teamId, { id: actor.id, name: nameOf(joiner) });
  await insertMember(db, { teamId, userId: actor.id, role, joinedAt: now, createdAt: now });
  await joinMembership(db, actor.id, now);
  const managers = (await membersOf(db, teamId))
    .filter((member) => teamCan(member.role, 'invite') && member.userId !== actor.id)
    .map((member) => member.userId);
  await notifyJoined(context, team, { ...joiner, role }, managers, invitation.id);
  await audit(context, 'team.joined', { team: teamId, after: { role, invitationId: invitation.id } });
  return { ...invitation, acceptedAt: now };
}

/** The link came by mail, so that whoever is signed in as its address holds the mailbox. The first time verifies it. */
async function noteMailed(inside: Context, { id, email, emailVerified, membershipType }: ActorRow): Promise<void> {
  if (emailVerified) return;
  const isPartner = isPartnerEmail(email, inside.env.partnerEmailDomains);
  await proveAddress(inside.db, { id, emailVerified }, isPartner, inside.now());
  await audit(inside, 'account.email_verified', { user: id, before: { membershipType }, after: { isPartner } });
  if (isPartner) await queueMirror(inside, userPayer(id));
}

/** Declines. This needs no account, since only the invited person has the link. */
export async function declineInvitation(context: Context, reader: Reader, token: string) {
  const invitation = await requireInvitation(context, token);
  if (reader && reader.email !== invitation.email) throw new AppError('wrong_account');
  const now = context.now();
  await inTransaction(context, async (inside, tx) => {
    requirePending(invitationState(invitation, now));
    if (!(await markDeclined(tx, invitation.id, now))) throw new AppError('invitation_over');
    await notifyDeclined(inside, invitation.team, invitation.invitedById, invitation.email, invitation.id);
    await audit(inside, 'team.invitation_declined', {
      team: invitation.team.id,
      after: { invitationId: invitation.id },
    });
  });
  return present(context, { ...invitation, declinedAt: now }, reader);
}
