import type { Request } from 'express';
import { defaultTeamName } from '#shared/rules/teams.ts';
import { audit } from '#server/admin/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { insertMember, insertTeam, lockPerson, teamsOf } from './queries.ts';

type NewTeam = { name?: string | undefined; maxMembers: number };

/**
 * Creates the adviser's first team (B §5, §9); a partner's is a partner team for ever (decisions §4). The account is
 * locked, so that it can't be closed, or get a second team, meanwhile.
 */
export const createTeam = (context: Context, actor: ActorRow, { name, maxMembers }: NewTeam, request: Request) =>
  transaction(context.db, async (tx) => {
    const owner = await lockPerson(tx, actor.id);
    if (!owner || owner.closedAt) throw new AppError('unauthorized');
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
    await audit(within(context, tx), {
      action: 'team.created',
      actorId: owner.id,
      subjectType: 'team',
      subjectId: team.id,
      after: { name: team.name, membershipType, maxMembers },
      ip: request.ip,
    });
    return team;
  });
