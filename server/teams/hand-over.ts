import type { Request } from 'express';
import { audit } from '#server/admin/service.ts';
import { customerChanged, teamPayer } from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { teamSizeChanged } from '#server/subscriptions/service.ts';
import { detachCardsJob, detachNow } from './jobs.ts';
import { revokeLostTokens } from './lost-access.ts';
import {
  deleteMember,
  lockPeople,
  markJoined,
  markLeft,
  roleIn,
  setRole,
  teamsOf,
  updateTeam,
  type Person,
  type TeamRow,
} from './queries.ts';
import { lockStanding } from './standing.ts';
import { tellHandedOver } from './tell.ts';

/**
 * Makes a member the owner. The old owner's card pays nothing more from that moment: it is detached at the provider, by a
 * job where the provider is away now (decisions §7).
 */
export async function transferTeam(
  context: Context,
  actor: ActorRow,
  teamId: string,
  userId: string,
  request: Request,
): Promise<TeamRow> {
  const at = context.now();
  const team = await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    await lockStanding(tx, teamId, actor.id, 'manage');
    if (userId === actor.id) throw fieldError('userId', 'You are the owner already');
    const { from, to } = await bothOf(tx, teamId, actor.id, userId);
    const stays = await changePlaces(inside, teamId, from, to);
    const card = { cardBrand: null, cardLast4: null, cardExpMonth: null, cardExpYear: null };
    const handed = await updateTeam(tx, teamId, { ownerId: to.id, ...card, updatedAt: at });
    await customerChanged(inside, teamPayer(teamId));
    await context.queue.send(tx, detachCardsJob, { teamId, until: at.toISOString() });
    await tellHandedOver(inside, handed, from, to, stays, `${teamId}:${at.toISOString()}`);
    await audit(inside, {
      action: 'team.handed_over',
      actorId: actor.id,
      subjectType: 'team',
      subjectId: teamId,
      before: { ownerId: from.id },
      after: { ownerId: to.id },
      ip: request.ip,
    });
    return handed;
  });
  await detachNow(context, teamId, at);
  return team;
}

/** Both accounts, locked, so that neither is closed or gets a team of its own meanwhile. */
async function bothOf(tx: Db, teamId: string, ownerId: string, userId: string): Promise<{ from: Person; to: Person }> {
  const people = await lockPeople(tx, [ownerId, userId]);
  const from = people.find(({ id }) => id === ownerId);
  const to = people.find(({ id }) => id === userId);
  if (!from || from.closedAt) throw new AppError('unauthorized');
  if (!to || to.closedAt || !(await roleIn(tx, teamId, userId))) throw new AppError('team_member_not_found');
  if ((await teamsOf(tx, to.id)).some(({ role }) => role === 'owner')) throw new AppError('new_owner_has_team');
  return { from, to };
}

/**
 * The old owner stays as an admin, or leaves where they are a member of another team already: one membership at a time.
 * Answers whether they stay.
 */
async function changePlaces(context: Context, teamId: string, from: Person, to: Person): Promise<boolean> {
  const { db } = context;
  const now = context.now();
  const stays = (await teamsOf(db, from.id)).every(({ role }) => role === 'owner');
  if (stays) await setRole(db, teamId, from.id, 'admin');
  else await deleteMember(db, teamId, from.id);
  await setRole(db, teamId, to.id, 'owner');
  await markLeft(db, [to.id], now);
  if (stays) await markJoined(db, [from.id], now);
  else {
    await revokeLostTokens(context, from.id);
    await teamSizeChanged(context, teamId);
  }
  return stays;
}
