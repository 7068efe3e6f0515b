import type { FileReply } from '#shared/api/endpoint.ts';
import { day, plus, sydneyDate, sydneyTime } from '#shared/rules/dates.ts';
import { takesSeat } from '#shared/rules/people/teams.ts';
import { teamPayer } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { type Columns, csvOf } from '#server/platform/http/csv.ts';
import { readBill, toolsPaidSince } from '#server/subscriptions/service.ts';
import { register } from '#server/usage/service.ts';
import { membersOf } from './queries.ts';
import { whoIsWho } from './queries-record.ts';
import { requireTeamRight } from './team-right.ts';

/**
 * The sessions that members, and people who have left since, opened through the team in the last `days`, with each tool of theirs that
 * it had, for those who may see them. What a member opens with a subscription of their own, or for another practice, is not shown.
 */
export async function teamUsage(context: Context, actor: ActorRow, teamId: string, days: number) {
  await requireTeamRight(context.db, teamId, actor.id, 'seeUsage');
  const since = plus(context.now(), -days * day);
  const payer = teamPayer(teamId);
  const [members, tools, { slots }] = await Promise.all([
    membersOf(context.db, teamId).then((all) => all.filter(({ role }) => takesSeat(role))),
    toolsPaidSince(context.db, payer, since),
    readBill(context, payer),
  ]);
  const chosen = new Map(slots.map((row) => [row.toolId, row.chosenUsers]));
  const used = await register.teamTotals(context.db, teamId, since);
  const now = members.flatMap(({ userId, user: { firstName, lastName, email } }) =>
    tools.flatMap(({ toolId, toolName }) => {
      const usage = useOf(used, userId, toolId);
      if (usage.sessions === 0 && chosen.get(toolId)?.includes(userId) === false) return [];
      return [{ userId, firstName, lastName, email, former: false, toolId, toolName, ...usage }];
    }),
  );
  return [...now, ...(await usageOfFormer(context, teamId, { used, members, tools }))];
}

type Used = Awaited<ReturnType<typeof register.teamTotals>>;
type Now = { used: Used; members: { userId: string }[]; tools: { toolId: string; toolName: string }[] };

function useOf(used: Used, userId: string, toolId: string) {
  const found = used.find((row) => row.userId === userId && row.toolId === toolId);
  return { sessions: found?.sessions ?? 0, lastUsedAt: found?.lastUsedAt ?? null };
}

/** The sessions of people who have no seat any more. */
async function usageOfFormer({ db }: Context, teamId: string, { used, members, tools }: Now) {
  const former = used.filter(
    (row) => !members.some(({ userId }) => userId === row.userId) && tools.some(({ toolId }) => toolId === row.toolId),
  );
  const people = await whoIsWho(db, teamId, [...new Set(former.map(({ userId }) => userId))]);
  return [...people.values()].flatMap(({ userId, firstName, lastName, email }) =>
    tools.map(({ toolId, toolName }) => {
      const usage = useOf(used, userId, toolId);
      return { userId, firstName, lastName, email, former: true, toolId, toolName, ...usage };
    }),
  );
}

const columns: Columns<Awaited<ReturnType<typeof teamUsage>>[number]> = {
  'First name': ({ firstName }) => firstName,
  'Last name': ({ lastName }) => lastName,
  Email: ({ email }) => email,
  Tool: ({ toolName }) => toolName,
  'Tool ID': ({ toolId }) => toolId,
  Sessions: ({ sessions }) => sessions,
  'Last used (Sydney)': ({ lastUsedAt }) => lastUsedAt && `${sydneyDate(lastUsedAt)} ${sydneyTime(lastUsedAt)}`,
  'Former member': ({ former }) => (former ? 'yes' : 'no'),
};

export async function teamUsageCsv(
  context: Context,
  actor: ActorRow,
  teamId: string,
  days: number,
): Promise<FileReply> {
  const rows = await teamUsage(context, actor, teamId, days);
  return {
    name: `adviserly-team-usage-${sydneyDate(context.now())}.csv`,
    body: csvOf(columns, rows),
  };
}
