import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Tier } from '../rules/billing/pricing.ts';
import { byUser } from './accounts.ts';
import { createdAt, instant } from './columns.ts';

/** Every change of the volume discounts: what they were, and what they became. */
export const tierChanges = pgTable(
  'tier_changes',
  {
    number: integer('number').primaryKey(),
    before: jsonb('before').$type<Tier[]>().notNull(),
    after: jsonb('after').$type<Tier[]>().notNull(),
    /** When it takes effect; null: at once. */
    startsAt: instant('starts_at'),
    /** The number of the change that this one takes back. */
    withdraws: integer('withdraws'),
    reason: text('reason').notNull(),
    changedBy: byUser('changed_by'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('tier_changes_withdraws').on(t.withdraws),
    index('tier_changes_changed_by').on(t.changedBy),
    check('tier_changes_counted', sql`${t.number} > 0`),
    check('tier_changes_taken_back', sql`${t.withdraws} is null or ${t.startsAt} is null`),
  ],
);
