import { and, eq, gt, inArray, isNull, lt, lte, or, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { emailChanges, emailVerificationTokens, passwordResetTokens, sessions } from '#shared/schema/accounts.ts';
import { rememberedDevices } from '#shared/schema/factors.ts';
import { rateLimits } from '#shared/schema/platform.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const v = emailVerificationTokens;
const r = passwordResetTokens;

export const ownerOfVerificationToken = async (db: Db, tokenHash: string): Promise<string | null> =>
  (await first(db.select({ userId: v.userId }).from(v).where(eq(v.token, tokenHash))))?.userId ?? null;

export const insertVerificationToken = (db: Db, values: typeof v.$inferInsert) => db.insert(v).values(values);

export const deleteVerificationTokens = (db: Db, userId: string) => db.delete(v).where(eq(v.userId, userId));

/** Uses the token up; of any number of calls at once, one gets true. */
export async function takeVerificationToken(db: Db, tokenHash: string, now: Date): Promise<boolean> {
  const taken = await db
    .delete(v)
    .where(and(eq(v.token, tokenHash), gt(v.expiresAt, now)))
    .returning({ id: v.id });
  return taken.length === 1;
}

/** Whose live reset token this is. Whether it may be used is for `takeResetToken` alone to decide. */
export const ownerOfResetToken = async (db: Db, tokenHash: string, now: Date): Promise<string | null> =>
  (
    await first(
      db
        .select({ userId: r.userId })
        .from(r)
        .where(and(eq(r.token, tokenHash), eq(r.used, false), gt(r.expiresAt, now))),
    )
  )?.userId ?? null;

export const insertResetToken = async (db: Db, values: typeof r.$inferInsert) => {
  await db.insert(r).values(values);
};

/** Ends every reset link of this account. */
export const endResetTokens = async (db: Db, userId: string) => {
  await db
    .update(r)
    .set({ used: true })
    .where(and(eq(r.userId, userId), eq(r.used, false)));
};

/** Uses the token up; of any number of calls at once, one gets true. */
export async function takeResetToken(db: Db, tokenHash: string, now: Date): Promise<boolean> {
  const taken = await db
    .update(r)
    .set({ used: true })
    .where(and(eq(r.token, tokenHash), eq(r.used, false), gt(r.expiresAt, now)))
    .returning({ id: r.id });
  return taken.length === 1;
}

/** Deletes at most `limit` rows; returns how many. */
async function deleteSome(db: Db, table: PgTable, key: PgColumn, where: SQL | undefined, limit: number) {
  const some = db.select({ key }).from(table).where(where).limit(limit);
  return (await db.delete(table).where(inArray(key, some))).rowCount ?? 0;
}

/** Sessions that expired before `before`; a tombstone keeps its session's expiry. */
export const pruneSessions = (db: Db, before: Date, limit: number) =>
  deleteSome(db, sessions, sessions.sid, lt(sessions.expire, before), limit);

export const pruneVerificationTokens = (db: Db, now: Date, limit: number) =>
  deleteSome(
    db,
    emailVerificationTokens,
    emailVerificationTokens.id,
    lte(emailVerificationTokens.expiresAt, now),
    limit,
  );

export const pruneResetTokens = (db: Db, now: Date, limit: number) =>
  deleteSome(
    db,
    passwordResetTokens,
    passwordResetTokens.id,
    or(eq(passwordResetTokens.used, true), lte(passwordResetTokens.expiresAt, now)),
    limit,
  );

/** Changes of address that nobody confirmed in time. */
export const pruneEmailChanges = (db: Db, now: Date, limit: number) =>
  deleteSome(
    db,
    emailChanges,
    emailChanges.id,
    and(isNull(emailChanges.confirmedAt), lte(emailChanges.expiresAt, now)),
    limit,
  );

export const pruneDevices = (db: Db, now: Date, limit: number) =>
  deleteSome(db, rememberedDevices, rememberedDevices.id, lte(rememberedDevices.expiresAt, now), limit);

export const pruneLimits = (db: Db, now: Date, limit: number) =>
  deleteSome(db, rateLimits, rateLimits.key, lt(rateLimits.expire, now.getTime()), limit);
