import { sql } from 'drizzle-orm';
import { bigserial, boolean, date, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { recallActs, type RecallTerms, severities } from '../rules/record/recalls.ts';
import { byUser, ofUser } from './accounts.ts';
import { generatedId, instant, oneOf } from './columns.ts';
import { ofTool } from './tools.ts';
import { toolUsage } from './usage.ts';

/** Sessions with a tool that are to be looked at again. As it is now; how it came to be is in recall_changes. Never deleted. */
export const recalls = pgTable(
  'recalls',
  {
    id: generatedId(),
    toolId: ofTool(),
    openedById: byUser('opened_by_id'),
    /** By the tool's maker; else by an administrator. */
    byMaker: boolean('by_maker').notNull(),
    /** Empty: all; an empty word: sessions whose tool reported none. */
    versions: text('versions').array().notNull(),
    /** The Sydney days on which the sessions began, both included; without a last day, until it is closed. */
    fromDay: date('from_day').notNull(),
    untilDay: date('until_day'),
    wrong: text('wrong').notNull(),
    lookFor: text('look_for').notNull(),
    severity: text('severity', { enum: severities }).notNull(),
    /** The tool opens no new sessions meanwhile. */
    stops: boolean('stops').notNull(),
    /** Since when people are told; null while it waits for an administrator. */
    confirmedAt: instant('confirmed_at'),
    closedAt: instant('closed_at'),
    closedFor: text('closed_for'),
    /** When everybody had been told that it is closed. */
    closingToldAt: instant('closing_told_at'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('recalls_tool').on(t.toolId, t.createdAt), oneOf('recalls_severity', t.severity, severities)],
);

/** Each line of a recall's history, with what it said from then on. Append-only. */
export const recallChanges = pgTable(
  'recall_changes',
  {
    id: generatedId(),
    position: bigserial('position', { mode: 'number' }).notNull(),
    recallId: uuid('recall_id')
      .notNull()
      .references(() => recalls.id),
    act: text('act', { enum: recallActs }).notNull(),
    terms: jsonb('terms').$type<RecallTerms>().notNull(),
    /** Why, for everybody to read. */
    reason: text('reason'),
    madeById: byUser('made_by_id'),
    madeAt: instant('made_at').notNull(),
  },
  (t) => [index('recall_changes_recall').on(t.recallId, t.position)],
);

/** The sessions that a recall touches, and who has looked at them again; what they found is stated in session_statements. */
export const recallSessions = pgTable(
  'recall_sessions',
  {
    recallId: uuid('recall_id')
      .notNull()
      .references(() => recalls.id),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => toolUsage.id, { onDelete: 'cascade' }),
    userId: ofUser(),
    /** The practice in whose record it is. */
    teamId: uuid('team_id'),
    begunAt: instant('begun_at').notNull(),
    foundAt: instant('found_at').notNull(),
    /** When the recall was narrowed, so that it is no longer in it. */
    removedAt: instant('removed_at'),
    /** When its adviser, and its practice, were told. */
    toldAt: instant('told_at'),
    teamToldAt: instant('team_told_at'),
    lookedAt: instant('looked_at'),
    lookedById: uuid('looked_by_id'),
    /** Whether whoever looked found something wrong. */
    fault: boolean('fault'),
  },
  (t) => [
    primaryKey({ columns: [t.recallId, t.sessionId] }),
    index('recall_sessions_session').on(t.sessionId),
    index('recall_sessions_of_user')
      .on(t.userId, t.recallId, t.begunAt.desc().nullsFirst(), t.sessionId.desc().nullsFirst())
      .concurrently(),
    index('recall_sessions_of_team')
      .on(t.teamId, t.recallId, t.begunAt.desc().nullsFirst(), t.sessionId.desc().nullsFirst())
      .where(sql`${t.teamId} is not null`)
      .concurrently(),
    index('recall_sessions_open')
      .on(t.teamId, t.recallId, t.begunAt.desc().nullsFirst(), t.sessionId.desc().nullsFirst())
      .where(sql`${t.lookedAt} is null and ${t.removedAt} is null and ${t.teamId} is not null`)
      .concurrently(),
    index('recall_sessions_untold')
      .on(t.recallId, t.userId)
      .where(sql`${t.toldAt} is null`),
    index('recall_sessions_team_untold')
      .on(t.recallId, t.teamId)
      .where(sql`${t.teamToldAt} is null and ${t.teamId} is not null`),
  ],
);
