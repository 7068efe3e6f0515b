import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { approvalKinds, approvalStates } from '../rules/operators/approvals.ts';
import { generatedId, instant, oneOf } from './columns.ts';

/**
 * What one administrator asks for and, where four eyes are demanded, a second one approves. People appear by id only, as in the
 * audit log.
 */
export const approvals = pgTable(
  'approvals',
  {
    id: generatedId(),
    kind: text('kind', { enum: approvalKinds }).notNull(),
    /** The person; for a refund, the invoice; for free months, the payer. */
    subjectId: uuid('subject_id').notNull(),
    /** What the kind needs, and what undoing it needs; checked by the kind's schema whenever it is read. */
    parameters: jsonb('parameters').notNull(),
    reason: text('reason').notNull(),
    askedBy: uuid('asked_by').notNull(),
    askedAt: instant('asked_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    state: text('state', { enum: approvalStates }).notNull().default('waiting'),
    /** Null where no second administrator was needed, or whoever asked took it back. */
    decidedBy: uuid('decided_by'),
    decidedAt: instant('decided_at'),
    executedAt: instant('executed_at'),
    /** Why it could not be carried out after all. */
    failure: text('failure'),
    undoneBy: uuid('undone_by'),
    undoneAt: instant('undone_at'),
  },
  (t) => [
    uniqueIndex('approvals_waiting')
      .on(t.kind, t.subjectId)
      .where(sql`${t.state} = 'waiting'`),
    index('approvals_newest').on(t.askedAt.desc().nullsFirst()),
    index('approvals_subject').on(t.subjectId),
    oneOf('approvals_kind', t.kind, approvalKinds),
    oneOf('approvals_state', t.state, approvalStates),
    check('approvals_four_eyes', sql`${t.decidedBy} is null or ${t.decidedBy} <> ${t.askedBy}`),
    check('approvals_in_order', sql`${t.executedAt} is null or ${t.state} = 'approved'`),
    check('approvals_undone_in_order', sql`${t.undoneAt} is null or ${t.executedAt} is not null`),
  ],
);
