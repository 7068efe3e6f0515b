import { and, asc, count, eq, gt, gte, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { factorResets, recoveryCodes, rememberedDevices, secondFactors } from '#shared/schema/factors.ts';
import { type Db, first, hasChanged } from '#server/platform/data/database.ts';

const f = secondFactors;
const d = rememberedDevices;

export const factorsOf = (db: Db, userId: string) =>
  db.select().from(f).where(eq(f.userId, userId)).orderBy(asc(f.createdAt), asc(f.id));

/** Since when this person has had the oldest of their factors; null without one. */
export const factorSince = async (db: Db, userId: string): Promise<Date | null> =>
  (await factorsOf(db, userId))[0]?.createdAt ?? null;

export const insertFactor = (db: Db, values: typeof f.$inferInsert) => db.insert(f).values(values);

/** Returns its name; null if this account has none with that id. */
export const deleteFactor = (db: Db, userId: string, id: string) =>
  first(
    db
      .delete(f)
      .where(and(eq(f.id, id), eq(f.userId, userId)))
      .returning({ name: f.name }),
  );

/** Removes every factor and what depends on them; returns whether there was one. */
export async function deleteAllFactors(db: Db, userId: string): Promise<boolean> {
  const had = await hasChanged(db.delete(f).where(eq(f.userId, userId)));
  await forgetWithoutFactors(db, userId);
  return had;
}

/** Removes the factors and recovery codes made since then; returns whether a factor is left. */
export async function deleteFactorsSince(db: Db, userId: string, since: Date): Promise<boolean> {
  await db.delete(f).where(and(eq(f.userId, userId), gte(f.createdAt, since)));
  await db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), gte(recoveryCodes.createdAt, since)));
  return (await factorsOf(db, userId)).length > 0;
}

/** Removes recovery codes, devices and a waiting reset, which mean nothing once the last factor is gone. */
export async function forgetWithoutFactors(db: Db, userId: string): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await forgetDevices(db, userId);
  await db.delete(factorResets).where(eq(factorResets.userId, userId));
  await db.update(users).set({ hasSecondFactor: false }).where(eq(users.id, userId));
}

/** Uses up an app's code and all earlier ones; of any number of calls at once, one gets true. */
export const takeStep = (db: Db, id: string, step: number, at: Date) =>
  hasChanged(
    db
      .update(f)
      .set({ lastStep: step, lastUsedAt: at })
      .where(and(eq(f.id, id), or(isNull(f.lastStep), lt(f.lastStep, step)))),
  );

/** The encrypted secrets of authenticator apps, in the order of their ids. */
export async function appsAfter(db: Db, after: string | null, limit: number) {
  const rows = await db
    .select({ id: f.id, userId: f.userId, secret: f.secret })
    .from(f)
    .where(and(isNotNull(f.secret), after === null ? undefined : gt(f.id, after)))
    .orderBy(asc(f.id))
    .limit(limit);
  return rows.map(({ secret, ...row }) => ({ ...row, secret: secret! }));
}

/** Stores the same secret, encrypted anew; false if the row has changed or gone since it was read. */
export const replaceSecret = (db: Db, id: string, from: string, to: string) =>
  hasChanged(
    db
      .update(f)
      .set({ secret: to })
      .where(and(eq(f.id, id), eq(f.secret, from))),
  );

export const passkeyOf = (db: Db, credentialId: string) =>
  first(db.select().from(f).where(eq(f.credentialId, credentialId)));

/** Notes a use of a passkey; false if another use was noted since the count was read. */
export const takeSignCount = (db: Db, id: string, from: number, to: number, at: Date) =>
  hasChanged(
    db
      .update(f)
      .set({ signCount: to, lastUsedAt: at })
      .where(and(eq(f.id, id), eq(f.signCount, from))),
  );

export async function replaceCodes(db: Db, userId: string, codes: string[], at: Date): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await db.insert(recoveryCodes).values(codes.map((code) => ({ userId, code, createdAt: at })));
}

export async function codesLeft(db: Db, userId: string): Promise<number> {
  const [row] = await db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  return row?.left ?? 0;
}

/** Uses up a recovery code; of any number of calls at once, one gets true. */
export const takeCode = (db: Db, userId: string, code: string) =>
  hasChanged(db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.code, code))));

/** Devices that may still skip the second factor. */
const remembered = (userId: string, authEpoch: number) =>
  and(eq(d.userId, userId), eq(d.authEpoch, authEpoch), gt(d.expiresAt, sql`now()`));

export const devicesOf = (db: Db, userId: string, authEpoch: number) =>
  db.select().from(d).where(remembered(userId, authEpoch)).orderBy(asc(d.createdAt));

export const insertDevice = (db: Db, values: typeof d.$inferInsert) => db.insert(d).values(values);

/** Notes a use of this device; false if it is not remembered. */
export const noteDeviceUse = (db: Db, userId: string, authEpoch: number, token: string) =>
  hasChanged(
    db
      .update(d)
      .set({ lastUsedAt: sql`now()` })
      .where(and(remembered(userId, authEpoch), eq(d.token, token))),
  );

export const forgetDevices = (db: Db, userId: string) => db.delete(d).where(eq(d.userId, userId));

export const deleteDevice = (db: Db, userId: string, id: string) =>
  hasChanged(db.delete(d).where(and(eq(d.id, id), eq(d.userId, userId))));

export const resetOf = (db: Db, userId: string) =>
  first(db.select().from(factorResets).where(eq(factorResets.userId, userId)));

/** Asking again restarts the wait. */
export const insertReset = (db: Db, { userId, ...values }: typeof factorResets.$inferInsert) =>
  db
    .insert(factorResets)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: factorResets.userId, set: values });

export const deleteReset = (db: Db, userId: string, stopToken: string) =>
  hasChanged(
    db.delete(factorResets).where(and(eq(factorResets.userId, userId), eq(factorResets.stopToken, stopToken))),
  );

export const dueResets = (db: Db, at: Date) =>
  db.select({ userId: factorResets.userId }).from(factorResets).where(lte(factorResets.dueAt, at)).limit(100);
