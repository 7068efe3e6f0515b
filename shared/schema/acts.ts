import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { actKinds } from '../rules/operators/acts.ts';
import { generatedId, instant, oneOf } from './columns.ts';

/**
 * What an administrator asked of Stripe, stored before Stripe is called: if the server dies in between, a job finishes the act, so
 * that audit trail and mail report it exactly once. People appear by id only, as in the audit log.
 */
export const acts = pgTable(
  'acts',
  {
    id: generatedId(),
    kind: text('kind', { enum: actKinds }).notNull(),
    /** The subscription or invoice. */
    subjectId: uuid('subject_id').notNull(),
    /** What the kind needs; checked by its schema whenever it is read. */
    parameters: jsonb('parameters').notNull(),
    reason: text('reason').notNull(),
    askedBy: uuid('asked_by').notNull(),
    /** The address it was asked from. */
    ip: text('ip'),
    askedAt: instant('asked_at').notNull(),
    /** For a refund that one administrator makes alone: who gets the money (the owner if a team paid), and how much. */
    personId: uuid('person_id'),
    cents: integer('cents'),
    doneAt: instant('done_at'),
    /** Why it was not done after all. */
    failure: text('failure'),
  },
  (t) => [
    // One at a time, so that whatever is found done at Stripe, it is known who did it.
    uniqueIndex('acts_open')
      .on(t.subjectId)
      .where(sql`${t.doneAt} is null and ${t.failure} is null`),
    index('acts_refunds')
      .on(t.personId, t.askedAt)
      .where(sql`${t.cents} is not null and ${t.failure} is null`),
    oneOf('acts_kind', t.kind, actKinds),
    check('acts_one_end', sql`${t.doneAt} is null or ${t.failure} is null`),
    check(
      'acts_refund_names_money',
      sql`(${t.kind} = 'refund') = (${t.cents} is not null and ${t.personId} is not null)`,
    ),
  ],
);
