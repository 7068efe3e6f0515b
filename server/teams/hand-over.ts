import { day, plus } from '#shared/rules/dates.ts';
import { handOverDays, takesSeat } from '#shared/rules/people/teams.ts';
import { audit } from '#server/audit/service.ts';
import { onFile, practices, teamPayer } from '#server/payers/service.ts';
import { lockOpenPeople, peopleByIds, type Person } from '#server/people/service.ts';
import { customerChanged } from '#server/stripe/customers.ts';
import { forecastWithoutCard, seats } from '#server/subscriptions/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db } from '#server/platform/data/database.ts';
import { detachCardsJob, detachOldCardsNow } from './jobs.ts';
import { joinMembership, leaveMembership, revokeTokensWithoutAccess } from './members.ts';
import { nameOf, notifyHandedOver, notifyHandOverEnded, notifyOffered } from './notices.ts';
import { deleteMember, lockTeam, setRole, teamsOf, updateTeam, type TeamRow } from './queries.ts';
import { lockTeamRight, requireTeamRight } from './team-right.ts';

const isOpen = ({ offeredToId, offeredAt }: TeamRow, now: Date): boolean =>
  offeredToId !== null && offeredAt !== null && plus(offeredAt, handOverDays * day) > now;

/** Asks a member to take the team over. Until they accept, everything stays as it is. */
export const offerTeam = (context: Context, actor: ActorRow, teamId: string, userId: string): Promise<TeamRow> =>
  inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor, 'manage');
    if (userId === actor.id) throw fieldError('userId', 'You already own this team');
    const { from, to } = await lockBothOwners(tx, teamId, actor.id, userId);
    const at = inside.now();
    const offered = await updateTeam(tx, teamId, { offeredToId: to.id, offeredAt: at, updatedAt: at });
    await notifyOffered(inside, team, from, to, `${teamId}:${at.toISOString()}`);
    await audit(inside, 'team.hand_over_offered', { team: teamId, after: { userId } });
    return offered;
  });

/** The open question, with the bill that the new owner would pay; null for everybody whom it does not concern. */
export async function handOverOf(context: Context, actor: ActorRow, teamId: string) {
  const { team } = await requireTeamRight(context.db, teamId, actor.id, 'seeMembers');
  const { offeredToId, offeredAt, ownerId } = team;
  if (!isOpen(team, context.now()) || ![offeredToId, ownerId].includes(actor.id)) return null;
  const people = await peopleByIds(context.db, [offeredToId!, ownerId]);
  const personOf = (userId: string) => people.find(({ id }) => id === userId)!;
  return {
    from: personOf(ownerId),
    to: { ...personOf(offeredToId!), userId: offeredToId! },
    until: plus(offeredAt!, handOverDays * day),
    forecast: await forecastWithoutCard(context, teamPayer(teamId)),
  };
}

/** The owner takes the question back, or the member declines; the other one is told. */
export const endHandOver = (context: Context, actor: ActorRow, teamId: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor, 'seeMembers');
    if (![team.offeredToId, team.ownerId].includes(actor.id)) throw new AppError('forbidden');
    await endOffer(inside, team, actor);
  });

/** Takes back what was asked in the owner's name since that moment, in the caller's transaction. */
export async function takeOfferBack(inside: Context, owner: ActorRow, teamId: string, since: Date): Promise<void> {
  const team = await lockTeam(inside.db, teamId);
  if (team?.offeredAt && team.offeredAt >= since) await endOffer(inside, team, owner);
}

async function endOffer(inside: Context, team: TeamRow, actor: ActorRow): Promise<void> {
  const { id: teamId, offeredToId, offeredAt } = team;
  if (offeredToId === null) throw new AppError('not_offered');
  await updateTeam(inside.db, teamId, { offeredToId: null, offeredAt: null, updatedAt: inside.now() });
  const other = actor.id === team.ownerId ? offeredToId : team.ownerId;
  await notifyHandOverEnded(inside, team, actor, other, `${teamId}:${offeredAt?.toISOString()}`);
  await audit(inside, 'team.hand_over_ended', { team: teamId, actorId: actor.id, before: { userId: offeredToId } });
}

/**
 * Makes whoever was asked the owner, once they agree to the sums that they were shown. The old owner's card pays nothing from then on:
 * it is detached at Stripe, by a job later if Stripe is unavailable.
 */
export async function acceptTeam(
  context: Context,
  actor: ActorRow,
  teamId: string,
  agreed: { totalCents: number; owedCents: number },
): Promise<TeamRow> {
  const at = context.now();
  const team = await inTransaction(context, async (inside, tx) => {
    const { team: before } = await lockTeamRight(tx, teamId, actor, 'seeMembers');
    if (!isOpen(before, at) || before.offeredToId !== actor.id) throw new AppError('not_offered');
    const { bill, owed } = await forecastWithoutCard(inside, teamPayer(teamId));
    if ((bill?.totalCents ?? 0) !== agreed.totalCents || (owed?.dueCents ?? 0) !== agreed.owedCents)
      throw new AppError('price_changed');
    const { from, to } = await lockBothOwners(tx, teamId, before.ownerId, actor.id);
    const stays = await swapRoles(inside, teamId, from, to);
    const given = { ownerId: to.id, offeredToId: null, offeredAt: null };
    const handed = await updateTeam(tx, teamId, { ...given, ...onFile.noCard, updatedAt: at });
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
    await seats.memberLeft(context, teamId, { id: from.id, name: nameOf(from) }, to.id);
    await deleteMember(db, teamId, from.id, now);
  }
  await setRole(db, teamId, to.id, 'owner');
  await leaveMembership(db, [to.id], now);
  if (stays) await joinMembership(db, from.id, now);
  else await revokeTokensWithoutAccess(context, from.id);
  return stays;
}
