import { type Column, sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, numeric, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { purposes, sources } from '../rules/record/record.ts';
import { ofUser } from './accounts.ts';
import { createdAt, generatedId, instant } from './columns.ts';
import { authTokens, ofTool } from './tools.ts';

/** What the record of AI use says about a session; the adviser's statements, line by line, are in session_statements. */
const recordOfSession = {
  /** The team whose subscription opened it, and whose record it is in too; null for one's own. No foreign key: closed teams keep their rows. */
  teamId: uuid('team_id'),
  /** As the tool last reported it. */
  toolVersion: text('tool_version'),
  /** What the adviser states takes precedence over what the tool says. */
  purpose: text('purpose', { enum: purposes }),
  purposeFrom: text('purpose_from', { enum: sources }),
  /** A file number of the practice's own, never a name. */
  clientReference: text('client_reference'),
  referenceFrom: text('reference_from', { enum: sources }),
  /** The adviser gave both when they opened the tool: until they state either, the tool may correct them. */
  fromLaunch: boolean('from_launch').notNull().default(false),
  /** The adviser's last statement: that they checked the output, or that they did not; null where not stated. */
  checked: boolean('checked'),
  statedAt: instant('stated_at'),
};

/** A client reference as it is looked for: `keyOfReference` in SQL. */
export const referenceKey = (column: Column) => sql`lower(translate(${column}, ' -', ''))`;

/** One row per session with a tool: one launch, or one day of an API key. Tools report on it by `sessionId`. */
export const toolUsage = pgTable(
  'tool_usage',
  {
    id: generatedId(),
    userId: ofUser(),
    toolId: ofTool(),
    sessionId: text('session_id'),
    /** The token that opened the session: at most one session per launch. */
    authTokenId: uuid('auth_token_id').references(() => authTokens.id, { onDelete: 'set null' }),
    lastAccessed: instant('last_accessed').notNull().defaultNow(),
    /** As reported; a session without a report gets its last sign of life, from a job 48 hours later. */
    endedAt: instant('ended_at'),
    /** Sums over the session's reports, kept by a trigger on usage_analytics. */
    reports: integer('reports').notNull().default(0),
    durationSeconds: bigint('duration_seconds', { mode: 'number' }).notNull().default(0),
    actions: bigint('actions', { mode: 'number' }).notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    scoreTotal: numeric('score_total', { precision: 14, scale: 2 }).notNull().default('0'),
    scoreCount: integer('score_count').notNull().default(0),
    ...recordOfSession,
    createdAt: createdAt(),
  },
  (t) => [
    index('tool_usage_user_created').on(t.userId, t.createdAt.desc().nullsFirst(), t.id),
    index('tool_usage_open')
      .on(t.lastAccessed)
      .where(sql`${t.endedAt} is null`),
    index('tool_usage_user_recent').on(t.userId, t.lastAccessed.desc().nullsFirst()),
    index('tool_usage_tool_created').on(t.toolId, t.createdAt),
    uniqueIndex('tool_usage_session').on(t.sessionId),
    uniqueIndex('tool_usage_auth_token').on(t.authTokenId),
    // The registers: what one adviser has not stated, a practice's sessions, and those of one client reference.
    index('tool_usage_unstated')
      .on(t.userId, t.createdAt.desc().nullsFirst(), t.id)
      .where(sql`${t.checked} is null`)
      .concurrently(),
    index('tool_usage_team_created')
      .on(t.teamId, t.createdAt.desc().nullsFirst(), t.id)
      .where(sql`${t.teamId} is not null`)
      .concurrently(),
    index('tool_usage_reference_key')
      .on(referenceKey(t.clientReference), t.teamId, t.userId)
      .where(sql`${t.clientReference} is not null`)
      .concurrently(),
    index('tool_usage_reference')
      .on(t.clientReference, t.userId)
      .where(sql`${t.clientReference} is not null`)
      .concurrently(),
  ],
);
