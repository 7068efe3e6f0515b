import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, generatedId } from './columns.ts';

/**
 * Who did what to whom, append-only (a trigger refuses UPDATE and DELETE). People by id only and without a foreign key:
 * closing an account erases the identity and the rows stay (decisions §11).
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
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_log_newest').on(t.createdAt.desc().nullsFirst(), t.id),
    index('audit_log_actor').on(t.actorId, t.createdAt.desc().nullsFirst()),
    index('audit_log_action').on(t.action, t.createdAt.desc().nullsFirst()),
    index('audit_log_subject').on(t.subjectId, t.createdAt.desc().nullsFirst()),
  ],
);
