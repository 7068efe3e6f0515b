import { brand } from '#shared/brand.ts';
import { formatSydneyDate, plus } from '#shared/rules/dates.ts';
import {
  aRole,
  invitationLifeMs,
  invitationState,
  type InvitedRole,
  rolesToInvite,
  takesSeat,
} from '#shared/rules/people/teams.ts';
import { audit } from '#server/audit/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db } from '#server/platform/data/database.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import { sendMail } from '#server/platform/send-mail.ts';
import { consume, refund } from '#server/platform/http/rate-limit.ts';
import { hashToken, newToken } from '#server/platform/crypto/tokens.ts';
import { type Name, nameOf, rightsText } from './notices.ts';
import {
  findTeamInvitation,
  isMemberAddress,
  openInvitations,
  putInvitation,
  renewInvitation,
  revokeInvitation,
} from './queries-invitations.ts';
import { lockTeamRight, requireTeamRight } from './team-right.ts';

const urlOf = (context: Context, token: string) => `${context.env.appUrl}/accept-invitation?token=${token}`;

/** Two links to one invitation: `url` is mailed only, and proves the address; the inviter gets `inviteUrl`. With what the row keeps of them. */
function newLinks(context: Context) {
  const [mailed, copied] = [newToken(), newToken()];
  return {
    url: urlOf(context, mailed),
    inviteUrl: urlOf(context, copied),
    token: hashToken(mailed),
    copiedToken: hashToken(copied),
    expiresAt: plus(context.now(), invitationLifeMs),
  };
}

/** Counts an invitation, unless it fails, against the daily limit of the team's owner, whatever becomes of the team. */
async function withinDailyLimit<T>(context: Context, ownerId: string, work: () => Promise<T>): Promise<T> {
  await consume(context, 'invitesOwner', ownerId);
  try {
    return await work();
  } catch (error) {
    await refund(context, 'invitesOwner', ownerId).catch(() => undefined);
    throw error;
  }
}

/** The team's open invitations, with their state by the clock. */
export async function invitationsOf(context: Context, actor: ActorRow, teamId: string) {
  await requireTeamRight(context.db, teamId, actor.id, 'invite');
  const now = context.now();
  const rows = await openInvitations(context.db, teamId);
  return rows.map((row) => ({ ...row, state: invitationState(row, now) }));
}

const requireTeamInvitation = (db: Db, teamId: string, invitationId: string) =>
  orRefuse(findTeamInvitation(db, teamId, invitationId), 'not_found');

/** The team, if this adviser may send mail in its name, which takes a verified address. */
async function requireInviter(context: Context, actor: ActorRow, teamId: string) {
  const { team } = await requireTeamRight(context.db, teamId, actor.id, 'invite');
  if (!actor.emailVerified) throw new AppError('verify_to_invite');
  return team;
}

type NewInvitation = { email: string; role: InvitedRole };

/** Invites an address. An open invitation to the same address gets a new link, and its old one stops working. */
export async function invite(context: Context, actor: ActorRow, teamId: string, { email, role }: NewInvitation) {
  const { ownerId } = await requireInviter(context, actor, teamId);
  return withinDailyLimit(context, ownerId, () =>
    inTransaction(context, async (inside, tx) => {
      const { team, role: ownRole } = await lockTeamRight(tx, teamId, actor, 'invite');
      if (!rolesToInvite(ownRole).includes(role)) throw new AppError('forbidden');
      if (await isMemberAddress(tx, teamId, email)) throw new AppError('already_team_member');
      const now = context.now();
      const { inviteUrl, url, ...link } = newLinks(context);
      const { expiresAt } = link;
      const invitationId = await putInvitation(tx, teamId, email, { role, invitedById: actor.id, ...link }, now);
      await sendInvitation(inside, { to: email, inviter: actor, teamName: team.name, role, url, expiresAt });
      await audit(inside, 'team.invited', { team: teamId, after: { invitationId, role } });
      const row = await requireTeamInvitation(tx, teamId, invitationId);
      return { inviteUrl, invitation: { ...row, state: invitationState(row, now) } };
    }),
  );
}

/** Invites one after the other; an address that can't be invited is no obstacle to the others. */
export async function inviteMany(context: Context, actor: ActorRow, teamId: string, list: readonly NewInvitation[]) {
  const { role: ownRole } = await requireTeamRight(context.db, teamId, actor.id, 'invite');
  if (list.some(({ role }) => !rolesToInvite(ownRole).includes(role))) throw new AppError('forbidden');
  const results: { email: string; outcome: Outcome; inviteUrl: string | null }[] = [];
  for (const one of list) {
    const over = results.some(({ outcome }) => outcome === 'limit_reached');
    results.push({
      email: one.email,
      ...(over ? notSent('limit_reached') : await tryToInvite(context, actor, teamId, one)),
    });
  }
  return results;
}

type Outcome = 'invited' | 'already_member' | 'limit_reached';
const notSent = (outcome: Outcome) => ({ outcome, inviteUrl: null });

async function tryToInvite(context: Context, actor: ActorRow, teamId: string, one: NewInvitation) {
  try {
    const { inviteUrl } = await invite(context, actor, teamId, one);
    return { outcome: 'invited' as const, inviteUrl };
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === 'already_team_member') return notSent('already_member');
    if (code === 'rate_limited') return notSent('limit_reached');
    throw error;
  }
}

/** Sends an invitation again, with a new link and a new week. */
export async function resendInvitation(context: Context, actor: ActorRow, teamId: string, invitationId: string) {
  const { ownerId } = await requireInviter(context, actor, teamId);
  await requireTeamInvitation(context.db, teamId, invitationId);
  return withinDailyLimit(context, ownerId, () =>
    inTransaction(context, async (inside, tx) => {
      const { team, role: ownRole } = await lockTeamRight(tx, teamId, actor, 'invite');
      const { email, role } = await requireTeamInvitation(tx, teamId, invitationId);
      if (!rolesToInvite(ownRole).includes(role)) throw new AppError('forbidden');
      const { inviteUrl, url, ...link } = newLinks(context);
      if (!(await renewInvitation(tx, invitationId, link))) throw new AppError('invitation_over');
      const { expiresAt } = link;
      await sendInvitation(inside, { to: email, inviter: actor, teamName: team.name, role, url, expiresAt });
      await audit(inside, 'team.invitation_resent', { team: teamId, after: { invitationId } });
      return { inviteUrl };
    }),
  );
}

/** Revokes an open invitation; its link then says so. */
export const withdrawInvitation = (
  context: Context,
  actor: ActorRow,
  teamId: string,
  invitationId: string,
): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    await lockTeamRight(tx, teamId, actor, 'invite');
    await requireTeamInvitation(tx, teamId, invitationId);
    if (!(await revokeInvitation(tx, invitationId))) throw new AppError('invitation_over');
    await audit(inside, 'team.invitation_revoked', { team: teamId, before: { invitationId } });
  });

type Invitation = { to: string; inviter: Name; teamName: string; role: InvitedRole; url: string; expiresAt: Date };

/** Mails the invitation's link when the caller's transaction commits. */
function sendInvitation(context: Context, { to, inviter, teamName, role, url, expiresAt }: Invitation) {
  const from = nameOf(inviter);
  const as = role === 'admin' ? 'an admin, who can invite and remove members' : aRole(role);
  const gets = takesSeat(role)
    ? 'As part of the team you get the tools that it has for you, at no cost to you.'
    : `As ${aRole(role)} you ${rightsText[role]}.`;
  return sendMail(context, {
    to,
    kind: 'team-invitation',
    subject: mailSubject`${from} invites you to ${teamName}`,
    preheader: `${from} invites you to the team ${teamName} on ${brand.name}.`,
    heading: `Join ${teamName}`,
    paragraphs: [
      `${from} invites you to join the team ${teamName} on ${brand.name} as ${as}.`,
      `${gets} If you don't have an account yet, you'll create one on the way, with this address.`,
      `The link works once, until ${formatSydneyDate(expiresAt)}, and for this address only. A newer invitation replaces it.`,
    ],
    action: { label: 'See the invitation', url },
    footer: `You're receiving this because ${from} entered this address. If you do not know them, ignore this email.`,
  });
}
