import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { generatedId, instant } from './columns.ts';
import { onePayer, payer } from './teams.ts';

/** An address that gets copies of a payer's receipts and tax invoices, once its holder has confirmed it. */
export const bookkeepers = pgTable(
  'bookkeepers',
  {
    id: generatedId(),
    ...payer(),
    email: text('email').notNull(),
    /** SHA-256 of the mailed link that confirms it. */
    token: text('token').notNull().unique(),
    /** What is paid from then on is copied. */
    askedAt: instant('asked_at').notNull(),
    confirmedAt: instant('confirmed_at'),
  },
  (t) => [
    uniqueIndex('bookkeepers_user').on(t.userId),
    uniqueIndex('bookkeepers_team').on(t.teamId),
    index('bookkeepers_email').on(sql`lower(${t.email})`),
    onePayer('bookkeepers_one_payer', t),
  ],
);

/** The invoices and adjustment notes that were mailed to a bookkeeper. */
export const mailedCopies = pgTable(
  'mailed_copies',
  {
    documentId: uuid('document_id').primaryKey(),
    bookkeeperId: uuid('bookkeeper_id')
      .notNull()
      .references(() => bookkeepers.id, { onDelete: 'cascade' }),
    mailedAt: instant('mailed_at').notNull(),
  },
  (t) => [index('mailed_copies_bookkeeper').on(t.bookkeeperId)],
);

/** The financial years, by the year in which they end, whose statement was mailed to a payer. */
export const yearStatements = pgTable(
  'year_statements',
  {
    id: generatedId(),
    ...payer(),
    financialYear: integer('financial_year').notNull(),
    mailedAt: instant('mailed_at').notNull(),
  },
  (t) => [
    uniqueIndex('year_statements_user').on(t.userId, t.financialYear),
    uniqueIndex('year_statements_team').on(t.teamId, t.financialYear),
    onePayer('year_statements_one_payer', t),
  ],
);
