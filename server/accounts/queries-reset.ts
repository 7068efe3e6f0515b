import { and, eq, gt, sql } from 'drizzle-orm';
import { passwordResetTokens, users } from '#shared/schema/accounts.ts';
import type { Db } from '#server/platform/database.ts';

const t = passwordResetTokens;

/** Whose live reset token this is. Whether it may be used is decided by `takeResetToken` alone. */
export async function ownerOfResetToken(db: Db, tokenHash: string, now: Date): Promise<string | null> {
  const [row] = await db
    .select({ userId: t.userId })
    .from(t)
    .where(and(eq(t.token, tokenHash), eq(t.used, false), gt(t.expiresAt, now)));
  return row?.userId ?? null;
}

export const insertResetToken = async (db: Db, values: typeof t.$inferInsert) => {
  await db.insert(t).values(values);
};

/** Ends every reset link of this account. */
export const endResetTokens = async (db: Db, userId: string) => {
  await db
    .update(t)
    .set({ used: true })
    .where(and(eq(t.userId, userId), eq(t.used, false)));
};

/** Uses the token up: of any number at once, one gets true. */
export async function takeResetToken(db: Db, tokenHash: string, now: Date): Promise<boolean> {
  const taken = await db
    .update(t)
    .set({ used: true })
    .where(and(eq(t.token, tokenHash), eq(t.used, false), gt(t.expiresAt, now)))
    .returning({ id: t.id });
  return taken.length === 1;
}

/** Stores the hash and raises the epoch: every session of before is dead on every replica. Answers the new epoch. */
export async function setPassword(db: Db, userId: string, hash: string, at: Date): Promise<number> {
  const [row] = await db
    .update(users)
    .set({ password: hash, authEpoch: sql`${users.authEpoch} + 1`, updatedAt: at })
    .where(eq(users.id, userId))
    .returning({ authEpoch: users.authEpoch });
  return row!.authEpoch;
}
