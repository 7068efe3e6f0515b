import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { asksApi } from '#shared/api/asks.ts';
import { type BillInput, type BillRow, monthCentsOf, priceAt, withRow } from '#shared/rules/billing/bill.ts';
import { forecastOf } from '#shared/rules/billing/forecast.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import { hasAccess, toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { takesSeat } from '#shared/rules/people/teams.ts';
import { audit } from '#server/audit/service.ts';
import { findTool, listTools, priceDecisions } from '#server/catalogue/service.ts';
import { practices, teamPayer } from '#server/payers/service.ts';
import { readBill } from '#server/subscriptions/service.ts';
import { findTeamWithOwner, lockTeamRight, membersOf, requireTeamRight } from '#server/teams/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { decideTool, rulesOf } from './inventory.ts';
import {
  answeredAsks,
  type AskRow,
  asksBy,
  closeAsk,
  deleteAsk,
  insertAsk,
  lockAsk,
  openAsks,
  teamsWithOpenAsks,
} from './queries-asks.ts';
import { newestDisclosures } from './queries.ts';
import { tellAnswered, tellAsked } from './tell-asks.ts';

type Team = { id: string; name: string; newToolsAllowed: boolean };

/** Whether this member uses what the team has: it may be for others only. */
const isFor = (row: BillRow | null, userId: string) => row !== null && (row.chosenUsers?.includes(userId) ?? true);

/** For so many days an answer stands on the asker's card. */
const shownDays = 60;
const shownAnswers = 20;

/** What a team has, and what it allows. */
async function standingOf(context: Context, team: Team) {
  const { input } = await readBill(context, teamPayer(team.id));
  const rules = rulesOf(team, await practices.decisionsOf(context.db, team.id));
  const { cardOnFile } = input.payer;
  return {
    input,
    isAllowed: (toolId: string) => toolRefusal(rules, toolId) === null,
    /** Their open subscription to the tool. */
    rowOf: (toolId: string) =>
      input.rows.find((row) => row.toolId === toolId && hasAccess({ ...row, cardOnFile }, input.now)) ?? null,
  };
}

/** `POST /api/teams/{teamId}/asks`: a member asks for a tool that the practice lacks, or has not allowed. */
export async function askFor(
  context: Context,
  actor: ActorRow,
  teamId: string,
  { toolId, reason }: Input<typeof asksApi.ask>['body'],
): Promise<Reply<typeof asksApi.ask>> {
  const { team, role } = await requireTeamRight(context.db, teamId, actor.id, 'seeMembers');
  if (role === 'owner' || !takesSeat(role)) throw new AppError('forbidden');
  const tool = await findTool(context.db, toolId);
  if (!tool?.isActive) throw new AppError('tool_not_found');
  const { isAllowed, rowOf } = await standingOf(context, team);
  const wasAllowed = isAllowed(toolId);
  if (wasAllowed && isFor(rowOf(toolId), actor.id)) throw new AppError('practice_has_tool');
  await consume(context, 'asks', actor.id);
  return inTransaction(context, async (inside, tx) => {
    await lockTeamRight(tx, teamId, actor, 'seeMembers');
    const asked = await insertAsk(tx, { teamId, userId: actor.id, toolId, reason, wasAllowed, askedAt: inside.now() });
    if (!asked) throw new AppError('already_asked');
    await tellAsked(inside, team, asked, { ...actor, toolName: tool.name });
    await audit(inside, 'team.tool_asked', { team: teamId, after: { toolId } });
    return { id: asked.id };
  });
}

/** What the tool would cost the team, from its next bill. */
function costOf(
  input: BillInput,
  tool: { id: string; name: string; basePrice: string },
  decisions: BillRow['decisions'],
) {
  const before = forecastOf(input).bill;
  const row: BillRow = {
    id: 'asked',
    toolId: tool.id,
    toolName: tool.name,
    status: 'active',
    autoRenew: true,
    endDate: before?.at ?? input.now,
    trialEndDate: null,
    gracePeriodEnd: null,
    price: { unitCents: centsOf(tool.basePrice), number: 0 },
    decisions,
    offer: null,
    freeMonths: null,
  };
  const bought = { ...input, rows: [...input.rows, row] };
  const { members } = input.payer;
  const after = before && forecastOf(bought).bill;
  const line = after?.lines.find(({ subscriptionId }) => subscriptionId === row.id);
  if (!before || !after || !line) {
    const { totalCents } = priceAt(row, bought, input.now);
    return { members, toolCents: totalCents, moreCents: totalCents, billDay: null, billCents: null };
  }
  const [was, then] = [monthCentsOf(before), monthCentsOf(after)];
  return { members, toolCents: line.cents, moreCents: then - was, billDay: before.day, billCents: then };
}

/** What one more user of a tool that the team has would cost it, from its next bill. */
function costOfSeat(input: BillInput, row: BillRow, userId: string) {
  const given = withRow(input, row.id, { chosenUsers: [...(row.chosenUsers ?? []), userId] });
  const [before, after] = [forecastOf(input).bill, forecastOf(given).bill];
  const priceIn = (of: BillInput) =>
    priceAt(
      of.rows.find(({ id }) => id === row.id)!,
      of,
      input.now,
    ).totalCents;
  const moreCents = before && after ? monthCentsOf(after) - monthCentsOf(before) : priceIn(given) - priceIn(input);
  const bill = { billDay: before?.day ?? null, billCents: after && monthCentsOf(after) };
  return { members: 1, toolCents: moreCents, moreCents, ...bill };
}

/** `GET /api/teams/{teamId}/asks`: what members ask for, with what it would cost; and the last answers. */
export async function asksOf(context: Context, actor: ActorRow, teamId: string): Promise<Reply<typeof asksApi.ofTeam>> {
  const { team } = await requireTeamRight(context.db, teamId, actor.id, 'review');
  const [{ input, isAllowed, rowOf }, open, answered, tools, decisions, disclosures] = await Promise.all([
    standingOf(context, team),
    openAsks(context.db, teamId),
    answeredAsks(context.db, teamId, shownAnswers),
    listTools(context),
    priceDecisions(context.db),
    newestDisclosures(context.db),
  ]);
  const named = (row: (typeof open)[number]) => ({
    ...row,
    toolName: tools.find(({ id }) => id === row.toolId)?.name ?? row.toolId,
  });
  return {
    open: open.map((row) => {
      const tool = tools.find(({ id }) => id === row.toolId);
      const held = rowOf(row.toolId);
      const isTheirs = !tool || isFor(held, row.userId);
      const costs = () =>
        held ? costOfSeat(input, held, row.userId) : costOf(input, tool!, decisions.get(row.toolId) ?? []);
      return {
        ...named(row),
        allowed: isAllowed(row.toolId),
        forOthers: held !== null && !isTheirs,
        cost: isTheirs ? null : costs(),
        disclosedAt: disclosures.get(row.toolId)?.madeAt ?? null,
      };
    }),
    answered: answered.map(named),
  };
}

/** `GET /api/asks`: what the adviser has asked for, and the answers. */
export async function ownAsks(context: Context, actor: ActorRow): Promise<Reply<typeof asksApi.own>> {
  return asksBy(context.db, actor.id, plus(context.now(), -shownDays * day));
}

/** `POST /api/teams/{teamId}/asks/{id}/answer`: allows the tool, or declines. What is bought answers by itself. */
export async function answerAsk(
  context: Context,
  actor: ActorRow,
  { teamId, id }: { teamId: string; id: string },
  { outcome, answer }: Input<typeof asksApi.answer>['body'],
): Promise<Reply<typeof asksApi.ofTeam>> {
  if (outcome === 'declined' && !answer) throw fieldError('answer', 'Please say why');
  await inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor, 'decide');
    const asked = await orRefuse(lockAsk(tx, teamId, id), 'not_found');
    if (asked.outcome !== null) throw new AppError('ask_answered');
    if (outcome === 'allowed') await decideTool(inside, actor, { teamId, toolId: asked.toolId }, { allowed: true });
    await close(inside, team, asked, { outcome, answer: answer || null, by: actor.id });
  });
  await settleAsksOf(context, teamId);
  return asksOf(context, actor, teamId);
}

type Answer = { outcome: NonNullable<AskRow['outcome']>; answer: string | null; by: string | null };

async function close(inside: Context, team: Team, asked: AskRow, { outcome, answer, by }: Answer): Promise<void> {
  if (!(await closeAsk(inside.db, asked.id, { outcome, answer, answeredById: by, answeredAt: inside.now() }))) return;
  const tool = await findTool(inside.db, asked.toolId);
  await tellAnswered(inside, team, asked, { outcome, answer, by, toolName: tool?.name ?? asked.toolId });
  await audit(inside, 'team.ask_answered', {
    team: team.id,
    ...(by === null && { actorId: null }),
    after: { toolId: asked.toolId, userId: asked.userId, outcome },
  });
}

/** Answers what has been allowed or bought since it was asked, and forgets what people asked who have left. It may run twice. */
export async function settleAsks(context: Context): Promise<void> {
  for (const teamId of await teamsWithOpenAsks(context.db)) await settleAsksOf(context, teamId);
}

async function settleAsksOf(context: Context, teamId: string): Promise<void> {
  const members = await membersOf(context.db, teamId);
  const found = await findTeamWithOwner(context.db, teamId);
  const team = found?.team.isActive ? found.team : null;
  const standing = team && (await standingOf(context, team));
  for (const asked of await openAsks(context.db, teamId)) {
    if (!team || !standing || !members.some(({ userId }) => userId === asked.userId)) {
      await deleteAsk(context.db, asked.id);
      continue;
    }
    const { isAllowed, rowOf } = standing;
    const outcome = !isAllowed(asked.toolId)
      ? null
      : !asked.wasAllowed
        ? 'allowed'
        : isFor(rowOf(asked.toolId), asked.userId)
          ? 'bought'
          : null;
    if (outcome)
      await inTransaction(context, (inside) => close(inside, team, asked, { outcome, answer: null, by: null }));
  }
}
