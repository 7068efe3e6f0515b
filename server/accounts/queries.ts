import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { emailVerificationTokens, passwordResetTokens, sessions, users } from '#shared/schema/accounts.ts';
import type { Db } from '#server/platform/database.ts';

type UserRow = typeof users.$inferSelect;
export type NewUser = Pick<typeof users.$inferInsert, 'email' | 'password' | 'firstName' | 'lastName'>;
export type Profile = Partial<Omit<UserRow, 'id' | 'email' | 'password' | 'isAdmin'>>;

export const userByEmail = async (db: Db, email: string): Promise<UserRow | null> =>
  (
    await db
      .select()
      .from(users)
      .where(sql`lower(${users.email}) = ${email}`)
      .limit(1)
  )[0] ?? null;

export const insertUser = async (db: Db, user: NewUser, now: Date): Promise<UserRow> => {
  const [row] = await db
    .insert(users)
    .values({ ...user, createdAt: now, updatedAt: now })
    .returning();
  return row!;
};

export const setPassword = (db: Db, id: string, password: string) =>
  db.update(users).set({ password }).where(eq(users.id, id));

/** Stores the profile once; null when it was complete already. */
export const completeProfile = async (db: Db, id: string, profile: Profile, now: Date): Promise<UserRow | null> => {
  const open = and(eq(users.id, id), eq(users.profileCompleted, false));
  const [row] = await db
    .update(users)
    .set({ ...profile, profileCompleted: true, updatedAt: now })
    .where(open)
    .returning();
  return row ?? null;
};

/** A new verification token replaces every older one of its user. */
export const replaceVerificationToken = async (db: Db, userId: string, token: string, expiresAt: Date) => {
  await db.delete(emailVerificationTokens).where(eq(emailVerificationTokens.userId, userId));
  await db.insert(emailVerificationTokens).values({ userId, token, expiresAt });
};

/** Takes a live token: of a hundred at once, one gets the user's id. */
export const takeVerificationToken = async (db: Db, token: string, now: Date): Promise<string | null> => {
  const live = and(eq(emailVerificationTokens.token, token), gt(emailVerificationTokens.expiresAt, now));
  const [row] = await db
    .delete(emailVerificationTokens)
    .where(live)
    .returning({ userId: emailVerificationTokens.userId });
  return row?.userId ?? null;
};

/** Marks the address as verified; a partner's address changes a standard membership, never another (decisions §3). */
export const markVerified = async (
  db: Db,
  id: string,
  isPartner: (email: string) => boolean,
  now: Date,
): Promise<UserRow> => {
  const [before] = await db.select().from(users).where(eq(users.id, id)).for('update');
  const membershipType =
    before!.membershipType === 'standard' && isPartner(before!.email) ? 'shaw_partners' : before!.membershipType;
  const [row] = await db
    .update(users)
    .set({ emailVerified: true, membershipType, updatedAt: now })
    .where(eq(users.id, id))
    .returning();
  return row!;
};

const batch = 1000;

/** Deletes what nothing can use any more, a batch at a time; answers how many rows went. */
export async function pruneBatch(db: Db, now: Date): Promise<number> {
  const dead = sql<string>`coalesce(${sessions.destroyedAt}, ${sessions.expire}) < now() - interval '1 day'`;
  const verification = db
    .select({ id: emailVerificationTokens.id })
    .from(emailVerificationTokens)
    .where(lt(emailVerificationTokens.expiresAt, now))
    .limit(batch);
  const reset = db
    .select({ id: passwordResetTokens.id })
    .from(passwordResetTokens)
    .where(lt(passwordResetTokens.expiresAt, now))
    .limit(batch);
  const ended = db.select({ sid: sessions.sid }).from(sessions).where(dead).limit(batch);
  const gone = [
    await db.delete(emailVerificationTokens).where(inArray(emailVerificationTokens.id, verification)),
    await db.delete(passwordResetTokens).where(inArray(passwordResetTokens.id, reset)),
    await db.delete(sessions).where(inArray(sessions.sid, ended)),
  ];
  return gone.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
}
