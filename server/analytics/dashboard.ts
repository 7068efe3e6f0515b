import type { Reply } from '#shared/api/endpoint.ts';
import type { analyticsApi } from '#shared/api/analytics.ts';
import { analyticsDays, lastDays, monthOf } from '#shared/rules/analytics.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { subscriptionsOf } from '#server/subscriptions/service.ts';
import { newestSessions } from '#server/usage/service.ts';
import type { Context } from '#server/platform/context.ts';
import { activityOf, byDay, byTool, monthFigures, totals } from './figures.ts';
import { daysSince } from './queries.ts';

type Dashboard = Reply<typeof analyticsApi.dashboard>;
type Usage = Reply<typeof analyticsApi.usage>;

/** How many lines Recent Activity has. */
const recentSessions = 20;

/** The first of the last `count` days. */
export const firstDay = (context: Pick<Context, 'now'>, count: number) => lastDays(context.now(), count)[0]!;

/** The Analytics panel's cards and list, and this month's figures on the tiles. Three queries, none over raw events. */
export async function dashboard(context: Context, userId: string): Promise<Dashboard> {
  const since = firstDay(context, analyticsDays);
  const { first } = monthOf(sydneyDate(context.now()));
  const [rows, sessions, subscriptions] = await Promise.all([
    // On the 31st the month started before the window.
    daysSince(context.db, userId, first < since ? first : since),
    newestSessions(context.db, userId, since, recentSessions),
    subscriptionsOf(context, userId),
  ]);
  return {
    ...totals(rows.filter((row) => row.day >= since)),
    activeSubscriptions: new Set(subscriptions.filter((each) => each.hasAccess).map((each) => each.toolId)).size,
    recentAnalytics: sessions.map(activityOf),
    everUsed: rows.length > 0,
    thisMonth: monthFigures(rows.filter((row) => row.day >= first)),
  };
}

export async function usage(context: Context, userId: string, count: number): Promise<Usage> {
  const days = lastDays(context.now(), count);
  const rows = (await daysSince(context.db, userId, days[0]!)).filter((row) => row.day >= days[0]!);
  return { days: byDay(rows, days), tools: byTool(rows) };
}
