import * as z from 'zod';
import { analyticsDays } from '#shared/rules/record/analytics.ts';
import { defineApi } from './endpoint.ts';
import { date, daysBack } from './fields.ts';

const window = z.strictObject({ days: daysBack.default(analyticsDays) });

/** A calendar day in Sydney. */
const calendarDay = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

export const activity = z.object({
  id: z.string(),
  toolId: z.string(),
  date,
  /** Seconds; absent where nothing was reported. */
  sessionDuration: z.int().optional(),
  performanceScore: z.string().optional(),
});
export type Activity = z.output<typeof activity>;

export const usageByTool = z.object({
  toolId: z.string(),
  name: z.string(),
  sessions: z.int(),
  durationSeconds: z.int(),
  /** Null without a score. */
  avgPerformance: z.number().nullable(),
  minutesSaved: z.int(),
});
export type UsageByTool = z.output<typeof usageByTool>;

export const usageByDay = z.object({
  date: calendarDay,
  sessions: z.int(),
  tools: z.array(z.object({ toolId: z.string(), sessions: z.int() })),
});
export type UsageByDay = z.output<typeof usageByDay>;

export const analyticsApi = defineApi('member', {
  dashboard: {
    route: 'GET /api/analytics/dashboard',
    summary: 'Figures of the last 30 days, and of this month for the tiles',
    response: z.object({
      totalSessions: z.int(),
      /** Seconds. */
      totalDuration: z.int(),
      /** 0 to 10; 0 without a score. */
      avgPerformance: z.number(),
      activeSubscriptions: z.int(),
      recentAnalytics: z.array(activity),
      /** How many reports carried a score. */
      scores: z.int(),
      /** Whether a tool was ever used, in these 30 days or before. */
      everUsed: z.boolean(),
      thisMonth: z.object({ sessions: z.int(), minutesSaved: z.int() }),
    }),
  },
  usage: {
    route: 'GET /api/analytics/usage',
    summary: 'Sessions per day in Sydney, and by tool',
    query: window,
    response: z.object({ days: z.array(usageByDay), tools: z.array(usageByTool) }),
  },
  usageCsv: {
    route: 'GET /api/analytics/usage.csv',
    summary: 'One’s own sessions as a spreadsheet, newest first',
    query: window,
    file: 'text/csv',
  },
});
