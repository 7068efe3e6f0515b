import type { FileReply } from '#shared/api/endpoint.ts';
import { sydneyDate, sydneyTime } from '#shared/rules/dates.ts';
import { csv, type Cell } from '#server/platform/csv.ts';
import type { Context } from '#server/platform/context.ts';
import { firstDay } from './dashboard.ts';
import { averageScore } from './figures.ts';
import { newestSessions, type SessionRow } from './queries.ts';

const rowsAtOnce = 1000;

const header = [
  'Date (Sydney)',
  'Time (Sydney)',
  'Tool',
  'Tool ID',
  'Duration (seconds)',
  'Actions',
  'Data processed (bytes)',
  'Performance (0-10)',
  'Session ID',
];

/** What no report told is an empty cell, not a nought. */
function cellsOf(row: SessionRow): Cell[] {
  const told = row.reports > 0;
  const score = averageScore([row]);
  return [
    sydneyDate(row.createdAt),
    sydneyTime(row.createdAt),
    row.toolName,
    row.toolId,
    told ? row.durationSeconds : null,
    told ? row.actions : null,
    told ? row.bytes : null,
    score === null ? null : score.toFixed(2),
    row.id,
  ];
}

async function* pages(context: Context, userId: string, since: string) {
  let last: SessionRow | undefined;
  do {
    const rows: SessionRow[] = await newestSessions(context.db, userId, since, rowsAtOnce, last);
    yield rows.map(cellsOf);
    last = rows.length === rowsAtOnce ? rows.at(-1) : undefined;
  } while (last);
}

/** One's own sessions, read page by page while the download runs. */
export const usageCsv = (context: Context, userId: string, days: number): FileReply => ({
  name: `adviserly-usage-${sydneyDate(context.now())}.csv`,
  body: csv(header, pages(context, userId, firstDay(context, days))),
});
