import type { FileReply } from '#shared/api/endpoint.ts';
import { day, plus, sydneyDate, sydneyTime } from '#shared/rules/dates.ts';
import { takesSeat } from '#shared/rules/people/teams.ts';
import { teamPayer } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { csvHeader, csvRows, type Cell } from '#server/platform/http/csv.ts';
import { toolsPaidSince } from '#server/subscriptions/service.ts';
import { usageSince } from '#server/usage/service.ts';
import { membersOf } from './queries.ts';
import { requireTeamRight } from './team-right.ts';

/**
 * The sessions of every member with every tool that the team has had in the last `days`, for the owner and admins. What a
 * member did before joining is not shown.
 */
export async function teamUsage(context: Context, actor: ActorRow, teamId: string, days: number) {
  await requireTeamRight(context.db, teamId, actor.id, 'seeUsage');
  const since = plus(context.now(), -days * day);
  const [members, tools] = await Promise.all([
    membersOf(context.db, teamId).then((all) => all.filter(({ role }) => takesSeat(role))),
    toolsPaidSince(context.db, teamPayer(teamId), since),
  ]);
  const used = await usageSince(
    context.db,
    members.map(({ userId, joinedAt }) => ({ userId, since: joinedAt > since ? joinedAt : since })),
  );
  return members.flatMap(({ userId, user: { firstName, lastName, email } }) =>
    tools.map(({ toolId, toolName }) => {
      const usage = used.find((row) => row.userId === userId && row.toolId === toolId);
      const [sessions, lastUsedAt] = [usage?.sessions ?? 0, usage?.lastUsedAt ?? null];
      return { userId, firstName, lastName, email, toolId, toolName, sessions, lastUsedAt };
    }),
  );
}
type UsageRow = Awaited<ReturnType<typeof teamUsage>>[number];

const header = ['First name', 'Last name', 'Email', 'Tool', 'Tool ID', 'Sessions', 'Last used (Sydney)'];

const cellsOf = ({ firstName, lastName, email, toolName, toolId, sessions, lastUsedAt }: UsageRow): Cell[] => [
  firstName,
  lastName,
  email,
  toolName,
  toolId,
  sessions,
  lastUsedAt && `${sydneyDate(lastUsedAt)} ${sydneyTime(lastUsedAt)}`,
];

/** The team's usage as CSV. */
export async function teamUsageCsv(
  context: Context,
  actor: ActorRow,
  teamId: string,
  days: number,
): Promise<FileReply> {
  const rows = await teamUsage(context, actor, teamId, days);
  return {
    name: `adviserly-team-usage-${sydneyDate(context.now())}.csv`,
    body: csvHeader(header) + csvRows(rows.map(cellsOf)),
  };
}
