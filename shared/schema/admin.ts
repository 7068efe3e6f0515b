import { bigint, index, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { createdAt, generatedId, instant } from './columns.ts';

/**
 * Who did what to whom; a trigger refuses UPDATE and DELETE. People appear by id only, without a foreign key:
 * closing an account erases the identity and the rows stay.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: generatedId(),
    actorId: uuid('actor_id'),
    action: text('action').notNull(),
    subjectType: text('subject_type'),
    subjectId: text('subject_id'),
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    ip: text('ip'),
    /** Browser and system, such as `Firefox on Windows`. */
    device: text('device'),
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_log_newest').on(t.createdAt.desc().nullsFirst(), t.id),
    index('audit_log_actor').on(t.actorId, t.createdAt.desc().nullsFirst()),
    index('audit_log_action').on(t.action, t.createdAt.desc().nullsFirst()),
    index('audit_log_subject').on(t.subjectId, t.createdAt.desc().nullsFirst()),
  ],
);

/**
 * Counters over open accounts, kept by triggers (triggers/count-accounts.sql). Connections are spread over 64 rows, so that
 * registrations don't wait for each other; only the sum means anything, and a single row may be negative.
 */
export const subscriberCounts = pgTable('subscriber_counts', {
  shard: smallint('shard').primaryKey(),
  total: integer('total').notNull().default(0),
  verified: integer('verified').notNull().default(0),
  withProfiles: integer('with_profiles').notNull().default(0),
  freeAccess: integer('free_access').notNull().default(0),
  /** Accounts with at least one use of a tool. */
  withUsage: integer('with_usage').notNull().default(0),
});

/** Open accounts per 1,024 values of `users.seq`, kept by the same triggers: finds a page without reading the ones before it. */
export const userBlocks = pgTable('user_blocks', {
  block: bigint('block', { mode: 'number' }).primaryKey(),
  users: integer('users').notNull(),
  freeAccess: integer('free_access').notNull(),
});

/** Uses of tools per open account, for the ranking on the administrators' Overview; kept by triggers/rank-usage.sql. */
export const userUsage = pgTable(
  'user_usage',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    totalUsage: integer('total_usage').notNull(),
    lastUsed: instant('last_used').notNull(),
  },
  (t) => [index('user_usage_ranking').on(t.totalUsage, t.userId)],
);

/** Who was at every thousandth place of the ranking when a job last looked; deep pages start from there. */
export const usageMarks = pgTable('usage_marks', {
  place: integer('place').primaryKey(),
  totalUsage: integer('total_usage').notNull(),
  userId: uuid('user_id').notNull(),
});

/** Incidents that administrators have been mailed about, so that each is mailed once. */
export const toldIncidents = pgTable(
  'told_incidents',
  { id: text('id').primaryKey(), toldAt: instant('told_at').notNull() },
  (t) => [index('told_incidents_newest').on(t.toldAt)],
);
