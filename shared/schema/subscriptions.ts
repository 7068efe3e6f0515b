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
import type { FreeMonths, OfferTaken } from '../rules/billing/pricing.ts';
import { subscriptionStatuses } from '../rules/billing/subscriptions.ts';
import { createdAt, generatedId, instant, oneOf, updatedAt } from './columns.ts';
import { ofTool } from './tools.ts';
import { onePayer, payer } from './teams.ts';

/** What the release before "one bill per payer" asked of Stripe for one subscription; `join-one-bill` reads it. */
export type OldPurchase = {
  unitCents: number;
  quantity: number;
  priced?: number;
  steps?: { number: number; unitCents: number; beforeCents: number; from: string }[];
  revives?: boolean;
  attempt?: number;
  coupons?: { id: string; name: string; percent: number }[];
  /**
   * Decided by `join-one-bill`: its Stripe subscription ends with its paid period, or renews once more as it was, for so many cents and
   * until then. `moved` are Stripe's waiting prorations that are adjustments now.
   */
  join?: { renewal: { until: string; cents: number } | null; moved: string[] };
};

export const toolSubscriptions = pgTable(
  'tool_subscriptions',
  {
    id: generatedId(),
    ...payer(),
    toolId: ofTool(),
    /** False once the row is history. At most one row per payer and tool is true. */
    isActive: boolean('is_active').notNull().default(true),
    status: text('status', { enum: subscriptionStatuses }).notNull().default('active'),
    subscriptionType: text('subscription_type', { enum: ['individual', 'team'] })
      .notNull()
      .default('individual'),
    /** While it is on the bill, the payer's; until it has joined the bill, its own. */
    stripeSubscriptionId: text('stripe_subscription_id'),
    /** Its own unit price in cents, whatever the tool costs others; and the last decision about that price before it was bought. */
    unitCents: integer('unit_cents').notNull().default(0),
    priceNumber: integer('price_number').notNull().default(0),
    /** No higher price before that moment: its payer was told late. */
    risesFrom: instant('rises_from'),
    /** When the period began that its last line paid, which ends with `endDate`; a month of that line in cents, and its seats. */
    periodStart: instant('period_start'),
    monthlyCents: integer('monthly_cents').notNull().default(0),
    quantity: integer('quantity').notNull().default(1),
    /** Who of the team uses it, and is paid for, where its owner has chosen; null: everybody with a seat. */
    chosenUsers: uuid('chosen_users').array(),
    /** Billed by a Stripe subscription of its own, as the release before sold it, until `join-one-bill` has moved it. */
    purchase: jsonb('purchase').$type<OldPurchase>(),
    prorations: jsonb('prorations').$type<{ label: string; cents: number }[]>().notNull().default([]),
    draft: jsonb('draft'),
    told: jsonb('told'),
    priceTold: jsonb('price_told'),
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
    revision: integer('revision')
      .notNull()
      .default(0)
      .$defaultFn(() => 1),
    /** What the release before raised instead; the database refuses its inserts, which have revision 0. */
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
    // What an older release sold and has not joined a bill yet: by its own Stripe subscription, and when it was last read.
    index('tool_subscriptions_old')
      .on(t.stripeSubscriptionId)
      .where(sql`${t.purchase} is not null`)
      .concurrently(),
    index('tool_subscriptions_old_read')
      .on(t.syncedAt)
      .where(sql`${t.isActive} and ${t.purchase} is not null and ${t.stripeSubscriptionId} is not null`)
      .concurrently(),
    index('tool_subscriptions_synced')
      .on(t.syncedAt)
      .where(sql`${t.isActive} and ${t.stripeSubscriptionId} is not null`),
    onePayer('tool_subscriptions_one_payer', t),
    check('tool_subscriptions_type', sql`(${t.subscriptionType} = 'team') = (${t.teamId} is not null)`),
    oneOf('tool_subscriptions_status', t.status, subscriptionStatuses),
    check('tool_subscriptions_expired_is_history', sql`${t.status} <> 'expired' or not ${t.isActive}`),
    check('tool_subscriptions_trial_has_end', sql`${t.status} <> 'trial' or ${t.trialEndDate} is not null`),
    check('tool_subscriptions_grace_has_end', sql`${t.status} <> 'grace_period' or ${t.gracePeriodEnd} is not null`),
    check(
      'tool_subscriptions_cancelled_has_end',
      sql`${t.status} <> 'cancelled' or (${t.endDate} is not null and ${t.gracePeriodEnd} is not null)`,
    ),
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
    toolId: ofTool(),
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
    /** Whether it is the newest for this number of tools; the dates say when it holds. */
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
