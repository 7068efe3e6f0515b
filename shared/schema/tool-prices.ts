import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { byUser } from './accounts.ts';
import { createdAt, generatedId, instant } from './columns.ts';
import { ofTool } from './tools.ts';

/** Every price that an administrator has set, and which of them existing subscribers are told of. */
export const toolPrices = pgTable(
  'tool_prices',
  {
    id: generatedId(),
    toolId: ofTool(),
    /** Numbers the changes that existing subscribers are told of; null where they keep their price. */
    number: integer('number'),
    unitCents: integer('unit_cents').notNull(),
    beforeCents: integer('before_cents').notNull(),
    /** From when existing subscribers pay it, at their renewals. */
    startsAt: instant('starts_at'),
    /** The number of the change that this one takes back. */
    withdraws: integer('withdraws'),
    reason: text('reason').notNull(),
    changedBy: byUser('changed_by'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('tool_prices_number').on(t.toolId, t.number),
    uniqueIndex('tool_prices_withdraws').on(t.toolId, t.withdraws),
    index('tool_prices_tool').on(t.toolId, t.createdAt.desc()),
    index('tool_prices_changed_by').on(t.changedBy),
    check('tool_prices_cents', sql`${t.unitCents} > 0 and ${t.beforeCents} >= 0`),
    check('tool_prices_told', sql`${t.number} is not null or (${t.startsAt} is null and ${t.withdraws} is null)`),
  ],
);
