import type { Request } from 'express';
import type { ErrorCode } from '#shared/api/errors.ts';
import type { ReceivedInvitation } from '#shared/api/teams.ts';
import {
  invitationState,
  maskEmail,
  teamCan,
  type InvitationObstacle,
  type InvitationState,
} from '#shared/rules/teams.ts';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { consumeByAddress } from '#server/platform/rate-limit.ts';
import { hashToken } from '#server/platform/tokens.ts';
import { teamSizeChanged } from '#server/subscriptions/service.ts';
import { inTurn } from './in-turn.ts';
import { countMembers, insertMember, lockPerson, lockTeam, markJoined, membersOf, teamsOf } from './queries.ts';
import { invitationByToken, takeAsAccepted, takeAsDeclined, type InvitationByToken } from './queries-invitations.ts';
import { tellDeclined, tellJoined } from './tell.ts';

type Reader = Pick<ActorRow, 'id' | 'email'> | null;

/** The invitation behind a link. Wrong links are counted per address; right ones never, however many share it. */
async function behind(context: Context, token: string, request: Request): Promise<InvitationByToken> {
  const invitation = await invitationByToken(context.db, hashToken(token));
  if (invitation) return invitation;
  await consumeByAddress(context, 'tokenIp', request);
  throw new AppError('invitation_not_found');
}

/** What keeps this reader from joining, the most telling reason first. */
async function obstacleFor(db: Db, { team, email }: InvitationByToken, reader: Reader) {
  if (!team.isActive) return 'team_closed';
  const mine = reader ? await teamsOf(db, reader.id) : [];
  const here = mine.find(({ id }) => id === team.id);
  if (here) return here.role === 'owner' ? 'own_team' : 'already_member';
  if (reader && reader.email !== email) return 'wrong_account';
  if (mine.some(({ role }) => role !== 'owner')) return 'other_team';
  return (await countMembers(db, team.id)) >= team.maxMembers ? 'team_full' : null;
}

async function present(context: Context, invitation: InvitationByToken, reader: Reader): Promise<ReceivedInvitation> {
  const { team, email, role, expiresAt, invitedBy } = invitation;
  return {
    team,
    inviter: invitedBy,
    email: reader?.email === email ? email : maskEmail(email),
    role,
    expiresAt,
    state: invitationState(invitation, context.now()),
    obstacle: await obstacleFor(context.db, invitation, reader),
  };
}

export const readInvitation = async (context: Context, reader: Reader, token: string, request: Request) =>
  present(context, await behind(context, token, request), reader);

const refusals: Record<InvitationObstacle, ErrorCode> = {
  team_closed: 'team_closed',
  own_team: 'in_team',
  already_member: 'in_team',
  wrong_account: 'wrong_account',
  other_team: 'in_other_team',
  team_full: 'team_full',
};

function demandPending(state: InvitationState): void {
  if (state === 'expired') throw new AppError('invitation_expired');
  if (state !== 'pending') throw new AppError('invitation_over');
}

async function demandFree(db: Db, invitation: InvitationByToken, reader: Reader): Promise<void> {
  const obstacle = await obstacleFor(db, invitation, reader);
  if (obstacle) throw new AppError(refusals[obstacle]);
}

/**
 * Joins the team. What stands in the way is looked at first without a lock, so that late comers of a full team cost
 * little, and again under the team's and the joiner's lock: the last place goes to one of any number at once.
 */
export async function acceptInvitation(context: Context, actor: ActorRow, token: string, request: Request) {
  const seen = await behind(context, token, request);
  const joined = await inTurn(seen.team.id, async () => {
    demandPending(invitationState(seen, context.now()));
    await demandFree(context.db, seen, actor);
    return transaction(context.db, (tx) => join(within(context, tx), actor, seen.team.id, hashToken(token), request));
  });
  return present(context, joined, actor);
}

async function join(context: Context, actor: ActorRow, teamId: string, tokenHash: string, request: Request) {
  const { db } = context;
  const now = context.now();
  const team = await lockTeam(db, teamId);
  const joiner = await lockPerson(db, actor.id);
  const invitation = await invitationByToken(db, tokenHash);
  if (!team || !invitation) throw new AppError('invitation_not_found');
  if (!joiner || joiner.closedAt) throw new AppError('unauthorized');
  demandPending(invitationState(invitation, now));
  await demandFree(db, { ...invitation, team }, actor);
  if (!(await takeAsAccepted(db, tokenHash, now))) throw new AppError('invitation_over');
  const { role } = invitation;
  await insertMember(db, { teamId, userId: actor.id, role, joinedAt: now, createdAt: now });
  await markJoined(db, [actor.id], now);
  await teamSizeChanged(context, teamId);
  const managers = (await membersOf(db, teamId))
    .filter((member) => teamCan(member.role, 'invite') && member.userId !== actor.id)
    .map((member) => member.userId);
  await tellJoined(context, team, joiner, managers, invitation.id);
  await audit(context, {
    action: 'team.joined',
    actorId: actor.id,
    subjectType: 'team',
    subjectId: teamId,
    after: { role, invitationId: invitation.id },
    ip: request.ip,
  });
  return { ...invitation, acceptedAt: now };
}

/** Declines, with or without an account: whoever holds the link has the mail. */
export async function declineInvitation(context: Context, reader: Reader, token: string, request: Request) {
  const invitation = await behind(context, token, request);
  if (reader && reader.email !== invitation.email) throw new AppError('wrong_account');
  const now = context.now();
  await transaction(context.db, async (tx) => {
    demandPending(invitationState(invitation, now));
    if (!(await takeAsDeclined(tx, hashToken(token), now))) throw new AppError('invitation_over');
    const inside = within(context, tx);
    await tellDeclined(inside, invitation.team, invitation.invitedById, invitation.email, invitation.id);
    await audit(inside, {
      action: 'team.invitation_declined',
      actorId: reader?.id ?? null,
      subjectType: 'team',
      subjectId: invitation.team.id,
      after: { invitationId: invitation.id },
      ip: request.ip,
    });
  });
  return present(context, { ...invitation, declinedAt: now }, reader);
}
