import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { recordApi } from '#shared/api/record.ts';
import type { Inventory, RecordSession } from '#shared/api/recorded.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { recordYears } from '#shared/rules/record/record.ts';
import { audit } from '#server/audit/service.ts';
import { toolRows } from '#server/catalogue/service.ts';
import { practices } from '#server/payers/service.ts';
import { myTeams, recordTeams } from '#server/teams/service.ts';
import { register } from '#server/usage/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { change, requireMember } from './inventory.ts';
import { tellAllowed } from './tell-members.ts';
import { addLine, present } from './tool-register.ts';

/** Lists a tool from elsewhere that the practice uses, and tells its members what may go into it. */
export const addTool = (
  context: Context,
  actor: ActorRow,
  teamId: string,
  { name, ...about }: Input<typeof recordApi.addTool>['body'],
): Promise<Inventory> =>
  change(context, actor, teamId, 'decide', async (inside, team) => {
    await requireMember(inside.db, teamId, about.accountableId);
    const at = inside.now();
    const toolId = await toolRows.insertOutside(inside.db, teamId, name);
    await practices.decide(inside.db, {
      teamId,
      toolId,
      ...about,
      allowed: true,
      allowedAt: at,
      decidedById: actor.id,
      decidedAt: at,
    });
    await audit(inside, 'team.tool_listed', { team: teamId, after: { toolId, name, ...about } });
    await tellAllowed(inside, team, actor.id, {
      toolId,
      toolName: name,
      outside: true,
      dataAllowed: about.dataAllowed,
      at,
    });
  });

/** The tools from elsewhere that this person's live practices list, by name, with what each has decided. */
async function listedFor(context: Context, userId: string) {
  const { db } = context;
  const { ownedTeams, memberOf } = await myTeams(context, userId);
  const teams = memberOf ? [...ownedTeams, memberOf] : ownedTeams;
  const tools = await toolRows.outsideOf(
    db,
    teams.map(({ id }) => id),
  );
  const listed = [];
  for (const { id: toolId, name: toolName, teamId } of tools) {
    const team = teams.find(({ id }) => id === teamId)!;
    const decision = (await practices.decisionsOf(db, team.id)).find((row) => row.toolId === toolId);
    const { allowed = null, usedFor = null, dataAllowed = null } = decision ?? {};
    listed.push({ toolId, toolName, teamId: team.id, teamName: team.name, allowed, usedFor, dataAllowed });
  }
  return listed;
}

/** The tools from elsewhere that this adviser's practices list. */
export async function outsideFor(context: Context, actor: ActorRow): Promise<Reply<typeof recordApi.outside>> {
  const tools = await listedFor(context, actor.id);
  const lists = await recordTeams.checkListsOf(
    context.db,
    tools.map(({ teamId }) => teamId),
  );
  return tools.map(({ teamId, allowed, ...tool }) => ({
    ...tool,
    allowed: allowed !== false,
    checkList: [...lists.get(teamId)!],
  }));
}

/** Records a session with such a tool. One with a tool that is not allowed is recorded too: the record says what happened. */
export const recordByHand = (
  context: Context,
  actor: ActorRow,
  { id, toolId, usedAt, ...line }: Input<typeof recordApi.recordByHand>['body'],
): Promise<RecordSession> =>
  transaction(context.db, async (tx) => {
    const tool = (await listedFor(within(context, tx), actor.id)).find((one) => one.toolId === toolId);
    if (!tool) throw new AppError('tool_not_found');
    await practices.requireProvedRole(tx, tool.teamId, actor.id);
    const now = context.now();
    if (usedAt > now || usedAt < plusMonths(now, -12 * recordYears))
      throw fieldError('usedAt', `Please enter a time within the last ${recordYears} years`);
    const times = { createdAt: usedAt, lastAccessed: usedAt, endedAt: usedAt };
    if (await register.insertByHand(tx, { id, toolId, teamId: tool.teamId, userId: actor.id, ...times }))
      await addLine(context, tx, actor, id, { ...line, clientReference: line.clientReference || undefined });
    const row = await register.findRecord(tx, id);
    if (row?.userId !== actor.id) throw new AppError('record_not_found');
    return (await present(tx, [row]))[0]!;
  });
