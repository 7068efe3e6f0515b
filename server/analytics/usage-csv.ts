import type { FileReply } from '#shared/api/endpoint.ts';
import { sydneyDate, sydneyTime } from '#shared/rules/dates.ts';
import { csv, type Cell } from '#server/platform/http/csv.ts';
import type { Context } from '#server/platform/context.ts';
import { newestSessions, type SessionRow } from '#server/usage/service.ts';
import { firstDay } from './dashboard.ts';
import { averageScore } from './figures.ts';

const pageSize = 1000;

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

/** Figures that no tool reported are empty cells, not zeros. */
function cellsOf(row: SessionRow): Cell[] {
  const reported = row.reports > 0;
  const score = averageScore([row]);
  return [
    sydneyDate(row.createdAt),
    sydneyTime(row.createdAt),
    row.toolName,
    row.toolId,
    reported ? row.durationSeconds : null,
    reported ? row.actions : null,
    reported ? row.bytes : null,
    score === null ? null : score.toFixed(2),
    row.id,
  ];
}

async function* pages(context: Context, userId: string, since: string) {
  let last: SessionRow | undefined;
  do {
    const rows: SessionRow[] = await newestSessions(context.db, userId, since, pageSize, last);
    yield rows.map(cellsOf);
    last = rows.length === pageSize ? rows.at(-1) : undefined;
  } while (last);
}

/** The adviser's own sessions, read page by page while the download runs. */
export const usageCsv = (context: Context, userId: string, days: number): FileReply => ({
  name: `adviserly-usage-${sydneyDate(context.now())}.csv`,
  body: csv(header, pages(context, userId, firstDay(context, days))),
});
