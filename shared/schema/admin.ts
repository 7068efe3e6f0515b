import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { ofUser } from './accounts.ts';
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

/** Uses of tools per open account, for the ranking on the administrators' Overview; kept by triggers/rank-usage.sql. */
export const userUsage = pgTable(
  'user_usage',
  {
    userId: ofUser().primaryKey(),
    totalUsage: integer('total_usage').notNull(),
    lastUsed: instant('last_used').notNull(),
  },
  (t) => [index('user_usage_ranking').on(t.totalUsage, t.userId)],
);

/** Incidents that administrators have been mailed about, so that each is mailed once. */
export const toldIncidents = pgTable(
  'told_incidents',
  { id: text('id').primaryKey(), toldAt: instant('told_at').notNull() },
  (t) => [index('told_incidents_newest').on(t.toldAt)],
);
