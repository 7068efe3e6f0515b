import { and, eq, gt, isNull, lt, lte, or, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { day, plus } from '#shared/rules/dates.ts';
import { emailChanges, emailVerificationTokens, passwordResetTokens, sessions } from '#shared/schema/accounts.ts';
import { rememberedDevices } from '#shared/schema/factors.ts';
import { rateLimits } from '#shared/schema/platform.ts';
import { realNow } from '#server/platform/clock.ts';
import { type Db, deleteSome, first, hasChanged, inBatches } from '#server/platform/data/database.ts';

const v = emailVerificationTokens;
const r = passwordResetTokens;
const c = emailChanges;

export const ownerOfVerificationToken = async (db: Db, tokenHash: string): Promise<string | null> =>
  (await first(db.select({ userId: v.userId }).from(v).where(eq(v.token, tokenHash))))?.userId ?? null;

export const insertVerificationToken = (db: Db, values: typeof v.$inferInsert) => db.insert(v).values(values);

export const deleteVerificationTokens = (db: Db, userId: string) => db.delete(v).where(eq(v.userId, userId));

/** Uses the token up; of any number of calls at once, one gets true. */
export const takeVerificationToken = (db: Db, tokenHash: string, now: Date) =>
  hasChanged(db.delete(v).where(and(eq(v.token, tokenHash), gt(v.expiresAt, now))));

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

export const insertResetToken = (db: Db, values: typeof r.$inferInsert) => db.insert(r).values(values);

export const endResetTokens = (db: Db, userId: string) =>
  db
    .update(r)
    .set({ used: true })
    .where(and(eq(r.userId, userId), eq(r.used, false)));

/** Uses the token up; of any number of calls at once, one gets it, the others null. */
export const takeResetToken = (db: Db, tokenHash: string, now: Date) =>
  first(
    db
      .update(r)
      .set({ used: true })
      .where(and(eq(r.token, tokenHash), eq(r.used, false), gt(r.expiresAt, now)))
      .returning({ mailed: r.mailed }),
  );

const prune = (db: Db, table: PgTable, key: PgColumn, where: SQL | undefined) =>
  inBatches((limit) => deleteSome(db, table, key, where, limit));

/** Deletes what is over, and says how much of each; `now` is business time. */
export const deleteExpired = async (db: Db, now: Date) => {
  const today = realNow();
  return {
    // A tombstone keeps its session's expiry.
    sessions: await prune(db, sessions, sessions.sid, lt(sessions.expire, plus(today, -day))),
    verifications: await prune(db, v, v.id, lte(v.expiresAt, now)),
    resets: await prune(db, r, r.id, or(eq(r.used, true), lte(r.expiresAt, now))),
    emailChanges: await prune(db, c, c.id, and(isNull(c.confirmedAt), lte(c.expiresAt, now))),
    devices: await prune(db, rememberedDevices, rememberedDevices.id, lte(rememberedDevices.expiresAt, today)),
    limits: await prune(db, rateLimits, rateLimits.key, lt(rateLimits.expire, today.getTime())),
  };
};
