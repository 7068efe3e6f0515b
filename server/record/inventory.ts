import type { Input } from '#shared/api/endpoint.ts';
import type { recordApi } from '#shared/api/record.ts';
import type { Inventory } from '#shared/api/recorded.ts';
import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { announceable, differencesFrom } from '#shared/rules/record/announcements.ts';
import { changedAnswers, nothingStated } from '#shared/rules/record/disclosure.ts';
import { inventoryDays, usualChecks } from '#shared/rules/record/record.ts';
import type { TeamRight } from '#shared/rules/people/teams.ts';
import { toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import { accessChanged } from '#server/access-tokens/service.ts';
import { audit } from '#server/audit/service.ts';
import { findTool, listTools, toolRows } from '#server/catalogue/service.ts';
import { practices } from '#server/payers/service.ts';
import { lockTeamRight, membersOf, recordTeams, requireTeamRight, setRecordRules } from '#server/teams/service.ts';
import { register } from '#server/usage/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { withNames, withRedactors } from './practice.ts';
import { tellAllowed, tellNewTools, tellStopped } from './tell-members.ts';
import { allDisclosures, announcementsOf, knownVersions } from './queries-announcements.ts';
import { findDisclosure, insertReview, reviewsOf } from './queries.ts';

type Team = { id: string; name: string; newToolsAllowed: boolean };
type Decisions = Awaited<ReturnType<typeof practices.decisionsOf>>;

/** What a practice has decided, as the rules that its members are held to. */
export const rulesOf = ({ id: teamId, name: teamName, newToolsAllowed }: Team, decisions: Decisions) =>
  [{ toolId: null, allowed: null, reason: null }, ...decisions].map((one) => ({
    ...one,
    teamId,
    teamName,
    newToolsAllowed,
  }));

/** A tool of the catalogue, or one from elsewhere that the practice lists. */
async function requireTool(db: Db, teamId: string, toolId: string) {
  const tool = (await findTool(db, toolId)) ?? (await toolRows.findOutside(db, teamId, toolId));
  if (!tool) throw new AppError('tool_not_found');
  return { name: tool.name, outside: tool.teamId !== null };
}

/** Whoever answers for a tool is in the practice. */
export async function requireMember(db: Db, teamId: string, userId: string): Promise<void> {
  if ((await membersOf(db, teamId)).some((member) => member.userId === userId)) return;
  throw fieldError('accountableId', 'Please choose somebody in the practice');
}

/** Who answers for these tools: members, and those who have left since. */
async function accountableFor(db: Db, teamId: string, decisions: Decisions) {
  const ids = [...new Set(decisions.flatMap(({ accountableId }) => accountableId ?? []))];
  const members = new Set((await membersOf(db, teamId)).map(({ userId }) => userId));
  const people = await recordTeams.whoIsWho(db, teamId, ids);
  return (id: string | null | undefined) => {
    const who = people.get(id ?? '');
    if (!who) return null;
    const { userId, firstName, lastName } = who;
    return { userId, firstName, lastName, isMember: members.has(userId) };
  };
}

type Seen = {
  /** The practice's last review. */
  review: { madeAt: Date; disclosureVersion: number | null } | undefined;
  allowedAt: Date | null;
  /** In use now. */
  version: string | null;
};

/** What is new about these tools to a practice, by what it has seen of each. */
async function newsOfTools(db: Db, toolIds: string[]) {
  const disclosures = await allDisclosures(db, toolIds);
  const announced = await announcementsOf(db, toolIds);
  const known = await knownVersions(db, toolIds);
  return (toolId: string, { review, allowedAt, version }: Seen) => {
    const said = disclosures.filter((one) => one.toolId === toolId);
    const [newest] = said;
    const reviewed = review ? said.find((one) => one.version === review.disclosureVersion) : newest;
    const decidedAt = Math.max(review?.madeAt.getTime() ?? 0, allowedAt?.getTime() ?? 0);
    // Newer answers say what was announced before them, unless its day comes later.
    const since = newest?.madeAt ?? new Date(0);
    const open = announced.filter(
      (one) => one.toolId === toolId && (one.announcedAt > since || one.onDay > sydneyDate(since)),
    );
    return {
      disclosedAt: newest?.madeAt ?? null,
      differences: differencesFrom(reviewed?.answers ?? null, newest?.answers ?? null, open),
      otherDifferences:
        newest === undefined
          ? 0
          : changedAnswers(reviewed?.answers ?? nothingStated, newest.answers).filter(
              ({ question }) => !announceable.some((about) => about === question),
            ).length,
      toDecide: announced.some((one) => one.toolId === toolId && one.announcedAt.getTime() > decidedAt),
      version,
      announced: version === null || known.has(`${toolId} ${version}`),
    };
  };
}

/** The tools on sale and those in use, with what the practice has decided and reviewed. */
export async function inventoryOf(
  context: Context,
  actor: ActorRow,
  teamId: string,
  days = inventoryDays,
): Promise<Inventory> {
  const { team } = await requireTeamRight(context.db, teamId, actor.id, 'seeUsage');
  const [offered, used, decisions, reviewed] = await Promise.all([
    listTools(context),
    register.teamTotals(context.db, teamId, plus(context.now(), -days * day)),
    practices.decisionsOf(context.db, teamId),
    reviewsOf(context.db, teamId),
  ]);
  const totals = await withNames(context.db, used, teamId);
  const reviews = await withRedactors(context.db, teamId, await withNames(context.db, reviewed, teamId));
  const accountable = await accountableFor(context.db, teamId, decisions);
  const { newToolsAllowed } = team;
  const rules = rulesOf(team, decisions);
  // Tools withdrawn from the catalogue stay in the record.
  const withdrawn = [...totals, ...decisions].map(({ toolId }) => toolId);
  const ids = [...new Set([...offered.flatMap(({ id, comingSoon }) => (comingSoon ? [] : [id])), ...withdrawn])];
  const news = await newsOfTools(context.db, ids);
  const named = await toolRows.namesOf(context.db, ids);
  const tools = ids.map((toolId) => {
    const ofTool = totals.filter((row) => row.toolId === toolId);
    const decision = decisions.find((row) => row.toolId === toolId);
    const sum = (of: 'sessions' | 'durationSeconds' | 'unstated' | 'unchecked') =>
      ofTool.reduce((total, row) => total + row[of], 0);
    const newest = ofTool.toSorted((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime());
    return {
      toolId,
      toolName: named.get(toolId)?.name ?? toolId,
      allowed: toolRefusal(rules, toolId) === null,
      decided: decision != null && decision.allowed !== null,
      reason: decision?.reason ?? null,
      outside: named.get(toolId)?.outside ?? false,
      usedFor: decision?.usedFor ?? null,
      dataAllowed: decision?.dataAllowed ?? null,
      accountable: accountable(decision?.accountableId),
      reviewDue: decision?.reviewDue ?? null,
      reviews: reviews.filter((row) => row.toolId === toolId),
      ...news(toolId, {
        review: reviews.find((row) => row.toolId === toolId),
        allowedAt: decision?.allowedAt ?? null,
        version: newest.find(({ version }) => version !== null)?.version ?? null,
      }),
      sessions: sum('sessions'),
      durationSeconds: sum('durationSeconds'),
      unstated: sum('unstated'),
      unchecked: sum('unchecked'),
      lastUsedAt: newest[0]?.lastUsedAt ?? null,
      people: ofTool,
    };
  });
  const { lateAfterDays, refusesLate, remindsWeekly, needsClient, checks } = team;
  return {
    days,
    newToolsAllowed,
    rules: { lateAfterDays, refusesLate, remindsWeekly, needsClient, checks: checks ?? [...usualChecks] },
    tools,
  };
}

/** Changes what the practice has decided, with the team locked, and has its tools told. */
export async function change(
  context: Context,
  actor: ActorRow,
  teamId: string,
  right: TeamRight,
  work: (inside: Context, team: Team) => Promise<void>,
): Promise<Inventory> {
  await inTransaction(context, async (inside, tx) => {
    const { team } = await lockTeamRight(tx, teamId, actor, right);
    await work(inside, team);
    await accessChanged(inside, { teamId });
  });
  return inventoryOf(context, actor, teamId);
}

/**
 * Says what a tool is for, what may go in and who answers for it, and allows it or not. If not, members can no longer open or buy it;
 * what they pay for goes on until they cancel it.
 */
export const decideTool = (
  context: Context,
  actor: ActorRow,
  { teamId, toolId }: { teamId: string; toolId: string },
  { allowed, reason, name, ...about }: Input<typeof recordApi.decide>['body'],
): Promise<Inventory> =>
  change(context, actor, teamId, 'decide', async (inside, team) => {
    const tool = await requireTool(inside.db, teamId, toolId);
    if (about.accountableId) await requireMember(inside.db, teamId, about.accountableId);
    if (name !== undefined && name !== tool.name) {
      if (!tool.outside) throw fieldError('name', 'Only tools from elsewhere can be renamed');
      await toolRows.updateTool(inside.db, toolId, { name });
    }
    const isAllowed = async () =>
      toolRefusal(rulesOf(team, await practices.decisionsOf(inside.db, teamId)), toolId) === null;
    const before = await isAllowed();
    const decision = {
      ...(allowed !== undefined && { allowed, allowedAt: inside.now(), reason: allowed ? null : reason || null }),
      ...about,
    };
    await practices.decide(inside.db, { teamId, toolId, ...decision, decidedById: actor.id, decidedAt: inside.now() });
    await audit(inside, 'team.tool_decided', { team: teamId, after: { toolId, ...decision } });
    const after = await isAllowed();
    if (before === after) return;
    const told = {
      toolId,
      toolName: name ?? tool.name,
      outside: tool.outside,
      reason: reason || null,
      at: inside.now(),
    };
    await (after ? tellAllowed : tellStopped)(inside, team, actor.id, told);
  });

/** Whether a tool without a decision is allowed. */
export const decideNewTools = (
  context: Context,
  actor: ActorRow,
  teamId: string,
  newToolsAllowed: boolean,
): Promise<Inventory> =>
  change(context, actor, teamId, 'decide', async (inside, team) => {
    await setRecordRules(inside, teamId, { newToolsAllowed });
    await audit(inside, 'team.new_tools_decided', { team: teamId, after: { newToolsAllowed } });
    if (team.newToolsAllowed !== newToolsAllowed)
      await tellNewTools(inside, team, actor.id, newToolsAllowed, inside.now());
  });

/** Records a review, with the version of the maker's answers at that moment. */
export const reviewTool = (
  context: Context,
  actor: ActorRow,
  { teamId, toolId }: { teamId: string; toolId: string },
  { remark, nextDue }: Input<typeof recordApi.review>['body'],
): Promise<Inventory> =>
  change(context, actor, teamId, 'review', async (inside) => {
    await requireTool(inside.db, teamId, toolId);
    const now = inside.now();
    const disclosureVersion = (await findDisclosure(inside.db, toolId))?.version ?? null;
    const userId = actor.id;
    await insertReview(inside.db, { teamId, toolId, userId, remark, nextDue, disclosureVersion, madeAt: now });
    await practices.decide(inside.db, { teamId, toolId, reviewDue: nextDue, decidedById: userId, decidedAt: now });
    await audit(inside, 'team.tool_reviewed', { team: teamId, after: { toolId, nextDue } });
  });
