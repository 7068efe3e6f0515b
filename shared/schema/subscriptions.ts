import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { DraftInvoice } from '../rules/forecast.ts';
import type { OwnPrice } from '../rules/own-price.ts';
import type { FreeMonths, WinBack } from '../rules/pricing.ts';
import { subscriptionStatuses } from '../rules/subscriptions.ts';
import { users } from './accounts.ts';
import { createdAt, generatedId, instant, updatedAt } from './columns.ts';
import { teams } from './teams.ts';
import { tools } from './tools.ts';

/** What Stripe is asked for, stored before the call: a retry repeats it to the letter under the same idempotency key. */
export type PurchaseAttempt = OwnPrice & {
  attempt: number;
  trialDays: number | null;
  quantity: number;
  totalCents: number;
  coupons: { id: string; percent: number; months: number | null; name: string }[];
  /**
   * The last change of the volume discounts that the payer was told of or that preceded the order; and the monthly cost they were
   * told to expect from a given invoice on, until that invoice is written.
   */
  tiers?: { number: number; told?: { cents: number; from: string } };
  /** A new Stripe subscription for a row that has had one; until it is paid, the row stays as it is. */
  revives?: boolean;
};

/** A win-back offer or discount code: invoices before `endsAt` are reduced by its percentage. */
export type OfferTaken = WinBack & { offerId?: string; endsAt: string | null };

/** A price that the payer was told: a month's, what waits for the next invoice, and what explains why it later differs. */
export type PriceTold = {
  monthlyCents: number;
  prorationCents: number;
  quantity: number;
  coupons: string[];
  unitCents?: number;
};

export const toolSubscriptions = pgTable(
  'tool_subscriptions',
  {
    id: generatedId(),
    userId: uuid('user_id').references(() => users.id),
    teamId: uuid('team_id').references(() => teams.id),
    toolId: text('tool_id')
      .notNull()
      .references(() => tools.id),
    /** False once the row is history. At most one row per payer and tool is true. */
    isActive: boolean('is_active').notNull().default(true),
    status: text('status', { enum: subscriptionStatuses }).notNull().default('active'),
    subscriptionType: text('subscription_type', { enum: ['individual', 'team'] })
      .notNull()
      .default('individual'),
    stripeSubscriptionId: text('stripe_subscription_id').unique(),
    purchase: jsonb('purchase').$type<PurchaseAttempt>(),
    /** What a month costs this payer now, in cents. */
    monthlyCents: integer('monthly_cents').notNull().default(0),
    /** How many members a team pays for; 1 for an adviser. */
    quantity: integer('quantity').notNull().default(1),
    /** What Stripe puts on the next invoice because members came or went, as last read; a credit is negative. */
    prorations: jsonb('prorations').$type<{ label: string; cents: number }[]>().notNull().default([]),
    /** A renewal invoice that Stripe has written and will charge within the hour. */
    draft: jsonb('draft').$type<DraftInvoice>(),
    /** The last reminder: of which date (a renewal, an end, the last day to pay), how many days before it, and for how many cents. */
    told: jsonb('told').$type<{ at: string; days: number; cents: number }>(),
    /** The price that the payer knows, while the current one differs and they are still to be told. */
    priceTold: jsonb('price_told').$type<PriceTold>(),
    autoRenew: boolean('auto_renew').notNull().default(true),
    /** The expired row this one was won back from: one offer per expiry. */
    winBackOf: uuid('win_back_of'),
    /** The win-back offer or discount code in force; null once it has run out or a larger discount has replaced it. */
    winBack: jsonb('win_back').$type<OfferTaken>(),
    /** Free months that an administrator gave: invoices from the first date until just before the second cost nothing. */
    freeMonths: jsonb('free_months').$type<FreeMonths>(),
    /** Why the last charge failed and what is owed; null when nothing is. */
    paymentProblem: jsonb('payment_problem').$type<{
      invoiceId: string;
      amountCents: number;
      reason: string;
      needsAction: boolean;
    }>(),
    cancellationReason: text('cancellation_reason'),
    cancellationDetails: text('cancellation_details'),
    cancelledAt: instant('cancelled_at'),
    /** The end of the paid period, or trial, that was cancelled: until then reactivating costs nothing. */
    paidUntil: instant('paid_until'),
    endDate: instant('end_date'),
    /** The day of the month, in UTC, on which Stripe's billing periods end; in a shorter month, its last day. */
    billingDay: integer('billing_day'),
    gracePeriodEnd: instant('grace_period_end'),
    trialEndDate: instant('trial_end_date'),
    expiredAt: instant('expired_at'),
    /** Raised by every write: no lock is held during a call to Stripe, so whoever read an older version reads again. */
    version: integer('version').notNull().default(0),
    syncedAt: instant('synced_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('tool_subscriptions_live_user')
      .on(t.userId, t.toolId)
      .where(sql`${t.isActive} and ${t.userId} is not null`),
    uniqueIndex('tool_subscriptions_live_team')
      .on(t.teamId, t.toolId)
      .where(sql`${t.isActive} and ${t.teamId} is not null`),
    index('tool_subscriptions_user_tool').on(t.userId, t.toolId, t.createdAt.desc().nullsFirst()),
    index('tool_subscriptions_team_tool').on(t.teamId, t.toolId, t.createdAt.desc().nullsFirst()),
    // When something becomes due; only a query with exactly this expression uses the index.
    index('tool_subscriptions_due')
      .on(
        sql`(case ${t.status} when 'trial' then ${t.trialEndDate} when 'active' then ${t.endDate} when 'grace_period' then ${t.gracePeriodEnd} else greatest(${t.endDate}, ${t.gracePeriodEnd}) end)`,
      )
      .where(sql`${t.isActive}`),
    uniqueIndex('tool_subscriptions_win_back_once').on(t.winBackOf),
    index('tool_subscriptions_incomplete')
      .on(t.createdAt)
      .where(sql`${t.status} = 'incomplete'`),
    // Who is to be told something that doesn't wait for a date: a changed price, a failed payment.
    index('tool_subscriptions_price_told')
      .on(t.id)
      .where(sql`${t.priceTold} is not null`),
    index('tool_subscriptions_grace')
      .on(t.id)
      .where(sql`${t.status} = 'grace_period'`),
    // Who is still to be told of a new price of the tool; only a query with exactly this expression uses the index.
    index('tool_subscriptions_priced')
      .on(t.toolId, sql`(coalesce((${t.purchase} ->> 'priced')::integer, 0))`, t.id)
      .where(
        sql`${t.isActive} and ${t.autoRenew} and ${t.purchase} is not null and ${t.status} in ('trial', 'active', 'grace_period')`,
      ),
    // Who is still to be told of new volume discounts, in the same way.
    index('tool_subscriptions_tiers')
      .on(sql`(coalesce((${t.purchase} -> 'tiers' ->> 'number')::integer, 0))`, t.id)
      .where(
        sql`${t.isActive} and ${t.autoRenew} and ${t.purchase} is not null and ${t.status} in ('trial', 'active', 'grace_period')`,
      ),
    index('tool_subscriptions_synced')
      .on(t.syncedAt)
      .where(sql`${t.isActive} and ${t.stripeSubscriptionId} is not null`),
    check('tool_subscriptions_one_payer', sql`(${t.userId} is null) <> (${t.teamId} is null)`),
    check('tool_subscriptions_type', sql`(${t.subscriptionType} = 'team') = (${t.teamId} is not null)`),
    check(
      'tool_subscriptions_status',
      sql`${t.status} in ('incomplete', 'trial', 'active', 'grace_period', 'cancelled', 'expired')`,
    ),
    check('tool_subscriptions_expired_is_history', sql`${t.status} <> 'expired' or not ${t.isActive}`),
    check('tool_subscriptions_trial_has_end', sql`${t.status} <> 'trial' or ${t.trialEndDate} is not null`),
    check('tool_subscriptions_grace_has_end', sql`${t.status} <> 'grace_period' or ${t.gracePeriodEnd} is not null`),
    check(
      'tool_subscriptions_cancelled_has_end',
      sql`${t.status} <> 'cancelled' or (${t.endDate} is not null and ${t.gracePeriodEnd} is not null)`,
    ),
    check('tool_subscriptions_incomplete_has_purchase', sql`${t.status} <> 'incomplete' or ${t.purchase} is not null`),
    check('tool_subscriptions_money', sql`${t.monthlyCents} >= 0`),
    check('tool_subscriptions_quantity', sql`${t.quantity} between 1 and 19`),
  ],
);

/** Trials taken, one per person or team and tool, forever. */
export const trialUses = pgTable(
  'trial_uses',
  {
    id: generatedId(),
    /** SHA-256 of the canonical e-mail, or a team's id; a team's trial uses up its owner's too. A closed account's trials stay taken. */
    identity: text('identity').notNull(),
    toolId: text('tool_id')
      .notNull()
      .references(() => tools.id),
    subscriptionId: uuid('subscription_id').references(() => toolSubscriptions.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [unique('trial_uses_once').on(t.identity, t.toolId)],
);

export const discountTiers = pgTable(
  'discount_tiers',
  {
    id: generatedId(),
    toolCount: integer('tool_count').notNull(),
    discountPercent: numeric('discount_percent', { precision: 5, scale: 2 }).notNull(),
    description: text('description'),
    /** Whether it holds now; a job keeps this up to date. */
    isActive: boolean('is_active').notNull().default(true),
    /** The invoice dates it applies to; null: no limit on that side. */
    startsAt: instant('starts_at'),
    endsAt: instant('ends_at'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('discount_tiers_active_count')
      .on(t.toolCount)
      .where(sql`${t.isActive}`),
    check('discount_tiers_percent', sql`${t.discountPercent} > 0 and ${t.discountPercent} < 100`),
    check('discount_tiers_count', sql`${t.toolCount} > 0`),
  ],
);
