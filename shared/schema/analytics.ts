import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  date,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { ofUser } from './accounts.ts';
import { createdAt, generatedId, instant } from './columns.ts';
import { ofTool } from './tools.ts';

/**
 * What tools report, one row per event. `eventId` is the tool's own and unique per tool, so a repeat changes nothing. This is the table
 * written most, so it has no foreign keys: person, tool and session come from the session's row, which is locked meanwhile; a trigger
 * deletes the rows of a deleted person (triggers/count-usage.sql).
 */
export const usageAnalytics = pgTable(
  'usage_analytics',
  {
    id: uuid('id').notNull().defaultRandom(),
    userId: uuid('user_id').notNull(),
    toolId: text('tool_id').notNull(),
    usageId: uuid('usage_id'),
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
    primaryKey({ name: 'usage_analytics_event', columns: [t.toolId, t.eventId] }),
    index('usage_analytics_user_recent').on(t.userId, t.date.desc().nullsFirst()),
    check('usage_analytics_score', sql`${t.performanceScore} between 0 and 10`),
    check(
      'usage_analytics_amounts',
      sql`${t.sessionDuration} >= 0 and ${t.actionsPerformed} >= 0 and ${t.dataProcessed} >= 0`,
    ),
  ],
);

/** Sums per adviser, tool and Sydney day, kept by triggers/count-usage.sql. */
export const usageDays = pgTable(
  'usage_days',
  {
    userId: ofUser(),
    day: date('day').notNull(),
    toolId: ofTool(),
    sessions: integer('sessions').notNull().default(0),
    durationSeconds: bigint('duration_seconds', { mode: 'number' }).notNull().default(0),
    actions: bigint('actions', { mode: 'number' }).notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    scoreTotal: numeric('score_total', { precision: 14, scale: 2 }).notNull().default('0'),
    scoreCount: integer('score_count').notNull().default(0),
  },
  (t) => [
    primaryKey({ name: 'usage_days_pk', columns: [t.userId, t.day, t.toolId] }),
    index('usage_days_day').on(t.day, t.userId),
  ],
);

/** Sums per tool and Sydney day, kept by triggers/count-usage.sql and count-revenue.sql. */
export const toolMetrics = pgTable(
  'tool_metrics',
  {
    id: generatedId(),
    toolId: ofTool(),
    date: date('date').notNull(),
    totalUsers: integer('total_users').notNull().default(0),
    totalSessions: integer('total_sessions').notNull().default(0),
    totalDuration: bigint('total_duration', { mode: 'number' }).notNull().default(0),
    /** Sessions whose length was reported; that of the others is unknown. */
    reportedSessions: integer('reported_sessions').notNull().default(0),
    scoreTotal: numeric('score_total', { precision: 16, scale: 2 }).notNull().default('0'),
    scoreCount: integer('score_count').notNull().default(0),
    /** Seconds per reported session. */
    avgSessionDuration: numeric('avg_session_duration', { precision: 8, scale: 2 }).generatedAlwaysAs(
      sql`case when reported_sessions > 0 then least(round(total_duration::numeric / reported_sessions, 2), 999999.99) end`,
    ),
    /** AUD of the invoices paid on that day. */
    totalRevenue: numeric('total_revenue', { precision: 10, scale: 2 }).notNull().default('0'),
    /** The average score, cut to the 9.99 that decimal(3,2) holds. */
    performanceRating: numeric('performance_rating', { precision: 3, scale: 2 }).generatedAlwaysAs(
      sql`case when score_count > 0 then least(round(score_total / score_count, 2), 9.99) end`,
    ),
    createdAt: createdAt(),
  },
  (t) => [unique('tool_metrics_day').on(t.toolId, t.date)],
);
