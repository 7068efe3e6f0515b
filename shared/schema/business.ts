import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { movements, plans } from '../rules/business.ts';
import { instant, oneOf } from './columns.ts';

const amount = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);
const number = (name: string) => integer(name).notNull().default(0);

/**
 * A row each time a subscription's share of recurring revenue changed, appended by triggers/count-business.sql in the same
 * transaction; a job adds it to the months. A month is stored as its first day, in Sydney.
 */
export const subscriptionChanges = pgTable(
  'subscription_changes',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    subscriptionId: uuid('subscription_id').notNull(),
    /** The adviser or the team. */
    payerId: uuid('payer_id').notNull(),
    toolId: text('tool_id').notNull(),
    at: instant('at').notNull(),
    month: date('month').notNull(),
    status: text('status').notNull(),
    plan: text('plan', { enum: plans }).notNull(),
    planBefore: text('plan_before', { enum: plans }),
    /** In force and going to renew. */
    live: boolean('live').notNull(),
    liveBefore: boolean('live_before').notNull(),
    /** A month's price while it is live, else 0. */
    cents: integer('cents').notNull(),
    centsBefore: integer('cents_before').notNull(),
    movement: text('movement', { enum: movements }),
    /** The month in which this payer first paid for this tool; null where they have not, or did before changes were kept. */
    cohort: date('cohort'),
    /** This payer pays for this tool, or has. */
    hasPaid: boolean('has_paid').notNull(),
    /** Began as a trial that nobody has paid for yet. */
    onTrial: boolean('on_trial').notNull(),
    /** Owed since a charge failed. */
    owedCents: integer('owed_cents').notNull(),
    trialStarted: boolean('trial_started').notNull(),
    trialConverted: boolean('trial_converted').notNull(),
    wonBack: boolean('won_back').notNull(),
    failedCents: integer('failed_cents').notNull(),
    recoveredCents: integer('recovered_cents').notNull(),
    lostCents: integer('lost_cents').notNull(),
    counted: boolean('counted').notNull().default(false),
  },
  (t) => [
    index('subscription_changes_newest').on(t.subscriptionId, t.id),
    index('subscription_changes_slot').on(t.payerId, t.toolId, t.id),
    index('subscription_changes_uncounted')
      .on(t.id)
      .where(sql`not ${t.counted}`),
    check('subscription_changes_money', sql`${t.cents} >= 0 and ${t.centsBefore} >= 0`),
  ],
);

const documentKinds = ['invoice', 'note'] as const;

/**
 * Every invoice and adjustment note, as it counts now and as it was counted last. Month, tool and plan stay those of the day of
 * issue; a voided invoice and a note of a refund that failed count 0.
 */
export const revenueDocuments = pgTable(
  'revenue_documents',
  {
    documentId: uuid('document_id').primaryKey(),
    kind: text('kind', { enum: documentKinds }).notNull(),
    month: date('month').notNull(),
    /** `none`: for no tool of ours, or for several. */
    toolId: text('tool_id').notNull(),
    /** What each tool has of it, in cents, where its lines name them. */
    shares: jsonb('shares').$type<Record<string, number>>(),
    plan: text('plan', { enum: plans }).notNull(),
    cents: integer('cents').notNull(),
    gstCents: integer('gst_cents').notNull(),
    countedCents: integer('counted_cents').notNull().default(0),
    countedGstCents: integer('counted_gst_cents').notNull().default(0),
    stale: boolean('stale').notNull().default(true),
  },
  (t) => [
    index('revenue_documents_stale')
      .on(t.documentId)
      .where(sql`${t.stale}`),
    oneOf('revenue_documents_kind', t.kind, documentKinds),
  ],
);

/** What the business page is drawn from: sums per month, tool and plan. */
export const businessMonths = pgTable(
  'business_months',
  {
    month: date('month').notNull(),
    toolId: text('tool_id').notNull(),
    plan: text('plan', { enum: plans }).notNull(),
    invoicedCents: amount('invoiced_cents'),
    invoicedGstCents: amount('invoiced_gst_cents'),
    adjustedCents: amount('adjusted_cents'),
    adjustedGstCents: amount('adjusted_gst_cents'),
    /** The change of recurring revenue and of live subscriptions in the month; the level is the sum of all months up to it. */
    mrrCents: amount('mrr_cents'),
    subscriptions: number('subscriptions'),
    openingCents: amount('opening_cents'),
    newCents: amount('new_cents'),
    expandedCents: amount('expanded_cents'),
    contractedCents: amount('contracted_cents'),
    churnedCents: amount('churned_cents'),
    reactivatedCents: amount('reactivated_cents'),
    trialsStarted: number('trials_started'),
    trialsConverted: number('trials_converted'),
    winBacks: number('win_backs'),
    failedPayments: number('failed_payments'),
    failedCents: amount('failed_cents'),
    recoveredPayments: number('recovered_payments'),
    recoveredCents: amount('recovered_cents'),
    lostPayments: number('lost_payments'),
    lostCents: amount('lost_cents'),
    /** When an invoice or note last changed the month's figures after it was over. */
    recountedAt: instant('recounted_at'),
  },
  (t) => [primaryKey({ name: 'business_months_pk', columns: [t.month, t.toolId, t.plan] })],
);

/** By how many paid subscriptions, and how much recurring revenue, a cohort changed in a month. */
export const cohortMonths = pgTable(
  'cohort_months',
  {
    cohort: date('cohort').notNull(),
    month: date('month').notNull(),
    toolId: text('tool_id').notNull(),
    plan: text('plan', { enum: plans }).notNull(),
    /** How many began to pay, in the cohort's own month. */
    begun: number('begun'),
    subscriptions: number('subscriptions'),
    mrrCents: amount('mrr_cents'),
  },
  (t) => [primaryKey({ name: 'cohort_months_pk', columns: [t.cohort, t.month, t.toolId, t.plan] })],
);

/** How far a job has counted the rows that are older than the triggers. */
export const businessBackfill = pgTable('business_backfill', {
  source: text('source', { enum: ['subscriptions', 'invoices', 'notes'] }).primaryKey(),
  /** The last id counted. */
  after: uuid('after').notNull(),
  taken: bigint('taken', { mode: 'number' }).notNull().default(0),
  /** The month it began in: if it counted anything, recurring revenue before that is unknown. */
  beganIn: date('began_in').notNull(),
  done: boolean('done').notNull().default(false),
});
