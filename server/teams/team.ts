import type { Charge } from '#shared/api/charge.ts';
import { defaultTeamName } from '#shared/rules/people/teams.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { onFile, teamPayer } from '#server/payers/service.ts';
import { identities, lockActor } from '#server/people/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { customerChanged } from '#server/stripe/customers.ts';
import { endEverything, holdsSubscription, tellClosed } from '#server/subscriptions/service.ts';
import { detachCardsJob, detachOldCardsNow, endClosedJob } from './jobs.ts';
import { leaveMembership, revokeTokensWithoutAccess } from './members.ts';
import { notifyClosed, notifyFactorDemanded, notifyMicrosoftDemanded } from './notices.ts';
import {
  deleteAllButOwner,
  insertMember,
  insertTeam,
  membersOf,
  membersWithoutFactor,
  teamsOf,
  updateTeam,
} from './queries.ts';
import { revokeAllInvitations } from './queries-invitations.ts';
import { lockTeamRight } from './team-right.ts';

type NewTeam = { name?: string | undefined; maxMembers: number };

/**
 * Creates a team for an adviser who is in none; a partner's team stays a partner team. The account is locked, so that it can't
 * be closed or get a second team at the same time.
 */
export const createTeam = (context: Context, actor: ActorRow, { name, maxMembers }: NewTeam) =>
  inTransaction(context, async (inside, tx) => {
    const owner = await lockActor(tx, actor);
    const mine = await teamsOf(tx, owner.id);
    if (mine.length > 0) throw new AppError(mine.some(({ role }) => role === 'owner') ? 'second_team' : 'in_team');
    const now = context.now();
    const membershipType = owner.membershipType === 'shaw_partners' ? 'shaw_partners' : 'team';
    const team = await insertTeam(tx, {
      name: name ?? defaultTeamName(owner.firstName),
      ownerId: owner.id,
      membershipType,
      maxMembers,
      createdAt: now,
      updatedAt: now,
    });
    await insertMember(tx, { teamId: team.id, userId: owner.id, role: 'owner', joinedAt: now, createdAt: now });
    await audit(inside, 'team.created', {
      team: team.id,
      after: { name: team.name, membershipType, maxMembers },
    });
    return team;
  });

/** Renames the team; its customer at Stripe follows. */
export const renameTeam = (context: Context, actor: ActorRow, teamId: string, name: string) =>
  inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor, 'manage');
    const renamed = await updateTeam(tx, teamId, { name, updatedAt: context.now() });
    await customerChanged(inside, teamPayer(teamId));
    await audit(inside, 'team.renamed', { team: teamId, before: { name: team.name }, after: { name } });
    return renamed;
  });

/** Demands a second factor of the members before the team's tools open, or stops demanding it; those without one are told. */
export const requireFactor = (context: Context, actor: ActorRow, teamId: string, requiresFactor: boolean) =>
  inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor, 'manage');
    if (team.requiresFactor === requiresFactor) return team;
    const changed = await updateTeam(tx, teamId, { requiresFactor, updatedAt: context.now() });
    await audit(inside, 'team.factor_demanded', { team: teamId, after: { requiresFactor } });
    await accessChanged(inside, { teamId });
    if (requiresFactor)
      for (const userId of await membersWithoutFactor(tx, teamId)) await notifyFactorDemanded(inside, team, userId);
    return changed;
  });

/** Demands that sessions begin with the organisation's Microsoft account that the owner's did, or stops demanding it. */
export const requireMicrosoft = (context: Context, actor: ActorRow, teamId: string, required: boolean) =>
  inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor, 'manage');
    const own = context.caller?.tenant ?? null;
    const members = (await membersOf(tx, teamId)).map(({ userId }) => userId);
    const connected = await identities.tenantsOf(tx, members);
    if (required && (own === null || connected.get(actor.id) !== own)) throw new AppError('tenant_unknown');
    const microsoftTenant = required ? own : null;
    if (team.microsoftTenant === microsoftTenant) return team;
    const changed = await updateTeam(tx, teamId, { microsoftTenant, updatedAt: context.now() });
    await audit(inside, 'team.microsoft_demanded', { team: teamId, after: { microsoftTenant } });
    await accessChanged(inside, { teamId });
    if (required)
      for (const userId of members)
        if (connected.get(userId) !== microsoftTenant) await notifyMicrosoftDemanded(inside, team, userId);
    return changed;
  });

/** Seconds after which a purchase begun in another window is over. */
const lateSeconds = 60;

/**
 * Closes the team. Its subscriptions end at Stripe first, with a last bill; if Stripe is unavailable, nothing is closed. Then one
 * transaction removes the members and ends open invitations. The owner's row stays, to record whose team it was.
 */
export async function closeTeam(
  context: Context,
  actor: ActorRow,
  teamId: string,
  charge: Charge | undefined,
): Promise<void> {
  await transaction(context.db, (tx) => lockTeamRight(tx, teamId, actor, 'manage'));
  await endEverything(context, teamPayer(teamId), charge);
  const at = context.now();
  await inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor, 'manage');
    if (await holdsSubscription(tx, teamPayer(teamId))) throw new AppError('conflict');
    const members = (await membersOf(tx, teamId)).map((member) => member.userId);
    const others = members.filter((id) => id !== actor.id);
    // Unless they were told when its subscriptions ended.
    await tellClosed(inside, teamPayer(teamId), null);
    await updateTeam(tx, teamId, { isActive: false, ...onFile.noCard, updatedAt: at });
    await revokeAllInvitations(tx, teamId);
    await deleteAllButOwner(tx, teamId, at);
    await leaveMembership(tx, others, at);
    for (const userId of members) await revokeTokensWithoutAccess(inside, userId);
    for (const userId of others) await notifyClosed(inside, team, userId);
    await context.queue.send(tx, detachCardsJob, { teamId, until: at.toISOString() });
    await context.queue.send(tx, endClosedJob, { teamId }, { startAfter: lateSeconds });
    await audit(inside, 'team.closed', { team: teamId, before: { members: members.length } });
  });
  await detachOldCardsNow(context, teamId, at);
}
