import { sql } from 'drizzle-orm';
import { boolean, check, date, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { adjustmentCauses, type BillLine, type BillPart } from '../rules/billing/bill-types.ts';
import type { Seller } from '../brand.ts';
import { createdAt, generatedId, instant, oneOf, updatedAt } from './columns.ts';
import { users } from './accounts.ts';
import { onePayer, payer, teams } from './teams.ts';

const eventStatuses = ['pending', 'processed', 'ignored', 'parked'] as const;
const stripeModes = ['sandbox', 'test', 'live'] as const;

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
    status: text('status', { enum: eventStatuses }).notNull().default('pending'),
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
    oneOf('stripe_events_status', t.status, eventStatuses),
  ],
);

/** The one Stripe account of this database, and how far its list of events has been read. */
export const stripeAccount = pgTable(
  'stripe_account',
  {
    id: boolean('id').primaryKey().default(true),
    mode: text('mode', { enum: stripeModes }).notNull(),
    /** Every event up to this moment has been received. */
    eventsReadUntil: instant('events_read_until'),
    /** An unfinished reading of the list, which is newest first: when it began, and the last event it reached. */
    eventsReadingSince: instant('events_reading_since'),
    eventsCursor: text('events_cursor'),
    /** Since when subscriptions that an older release sold are being joined to one bill; before that it may be gone back to. */
    oneBillSince: instant('one_bill_since'),
  },
  (t) => [check('stripe_account_single_row', sql`${t.id}`), oneOf('stripe_account_mode', t.mode, stripeModes)],
);

export const billKinds = ['first', 'tool', 'month', 'closing', 'old'] as const;
export const billStatuses = ['attempt', 'draft', 'issued', 'unpaid', 'paid', 'void'] as const;

/**
 * What a payer was charged, or agreed to be charged, at one instant. `first` begins the bill, `tool` is a tool added to it, `month`
 * the monthly bill, `closing` what is left when the last tool has gone, `old` a month of one tool that its own subscription from an older
 * release charges. An `attempt` waits for the payer to pay; a `draft` is fixed
 * and Stripe's draft is being held against it; an `issued` one is being collected; an `unpaid` one is in grace.
 */
export const bills = pgTable(
  'bills',
  {
    id: generatedId(),
    ...payer(),
    kind: text('kind', { enum: billKinds }).notNull(),
    status: text('status', { enum: billStatuses }).notNull(),
    at: instant('at').notNull(),
    /** The end of what it pays. */
    until: instant('until').notNull(),
    lines: jsonb('lines').$type<BillLine[]>().notNull(),
    parts: jsonb('parts').$type<BillPart[]>().notNull(),
    /** What the card is charged; what the customer's balance took off. */
    totalCents: integer('total_cents').notNull(),
    creditCents: integer('credit_cents').notNull().default(0),
    gstCents: integer('gst_cents').notNull(),
    stripeSubscriptionId: text('stripe_subscription_id'),
    stripeInvoiceId: text('stripe_invoice_id').unique(),
    /** Raised by every new try under another idempotency key. */
    attempt: integer('attempt').notNull().default(1),
    /** Why it is unpaid; null where it isn't. */
    problem: jsonb('problem').$type<{ reason: string; needsAction: boolean; dueCents: number }>(),
    /** The last moment to pay it. */
    graceEnd: instant('grace_end'),
    revision: integer('revision').notNull().default(0),
    checkedAt: instant('checked_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('bills_user').on(t.userId, t.at.desc()),
    index('bills_team').on(t.teamId, t.at.desc()),
    index('bills_open')
      .on(t.checkedAt.nullsFirst())
      .where(sql`${t.status} in ('attempt', 'draft', 'issued', 'unpaid')`),
    // One month, one bill.
    uniqueIndex('bills_once_user')
      .on(t.userId, t.at)
      .where(sql`${t.kind} in ('month', 'closing') and ${t.userId} is not null`),
    uniqueIndex('bills_once_team')
      .on(t.teamId, t.at)
      .where(sql`${t.kind} in ('month', 'closing') and ${t.teamId} is not null`),
    uniqueIndex('bills_one_attempt_user')
      .on(t.userId)
      .where(sql`${t.status} = 'attempt' and ${t.userId} is not null`),
    uniqueIndex('bills_one_attempt_team')
      .on(t.teamId)
      .where(sql`${t.status} = 'attempt' and ${t.teamId} is not null`),
    onePayer('bills_one_payer', t),
    oneOf('bills_kind', t.kind, billKinds),
    oneOf('bills_status', t.status, billStatuses),
    check('bills_money', sql`${t.totalCents} >= 0`),
    check('bills_unpaid_has_end', sql`${t.status} <> 'unpaid' or ${t.graceEnd} is not null`),
  ],
);

export const adjustmentStates = ['waiting', 'billed', 'closed'] as const;

/** A dated amount for part of a month, written when its cause happens and never recomputed. */
export const adjustments = pgTable(
  'adjustments',
  {
    id: generatedId(),
    ...payer(),
    subscriptionId: uuid('subscription_id'),
    toolId: text('tool_id').notNull(),
    toolName: text('tool_name').notNull(),
    cause: text('cause', { enum: adjustmentCauses }).notNull(),
    /** Whose seat it is for; a closed account keeps its days, without the name. */
    personId: uuid('person_id'),
    person: text('person'),
    /** Its first and last day in Sydney, and how many there are: negative where days are taken off. */
    from: date('from_day').notNull(),
    to: date('to_day').notNull(),
    days: integer('days').notNull(),
    /** The end of the period that it is part of. */
    periodEnd: instant('period_end').notNull(),
    cents: integer('cents').notNull(),
    state: text('state', { enum: adjustmentStates }).notNull().default('waiting'),
    billId: uuid('bill_id').references(() => bills.id),
    /** What is left of a credit that a bill could not take whole, points at the credit it is from. */
    splitOf: uuid('split_of'),
    createdAt: createdAt(),
  },
  (t) => [
    index('adjustments_user').on(t.userId, t.createdAt),
    index('adjustments_team').on(t.teamId, t.createdAt),
    index('adjustments_bill').on(t.billId),
    onePayer('adjustments_one_payer', t),
    oneOf('adjustments_cause', t.cause, adjustmentCauses),
    oneOf('adjustments_state', t.state, adjustmentStates),
    check('adjustments_billed', sql`(${t.state} = 'billed') = (${t.billId} is not null)`),
  ],
);

/** What a payer was told of their money: the words, and the coming bill as they then heard of it. It is kept for seven years. */
export const toldBills = pgTable(
  'told_bills',
  {
    id: generatedId(),
    ...payer(),
    /** Who was told: an adviser, or a team's owner of that day. */
    contactId: uuid('contact_id'),
    toldAt: instant('told_at').notNull(),
    /** The mail's kind, or `notice` where it was told in the app alone. */
    kind: text('kind').notNull(),
    /** False where it said nothing of the coming bill: the payer knows of that what an earlier row says. */
    tellsBill: boolean('tells_bill').notNull().default(true),
    /** The coming bill; null where none was coming. */
    billAt: instant('bill_at'),
    totalCents: integer('total_cents'),
    lines: jsonb('lines').$type<BillLine[]>().notNull(),
    parts: jsonb('parts').$type<BillPart[]>().notNull(),
    /** The first later bill whose month costs another amount. */
    later: jsonb('later').$type<{ at: string; monthCents: number; parts?: BillPart[] }>(),
    subject: text('subject').notNull(),
    paragraphs: jsonb('paragraphs').$type<string[]>().notNull(),
  },
  (t) => [
    index('told_bills_user').on(t.userId, t.toldAt.desc()),
    index('told_bills_team').on(t.teamId, t.toldAt.desc()),
    onePayer('told_bills_one_payer', t),
  ],
);

export type InvoiceLine = {
  description: string;
  quantity: number;
  /** Before discounts. */
  cents: number;
  discounts?: { label: string; cents: number }[];
  /** GST of the price after discounts. */
  gstCents?: number;
  /** Stripe's id of it, and what it is for; missing in copies made before a payer had one bill. */
  stripeLineId?: string;
  toolId?: string;
  subscriptionId?: string;
  from?: string;
  to?: string;
  /** How many days of a part of a month; negative where they are credited. */
  days?: number;
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
    ...payer(),
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
    onePayer('invoices_one_payer', t),
  ],
);

/** Each seller that this installation has had: an invoice names the one of its day. */
export const sellers = pgTable('sellers', {
  id: generatedId(),
  since: instant('since').notNull(),
  details: jsonb('details').$type<Seller>().notNull(),
});

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
    onePayer('billing_addresses_one_payer', t),
    check('billing_addresses_postcode', sql`${t.postcode} ~ '^[0-9]{4}$'`),
  ],
);
