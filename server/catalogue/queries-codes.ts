import { desc, eq } from 'drizzle-orm';
import { discountCodes } from '#shared/schema/discount-codes.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const c = discountCodes;
const shown = 200;

export type DiscountCodeRow = typeof c.$inferSelect;

export const codeNamed = (db: Db, code: string) => first(db.select().from(c).where(eq(c.code, code)));

/** The code, locked: nobody else redeems or ends it until the transaction is over. */
export const lockCode = (db: Db, id: string) => first(db.select().from(c).where(eq(c.id, id)).for('update'));

export const codesMade = (db: Db) => db.select().from(c).orderBy(desc(c.createdAt), c.id).limit(shown);

/** Null where a code with that text exists. */
export const insertCode = (db: Db, row: typeof c.$inferInsert) =>
  first(db.insert(c).values(row).onConflictDoNothing().returning());

export const noteCodeEnded = (db: Db, id: string, values: Pick<DiscountCodeRow, 'endedAt' | 'endedBy' | 'endReason'>) =>
  db.update(c).set(values).where(eq(c.id, id));
