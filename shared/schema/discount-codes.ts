import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { byUser, users } from './accounts.ts';
import { createdAt, generatedId, instant } from './columns.ts';
import { toolSubscriptions } from './subscriptions.ts';
import { onePayer, payer } from './teams.ts';
import { ofTool } from './tools.ts';

/** Every discount code that administrators made. Never changed, only ended: redemptions go by its terms. */
export const discountCodes = pgTable(
  'discount_codes',
  {
    id: generatedId(),
    /** Capital letters and digits. Never reused once over: the ids of coupons at Stripe contain it. */
    code: text('code').notNull().unique(),
    percent: integer('percent').notNull(),
    months: integer('months').notNull(),
    /** The tools it is for; null: all of them. */
    toolIds: jsonb('tool_ids').$type<string[]>(),
    /** From when it can be redeemed; null: as soon as it is made. */
    startsAt: instant('starts_at'),
    /** The moment after the last day on which it can be redeemed. */
    endsAt: instant('ends_at').notNull(),
    mostRedemptions: integer('most_redemptions').notNull(),
    reason: text('reason').notNull(),
    madeBy: byUser('made_by'),
    createdAt: createdAt(),
    /** When, by which administrator and why it was ended early. */
    endedAt: instant('ended_at'),
    endedBy: uuid('ended_by').references(() => users.id),
    endReason: text('end_reason'),
  },
  (t) => [
    index('discount_codes_made_by').on(t.madeBy),
    index('discount_codes_ended_by').on(t.endedBy),
    check('discount_codes_code', sql`${t.code} ~ '^[A-Z0-9]{3,20}$'`),
    check('discount_codes_percent', sql`${t.percent} between 1 and 90`),
    check('discount_codes_months', sql`${t.months} between 1 and 24`),
    check('discount_codes_limit', sql`${t.mostRedemptions} > 0`),
    check('discount_codes_ended', sql`(${t.endedAt} is null) = (${t.endedBy} is null)`),
  ],
);

/** A code used for a purchase: once per payer and tool. It can be used again if the purchase is never paid. */
export const codeRedemptions = pgTable(
  'code_redemptions',
  {
    id: generatedId(),
    codeId: uuid('code_id')
      .notNull()
      .references(() => discountCodes.id),
    ...payer(),
    toolId: ofTool(),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .unique()
      .references(() => toolSubscriptions.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('code_redemptions_once_user')
      .on(t.userId, t.codeId, t.toolId)
      .where(sql`${t.userId} is not null`),
    uniqueIndex('code_redemptions_once_team')
      .on(t.teamId, t.codeId, t.toolId)
      .where(sql`${t.teamId} is not null`),
    index('code_redemptions_code').on(t.codeId, t.createdAt.desc().nullsFirst()),
    onePayer('code_redemptions_one_payer', t),
  ],
);
