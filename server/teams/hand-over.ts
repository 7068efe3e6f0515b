import { takesSeat } from '#shared/rules/people/teams.ts';
import { audit } from '#server/audit/service.ts';
import { onFile, practices, teamPayer } from '#server/payers/service.ts';
import { lockOpenPeople, type Person } from '#server/people/service.ts';
import { customerChanged } from '#server/stripe/customers.ts';
import { seats } from '#server/subscriptions/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db } from '#server/platform/data/database.ts';
import { detachCardsJob, detachOldCardsNow } from './jobs.ts';
import { joinMembership, leaveMembership, revokeTokensWithoutAccess } from './members.ts';
import { nameOf, notifyHandedOver } from './notices.ts';
import { deleteMember, setRole, teamsOf, updateTeam, type TeamRow } from './queries.ts';
import { lockTeamRight } from './team-right.ts';

/**
 * Makes a member the owner. The old owner's card pays nothing from then on: it is detached at Stripe, by a job later if Stripe
 * is unavailable.
 */
export async function transferTeam(
  context: Context,
  actor: ActorRow,
  teamId: string,
  userId: string,
): Promise<TeamRow> {
  const at = context.now();
  const team = await inTransaction(context, async (inside, tx) => {
    await lockTeamRight(tx, teamId, actor.id, 'manage');
    if (userId === actor.id) throw fieldError('userId', 'You already own this team');
    const { from, to } = await lockBothOwners(tx, teamId, actor.id, userId);
    const stays = await swapRoles(inside, teamId, from, to);
    const handed = await updateTeam(tx, teamId, { ownerId: to.id, ...onFile.noCard, updatedAt: at });
    await customerChanged(inside, teamPayer(teamId));
    await context.queue.send(tx, detachCardsJob, { teamId, until: at.toISOString() });
    await notifyHandedOver(inside, handed, from, to, stays, `${teamId}:${at.toISOString()}`);
    await audit(inside, 'team.handed_over', { team: teamId, before: { ownerId: from.id }, after: { ownerId: to.id } });
    return handed;
  });
  await detachOldCardsNow(context, teamId, at);
  return team;
}

/** Locks the old and the new owner, so that neither can close their account or get another team until this is done. */
async function lockBothOwners(
  tx: Db,
  teamId: string,
  ownerId: string,
  userId: string,
): Promise<{ from: Person; to: Person }> {
  const people = await lockOpenPeople(tx, [ownerId, userId]);
  const from = people.find(({ id }) => id === ownerId);
  const to = people.find(({ id }) => id === userId);
  if (!from) throw new AppError('unauthorized');
  const role = await practices.findTeamRole(tx, teamId, userId);
  if (!to || !role) throw new AppError('team_member_not_found');
  if (!takesSeat(role)) throw new AppError('new_owner_reviews');
  // A suspended person can't pay for anything; why is not for the owner to know.
  if (to.suspendedAt) throw new AppError('new_owner_unavailable');
  if ((await teamsOf(tx, to.id)).some(({ role }) => role === 'owner')) throw new AppError('new_owner_has_team');
  return { from, to };
}

/**
 * The old owner stays as an admin, or leaves if they are already a member of another team, since nobody is a member of two.
 * Returns whether they stay.
 */
async function swapRoles(context: Context, teamId: string, from: Person, to: Person): Promise<boolean> {
  const { db } = context;
  const now = context.now();
  const stays = (await teamsOf(db, from.id)).every(({ role }) => role === 'owner');
  if (stays) await setRole(db, teamId, from.id, 'admin');
  else {
    await seats.memberLeft(context, teamId, { id: from.id, name: nameOf(from) });
    await deleteMember(db, teamId, from.id, now);
  }
  await setRole(db, teamId, to.id, 'owner');
  await leaveMembership(db, [to.id], now);
  if (stays) await joinMembership(db, from.id, now);
  else await revokeTokensWithoutAccess(context, from.id);
  return stays;
}
