import type { FileReply } from '#shared/api/endpoint.ts';
import { day, plus, sydneyDate, sydneyTime } from '#shared/rules/dates.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { csv, type Cell } from '#server/platform/csv.ts';
import { usageOfTeam, type UsageRow } from './queries-usage.ts';
import { standingIn } from './standing.ts';

/** How the members use the team's tools, for whoever pays and their admins. */
export async function teamUsage(context: Context, actor: ActorRow, teamId: string, days: number): Promise<UsageRow[]> {
  await standingIn(context.db, teamId, actor.id, 'seeUsage');
  return usageOfTeam(context.db, teamId, plus(context.now(), -days * day));
}

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

async function* onePage(rows: readonly UsageRow[]) {
  yield await Promise.resolve(rows.map(cellsOf));
}

/** The same as a file that a spreadsheet opens without running anything. */
export async function teamUsageCsv(
  context: Context,
  actor: ActorRow,
  teamId: string,
  days: number,
): Promise<FileReply> {
  const rows = await teamUsage(context, actor, teamId, days);
  return { name: `adviserly-team-usage-${sydneyDate(context.now())}.csv`, body: csv(header, onePage(rows)) };
}
