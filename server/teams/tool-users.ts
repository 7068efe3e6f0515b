import { audit } from '#server/audit/service.ts';
import { teamPayer } from '#server/payers/service.ts';
import { readBill, seats } from '#server/subscriptions/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { revokeTokensWithoutAccess } from './members.ts';
import { notifyUse } from './notices.ts';
import { lockTeamRight, requireTeamRight } from './team-right.ts';

/** `GET /api/teams/{teamId}/tools`: the tools that are paid for by seat and open now, with who uses them. */
export async function teamTools(context: Context, actor: ActorRow, teamId: string) {
  await requireTeamRight(context.db, teamId, actor.id, 'seeUsage');
  const reading = await readBill(context, teamPayer(teamId));
  return seats
    .toolsBySeat(reading, context.now())
    .map(({ toolId, toolName, chosenUsers }) => ({ toolId, toolName, userIds: chosenUsers }));
}

/**
 * Chooses who uses a tool of the team; null is everybody. Whoever loses it does so at once, with their tokens for it, and whoever
 * gains or loses it is told, but for the owner, who chose.
 */
export async function chooseUsers(
  context: Context,
  actor: ActorRow,
  { teamId, toolId }: { teamId: string; toolId: string },
  userIds: readonly string[] | null,
): Promise<void> {
  await requireTeamRight(context.db, teamId, actor.id, 'manage');
  await consume(context, 'choosesToolUsers', actor.id);
  await inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor, 'manage');
    const users = userIds && [...new Set(userIds)];
    const { toolName, starting, stopping } = await seats.chooseUsers(inside, teamId, toolId, users);
    const occasion = inside.now().toISOString();
    for (const { id } of [...starting, ...stopping]) {
      await revokeTokensWithoutAccess(inside, id);
      const opens = starting.some((one) => one.id === id);
      if (id !== actor.id) await notifyUse(inside, team, id, { toolId, toolName, opens }, occasion);
    }
    await audit(inside, 'team.tool_users_chosen', { team: teamId, after: { toolId, users: users && users.length } });
  });
}
