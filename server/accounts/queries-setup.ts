import { eq, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import type { Db } from '#server/platform/database.ts';

/** Any number, the same in every process: who holds it sets up the first administrator. */
const setupLock = 7_301_001;

/** Waits for another set-up; held until the transaction ends. */
export const lockSetup = async (tx: Db) => {
  await tx.execute(sql`select pg_advisory_xact_lock(${setupLock})`);
};

export const hasAdmin = async (db: Db): Promise<boolean> =>
  (await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1)).length > 0;
