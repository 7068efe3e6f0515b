import type { FileReply } from '#shared/api/endpoint.ts';
import { day, plus, sydneyDate, sydneyTime } from '#shared/rules/dates.ts';
import { takesSeat } from '#shared/rules/people/teams.ts';
import { teamPayer } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { type Columns, csvOf } from '#server/platform/http/csv.ts';
import { readBill, toolsPaidSince } from '#server/subscriptions/service.ts';
import { register, usageSince } from '#server/usage/service.ts';
import { membersOf } from './queries.ts';
import { whoIsWho } from './queries-record.ts';
import { requireTeamRight } from './team-right.ts';

/**
 * The sessions of every member with every tool of theirs that the team has had in the last `days`, for the owner and admins, and those of
 * people who have left since. What a member did before joining is not shown.
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
  const used = await usageSince(
    context.db,
    members.map(({ userId, joinedAt }) => ({ userId, since: joinedAt > since ? joinedAt : since })),
  );
  const now = members.flatMap(({ userId, user: { firstName, lastName, email } }) =>
    tools.flatMap(({ toolId, toolName }) => {
      const usage = used.find((row) => row.userId === userId && row.toolId === toolId);
      if (!usage && chosen.get(toolId)?.includes(userId) === false) return [];
      const [sessions, lastUsedAt] = [usage?.sessions ?? 0, usage?.lastUsedAt ?? null];
      return [{ userId, firstName, lastName, email, former: false, toolId, toolName, sessions, lastUsedAt }];
    }),
  );
  return [...now, ...(await usageOfFormer(context, teamId, since, { members, tools }))];
}

type Now = { members: { userId: string }[]; tools: { toolId: string; toolName: string }[] };

/** The sessions that people who have no seat any more opened through the team. */
async function usageOfFormer({ db }: Context, teamId: string, since: Date, { members, tools }: Now) {
  const used = (await register.teamTotals(db, teamId, since)).filter(
    (row) => !members.some(({ userId }) => userId === row.userId) && tools.some(({ toolId }) => toolId === row.toolId),
  );
  const people = await whoIsWho(db, teamId, [...new Set(used.map(({ userId }) => userId))]);
  return [...people.values()].flatMap(({ userId, firstName, lastName, email }) =>
    tools.map(({ toolId, toolName }) => {
      const usage = used.find((row) => row.userId === userId && row.toolId === toolId);
      const [sessions, lastUsedAt] = [usage?.sessions ?? 0, usage?.lastUsedAt ?? null];
      return { userId, firstName, lastName, email, former: true, toolId, toolName, sessions, lastUsedAt };
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
