import type { Request } from 'express';
import { audit } from '#server/admin/service.ts';
import { customerChanged, teamPayer } from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { updateTeam } from './queries.ts';
import { lockStanding } from './standing.ts';

/** Renames the team, and its customer at the provider after it. */
export const renameTeam = (context: Context, actor: ActorRow, teamId: string, name: string, request: Request) =>
  transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const { team } = await lockStanding(tx, teamId, actor.id, 'manage');
    const renamed = await updateTeam(tx, teamId, { name, updatedAt: context.now() });
    await customerChanged(inside, teamPayer(teamId));
    await audit(inside, {
      action: 'team.renamed',
      actorId: actor.id,
      subjectType: 'team',
      subjectId: teamId,
      before: { name: team.name },
      after: { name },
      ip: request.ip,
    });
    return renamed;
  });
