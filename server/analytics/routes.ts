import { contract } from '#shared/api/index.ts';
import type { FileReply } from '#shared/api/endpoint.ts';
import { sydneyDate, sydneyTime } from '#shared/rules/dates.ts';
import { newestSessions, type SessionRow } from '#server/usage/service.ts';
import type { Context } from '#server/platform/context.ts';
import { type Columns, csv } from '#server/platform/http/csv.ts';
import { implement } from '#server/platform/http/implement.ts';
import { dashboard, firstDay, usage } from './dashboard.ts';
import { averageScore } from './figures.ts';

export const analyticsRoutes = (context: Context) =>
  implement(
    contract.analytics,
    {
      dashboard: ({ actor }, ctx) => dashboard(ctx, actor.id),
      usage: ({ actor, query }, ctx) => usage(ctx, actor.id, query.days),
      usageCsv: ({ actor, query }, ctx) => Promise.resolve(usageCsv(ctx, actor.id, query.days)),
    },
    context,
    { dashboard: true, usage: true },
  );

/** Figures that no tool reported are empty cells, not zeros. */
const columns: Columns<SessionRow> = {
  'Date (Sydney)': (row) => sydneyDate(row.createdAt),
  'Time (Sydney)': (row) => sydneyTime(row.createdAt),
  Tool: (row) => row.toolName,
  'Tool ID': (row) => row.toolId,
  'Duration (seconds)': (row) => (row.reports > 0 ? row.durationSeconds : null),
  Actions: (row) => (row.reports > 0 ? row.actions : null),
  'Data processed (bytes)': (row) => (row.reports > 0 ? row.bytes : null),
  'Performance (0-10)': (row) => averageScore([row])?.toFixed(2) ?? null,
  'Session ID': (row) => row.id,
};

/** The adviser's own sessions. */
function usageCsv(context: Context, userId: string, days: number): FileReply {
  const since = firstDay(context, days);
  return {
    name: `adviserly-usage-${sydneyDate(context.now())}.csv`,
    body: csv(columns, (limit, last?: SessionRow) => newestSessions(context.db, userId, since, limit, last)),
  };
}
