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

/** What a maker and we have agreed on, or what the maker proposes: at most one proposal of a tool waits. */
export const toolAgreements = pgTable(
  'tool_agreements',
  {
    id: generatedId(),
    toolId: ofTool(),
    /** What a subscriber pays a month, GST included. */
    priceCents: integer('price_cents').notNull(),
    /** The maker's part of what was paid, less what was refunded; null until an administrator accepts the price. */
    sharePercent: integer('share_percent'),
    /** Since when it holds; null while it waits. */
    acceptedAt: instant('accepted_at'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('tool_agreements_waiting')
      .on(t.toolId)
      .where(sql`${t.acceptedAt} is null`),
    index('tool_agreements_tool').on(t.toolId, t.acceptedAt.desc()),
    check('tool_agreements_price', sql`${t.priceCents} > 0`),
    check('tool_agreements_share', sql`${t.sharePercent} between 0 and 100`),
    check('tool_agreements_whole', sql`(${t.acceptedAt} is null) = (${t.sharePercent} is null)`),
  ],
);
