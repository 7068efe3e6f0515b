import type { Reply } from '#shared/api/endpoint.ts';
import type { analyticsApi } from '#shared/api/analytics.ts';
import { analyticsDays, lastDays, monthOf } from '#shared/rules/record/analytics.ts';
import { plusDays, sydneyDate } from '#shared/rules/dates.ts';
import { rights } from '#server/subscriptions/service.ts';
import { newestOf } from '#server/usage/service.ts';
import type { Context } from '#server/platform/context.ts';
import { activityOf, averageScore, byDay, byTool } from './figures.ts';
import { daysSince, figuresOf } from './queries.ts';

type Dashboard = Reply<typeof analyticsApi.dashboard>;
type Usage = Reply<typeof analyticsApi.usage>;

/** How many lines Recent Activity has. */
const recentSessions = 20;

/** The first of the last `count` days. */
export const firstDay = (context: Pick<Context, 'now'>, count: number) =>
  plusDays(sydneyDate(context.now()), 1 - count);

/** The Analytics panel's cards and list, and this month's figures on the tiles. None of its queries reads raw events. */
export async function dashboard(context: Context, userId: string): Promise<Dashboard> {
  const since = firstDay(context, analyticsDays);
  const { first } = monthOf(sydneyDate(context.now()));
  const [figures, sessions, open] = await Promise.all([
    figuresOf(context.db, `${userId} ${since} ${first}`),
    newestOf(context.db, `${userId} ${since} ${recentSessions}`),
    rights.openTools(context, userId),
  ]);
  if (!figures) throw new Error('no figures of an adviser');
  return {
    totalSessions: figures.sessions,
    totalDuration: figures.durationSeconds,
    avgPerformance: averageScore([figures]) ?? 0,
    scores: figures.scoreCount,
    activeSubscriptions: open.length,
    recentAnalytics: (sessions ?? []).map(activityOf),
    everUsed: figures.everUsed,
    thisMonth: { sessions: figures.monthSessions, minutesSaved: figures.monthMinutesSaved },
  };
}

export async function usage(context: Context, userId: string, count: number): Promise<Usage> {
  const days = lastDays(context.now(), count);
  const rows = await daysSince(context.db, userId, days[0]!);
  return { days: byDay(rows, days), tools: byTool(rows) };
}
