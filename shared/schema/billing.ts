import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { createdAt, generatedId, instant, updatedAt } from './columns.ts';
import { teams } from './teams.ts';

/** The webhook inbox: one row per Stripe event, committed before it is acknowledged. */
export const stripeEvents = pgTable(
  'stripe_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    objectId: text('object_id'),
    /** The subscription or customer to read again; null for events that are only recorded. */
    subscriptionId: text('subscription_id'),
    customerId: text('customer_id'),
    status: text('status', { enum: ['pending', 'processed', 'ignored', 'parked'] })
      .notNull()
      .default('pending'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    occurredAt: instant('occurred_at').notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
    processedAt: instant('processed_at'),
  },
  (t) => [
    index('stripe_events_open')
      .on(t.receivedAt)
      .where(sql`${t.status} in ('pending', 'parked')`),
    // Administrators read them beside what else happened to a person.
    index('stripe_events_customer').on(t.customerId, t.occurredAt.desc().nullsFirst()),
    check('stripe_events_status', sql`${t.status} in ('pending', 'processed', 'ignored', 'parked')`),
  ],
);

/** The one Stripe account of this database, and how far its list of events has been read. */
export const stripeAccount = pgTable(
  'stripe_account',
  {
    id: boolean('id').primaryKey().default(true),
    mode: text('mode', { enum: ['sandbox', 'test', 'live'] }).notNull(),
    /** Every event up to this moment has been received. */
    eventsReadUntil: instant('events_read_until'),
    /** An unfinished reading of the list, which is newest first: when it began, and the last event it reached. */
    eventsReadingSince: instant('events_reading_since'),
    eventsCursor: text('events_cursor'),
  },
  (t) => [
    check('stripe_account_single_row', sql`${t.id}`),
    check('stripe_account_mode', sql`${t.mode} in ('sandbox', 'test', 'live')`),
  ],
);

export type InvoiceLine = {
  description: string;
  quantity: number;
  /** Before discounts. */
  cents: number;
  discounts?: { label: string; cents: number }[];
  /** Of the price after discounts. */
  gstCents?: number;
  /** In copies made before each discount had its own line. */
  discountCents?: number;
};
export type InvoiceBuyer = {
  name: string;
  business: string | null;
  abn: string | null;
  email: string;
  address: string[];
};

/** A copy of Stripe's invoices. */
export const invoices = pgTable(
  'invoices',
  {
    id: generatedId(),
    stripeInvoiceId: text('stripe_invoice_id').notNull().unique(),
    userId: uuid('user_id').references(() => users.id),
    teamId: uuid('team_id').references(() => teams.id),
    subscriptionId: uuid('subscription_id'),
    number: text('number'),
    status: text('status').notNull(),
    description: text('description').notNull(),
    totalCents: integer('total_cents').notNull(),
    gstCents: integer('gst_cents').notNull(),
    amountPaidCents: integer('amount_paid_cents').notNull().default(0),
    lines: jsonb('lines').$type<InvoiceLine[]>().notNull(),
    /** The buyer on the day of issue: a tax invoice does not change when somebody moves. */
    buyer: jsonb('buyer').$type<InvoiceBuyer>(),
    /** Still owed, in cents. */
    dueCents: integer('due_cents').notNull().default(0),
    issuedAt: instant('issued_at').notNull(),
    paidAt: instant('paid_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('invoices_user').on(t.userId, t.issuedAt.desc().nullsFirst(), t.id),
    // Administrators search by it.
    index('invoices_number').on(t.number),
    index('invoices_team').on(t.teamId, t.issuedAt.desc().nullsFirst(), t.id),
    check('invoices_one_payer', sql`(${t.userId} is null) <> (${t.teamId} is null)`),
  ],
);

/** Refunds and credits made at Stripe: GST law wants an adjustment note for each. */
export const adjustmentNotes = pgTable(
  'adjustment_notes',
  {
    id: generatedId(),
    /** Stripe's credit note or refund. */
    providerId: text('provider_id').notNull().unique(),
    invoiceId: uuid('invoice_id')
      .notNull()
      .references(() => invoices.id),
    number: text('number').notNull(),
    totalCents: integer('total_cents').notNull(),
    gstCents: integer('gst_cents').notNull(),
    reason: text('reason'),
    issuedAt: instant('issued_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('adjustment_notes_invoice').on(t.invoiceId),
    check('adjustment_notes_money', sql`${t.totalCents} > 0 and ${t.gstCents} >= 0`),
  ],
);

export const billingAddresses = pgTable(
  'billing_addresses',
  {
    id: generatedId(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    teamId: uuid('team_id').references(() => teams.id, { onDelete: 'cascade' }),
    line1: text('line1').notNull(),
    line2: text('line2'),
    city: text('city').notNull(),
    state: text('state').notNull(),
    postcode: text('postcode').notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('billing_addresses_user').on(t.userId),
    uniqueIndex('billing_addresses_team').on(t.teamId),
    check('billing_addresses_one_payer', sql`(${t.userId} is null) <> (${t.teamId} is null)`),
    check('billing_addresses_postcode', sql`${t.postcode} ~ '^[0-9]{4}$'`),
  ],
);
