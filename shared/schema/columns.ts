import { type Column, sql } from 'drizzle-orm';
import { check, customType, integer, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { type Disclosure, withAllQuestions } from '../rules/record/disclosure.ts';

/** Columns every table shares; instants are timestamptz, so that the server's zone never matters. */
export const instant = (name: string) => timestamp(name, { withTimezone: true });
export const generatedId = () => uuid('id').primaryKey().defaultRandom();
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
/** A maker's answers, with null for the questions that came later. */
export const disclosureAnswers = customType<{ data: Disclosure; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (answers) => JSON.stringify(answers),
  fromDriver: (stored) => withAllQuestions(stored as Partial<Disclosure>),
});
export const createdAt = () => instant('created_at').notNull().defaultNow();
export const updatedAt = () => instant('updated_at').notNull().defaultNow();

/** A CHECK that the column is one of the list, so that a new entry of the list is a migration. */
export const oneOf = (name: string, column: Column, list: readonly string[]) =>
  check(name, sql`${column} in (${sql.raw(list.map((one) => `'${one}'`).join(', '))})`);

/** What we know of a payer at Stripe; an adviser or a team has a customer of their own. */
export const atStripe = () => ({
  /** The payer's one subscription, when its first period began, and the next billing instant. */
  stripeSubscriptionId: text('stripe_subscription_id'),
  billingAnchor: instant('billing_anchor'),
  nextBillAt: instant('next_bill_at'),
  /** A copy of the default card, so that a trial's rights and the Billing tab need no call to Stripe. */
  cardBrand: text('card_brand'),
  cardLast4: text('card_last4'),
  cardExpMonth: integer('card_exp_month'),
  cardExpYear: integer('card_exp_year'),
  /** What Stripe takes off the next invoices, as last read. */
  creditCents: integer('credit_cents').notNull().default(0),
});
