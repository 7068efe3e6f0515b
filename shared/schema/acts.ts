import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { actKinds, actStates } from '../rules/operators/acts.ts';
import { generatedId, instant, oneOf } from './columns.ts';

/**
 * What an administrator asked for, stored before it is done: a second administrator may have to approve it, and if the server dies while
 * Stripe is asked, a job finishes it, so that audit trail and mail report it exactly once. People appear by id only, as in the audit log.
 */
export const acts = pgTable(
  'acts',
  {
    id: generatedId(),
    kind: text('kind', { enum: actKinds }).notNull(),
    /** The subscription, invoice or person; for free months, the payer. */
    subjectId: uuid('subject_id').notNull(),
    /** What the kind needs, and what undoing it needs; checked by its schema whenever it is read. */
    parameters: jsonb('parameters').notNull(),
    reason: text('reason').notNull(),
    askedBy: uuid('asked_by').notNull(),
    /** The address it was asked from. */
    ip: text('ip'),
    askedAt: instant('asked_at').notNull(),
    /** For a refund that one administrator makes alone: who gets the money (the owner if a team paid), and how much. */
    personId: uuid('person_id'),
    cents: integer('cents'),
    /** What needs no second administrator is approved from the start. */
    state: text('state', { enum: actStates }).notNull().default('approved'),
    /** Until when it waits for a second administrator; null where it needs none. */
    expiresAt: instant('expires_at'),
    /** The second administrator; null where none was needed, or whoever asked took it back. */
    decidedBy: uuid('decided_by'),
    decidedAt: instant('decided_at'),
    doneAt: instant('done_at'),
    /** Why it was not done after all. */
    failure: text('failure'),
    undoneBy: uuid('undone_by'),
    undoneAt: instant('undone_at'),
  },
  (t) => [
    // One at a time, so that whatever is found done at Stripe, it is known who did it.
    uniqueIndex('acts_under_way')
      .on(t.subjectId)
      .where(sql`${t.state} = 'approved' and ${t.doneAt} is null and ${t.failure} is null`),
    uniqueIndex('acts_waiting')
      .on(t.kind, t.subjectId)
      .where(sql`${t.state} = 'waiting'`),
    index('acts_refunds')
      .on(t.personId, t.askedAt)
      .where(sql`${t.cents} is not null and ${t.failure} is null`),
    index('acts_newest').on(t.askedAt.desc().nullsFirst()),
    index('acts_subject').on(t.subjectId),
    oneOf('acts_kind', t.kind, actKinds),
    oneOf('acts_state', t.state, actStates),
    check('acts_one_end', sql`${t.doneAt} is null or ${t.failure} is null`),
    check(
      'acts_only_refunds_name_money',
      sql`(${t.cents} is null) = (${t.personId} is null) and (${t.cents} is null or ${t.kind} = 'refund')`,
    ),
    check('acts_four_eyes', sql`${t.decidedBy} is null or ${t.decidedBy} <> ${t.askedBy}`),
    check('acts_in_order', sql`${t.doneAt} is null or ${t.state} = 'approved'`),
    check('acts_undone_in_order', sql`${t.undoneAt} is null or ${t.doneAt} is not null`),
  ],
);
