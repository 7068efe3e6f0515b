import type { Request } from 'express';
import { plus } from '#shared/rules/dates.ts';
import { invitationLifeMs, invitationState, type InvitedRole } from '#shared/rules/teams.ts';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { consume, refund } from '#server/platform/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/tokens.ts';
import { sendInvitation } from './mail.ts';
import {
  invitationOfTeam,
  isMemberAddress,
  openInvitations,
  putInvitation,
  renewInvitation,
  revokeInvitation,
} from './queries-invitations.ts';
import { lockStanding, standingIn } from './standing.ts';

const urlOf = (context: Context, token: string) => `${context.env.appUrl}/accept-invitation?token=${token}`;

/** Only mails that leave count against the team's daily number (decisions §16). */
async function counted<T>(context: Context, teamId: string, work: () => Promise<T>): Promise<T> {
  await consume(context, 'invitesTeam', teamId);
  try {
    return await work();
  } catch (error) {
    await refund(context, 'invitesTeam', teamId).catch(() => undefined);
    throw error;
  }
}

/** The team's open invitations, with their state by the clock. */
export async function invitationsOf(context: Context, actor: ActorRow, teamId: string) {
  await standingIn(context.db, teamId, actor.id, 'invite');
  const now = context.now();
  const rows = await openInvitations(context.db, teamId);
  return rows.map((row) => ({ ...row, state: invitationState(row, now) }));
}

async function found(db: Db, teamId: string, invitationId: string) {
  const row = await invitationOfTeam(db, teamId, invitationId);
  if (!row) throw new AppError('not_found');
  return row;
}

type Invitation = { email: string; role: InvitedRole };

/** Invites an address; one that is pending gets a new link, and its old one stops working (decisions §7). */
export async function invite(
  context: Context,
  actor: ActorRow,
  teamId: string,
  { email, role }: Invitation,
  request: Request,
) {
  await standingIn(context.db, teamId, actor.id, 'invite');
  return counted(context, teamId, () =>
    transaction(context.db, async (tx) => {
      const { team } = await lockStanding(tx, teamId, actor.id, 'invite');
      if (await isMemberAddress(tx, teamId, email)) throw new AppError('already_team_member');
      const inside = within(context, tx);
      const now = context.now();
      const token = newToken();
      const expiresAt = plus(now, invitationLifeMs);
      const fresh = { role, invitedById: actor.id, token: hashToken(token), expiresAt };
      const invitationId = await putInvitation(tx, teamId, email, fresh, now);
      const inviteUrl = urlOf(context, token);
      await sendInvitation(inside, { to: email, inviter: actor, teamName: team.name, role, url: inviteUrl, expiresAt });
      await audit(inside, {
        action: 'team.invited',
        actorId: actor.id,
        subjectType: 'team',
        subjectId: teamId,
        after: { invitationId, role },
        ip: request.ip,
      });
      const row = await found(tx, teamId, invitationId);
      return { inviteUrl, invitation: { ...row, state: invitationState(row, now) } };
    }),
  );
}

/** The same invitation with a new link and a new week. */
export async function resendInvitation(
  context: Context,
  actor: ActorRow,
  teamId: string,
  invitationId: string,
  request: Request,
) {
  await standingIn(context.db, teamId, actor.id, 'invite');
  await found(context.db, teamId, invitationId);
  return counted(context, teamId, () =>
    transaction(context.db, async (tx) => {
      const { team } = await lockStanding(tx, teamId, actor.id, 'invite');
      const { email, role } = await found(tx, teamId, invitationId);
      const inside = within(context, tx);
      const token = newToken();
      const expiresAt = plus(context.now(), invitationLifeMs);
      if (!(await renewInvitation(tx, invitationId, { token: hashToken(token), expiresAt })))
        throw new AppError('invitation_over');
      const inviteUrl = urlOf(context, token);
      await sendInvitation(inside, { to: email, inviter: actor, teamName: team.name, role, url: inviteUrl, expiresAt });
      await audit(inside, {
        action: 'team.invitation_resent',
        actorId: actor.id,
        subjectType: 'team',
        subjectId: teamId,
        after: { invitationId },
        ip: request.ip,
      });
      return { inviteUrl };
    }),
  );
}

/** Takes an open invitation back: its link then says so. */
export async function revoke(
  context: Context,
  actor: ActorRow,
  teamId: string,
  invitationId: string,
  request: Request,
): Promise<void> {
  await transaction(context.db, async (tx) => {
    await lockStanding(tx, teamId, actor.id, 'invite');
    await found(tx, teamId, invitationId);
    if (!(await revokeInvitation(tx, invitationId))) throw new AppError('invitation_over');
    await audit(within(context, tx), {
      action: 'team.invitation_revoked',
      actorId: actor.id,
      subjectType: 'team',
      subjectId: teamId,
      before: { invitationId },
      ip: request.ip,
    });
  });
}
