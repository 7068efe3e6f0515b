import { sql } from 'drizzle-orm';
import { check, date, index, integer, numeric, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { createdAt, generatedId, instant } from './columns.ts';
import { tools, toolUsage } from './tools.ts';

/** What tools report, one row per event; `eventId` is the tool's own, unique per tool, so a repeat changes nothing. */
export const usageAnalytics = pgTable(
  'usage_analytics',
  {
    id: generatedId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    toolId: text('tool_id')
      .notNull()
      .references(() => tools.id),
    usageId: uuid('usage_id').references(() => toolUsage.id, { onDelete: 'set null' }),
    eventId: text('event_id').notNull(),
    /** Seconds. */
    sessionDuration: integer('session_duration'),
    actionsPerformed: integer('actions_performed').notNull().default(0),
    /** Bytes. */
    dataProcessed: integer('data_processed').notNull().default(0),
    performanceScore: numeric('performance_score', { precision: 5, scale: 2 }),
    date: instant('date').notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('usage_analytics_event').on(t.toolId, t.eventId),
    index('usage_analytics_user_recent').on(t.userId, t.date.desc().nullsFirst()),
    index('usage_analytics_tool_date').on(t.toolId, t.date),
    check('usage_analytics_score', sql`${t.performanceScore} between 0 and 10`),
    check(
      'usage_analytics_amounts',
      sql`${t.sessionDuration} >= 0 and ${t.actionsPerformed} >= 0 and ${t.dataProcessed} >= 0`,
    ),
  ],
);

/** Per tool and Sydney day. */
export const toolMetrics = pgTable(
  'tool_metrics',
  {
    id: generatedId(),
    toolId: text('tool_id')
      .notNull()
      .references(() => tools.id),
    date: date('date').notNull(),
    totalUsers: integer('total_users').notNull().default(0),
    totalSessions: integer('total_sessions').notNull().default(0),
    avgSessionDuration: numeric('avg_session_duration', { precision: 8, scale: 2 }),
    totalRevenue: numeric('total_revenue', { precision: 10, scale: 2 }).notNull().default('0'),
    performanceRating: numeric('performance_rating', { precision: 3, scale: 2 }),
    createdAt: createdAt(),
  },
  (t) => [unique('tool_metrics_day').on(t.toolId, t.date)],
);
