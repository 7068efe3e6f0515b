import { and, eq, getTableColumns, gt, inArray, isNull, lt, lte, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { emailVerificationTokens, passwordResetTokens, sessions, users } from '#shared/schema/accounts.ts';
import { rateLimits } from '#shared/schema/platform.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import type { Db } from '#server/platform/database.ts';

const { password: passwordColumn, ...actorFields } = getTableColumns(users);

/** The name of the unique index on lower(email). */
export const emailIsUnique = 'users_email_unique';

/** The open account of a normalised address, with its password's hash. */
export async function accountByEmail(db: Db, email: string): Promise<{ actor: ActorRow; hash: string } | null> {
  const [row] = await db
    .select({ ...actorFields, hash: passwordColumn })
    .from(users)
    .where(and(sql`lower(${users.email}) = ${email}`, isNull(users.closedAt)));
  if (!row) return null;
  const { hash, ...actor } = row;
  return { actor, hash };
}

/** The hash of an open account's password. */
export async function passwordHash(db: Db, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ hash: passwordColumn })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.closedAt)));
  return row?.hash ?? null;
}

export async function insertUser(db: Db, values: typeof users.$inferInsert): Promise<ActorRow> {
  const [row] = await db.insert(users).values(values).returning(actorFields);
  return row!;
}

/** Replaces the hash by a stronger one of the same password; one that was changed meanwhile stays. */
export const replaceHash = (db: Db, userId: string, from: string, to: string) =>
  db
    .update(users)
    .set({ password: to })
    .where(and(eq(users.id, userId), eq(users.password, from)));

type Profile = Pick<
  typeof users.$inferInsert,
  | 'mobile'
  | 'businessName'
  | 'businessAddress'
  | 'businessCity'
  | 'businessState'
  | 'businessPostcode'
  | 'afslNumber'
  | 'dealerGroup'
  | 'abn'
  | 'professionalCredentials'
  | 'specializationAreas'
>;

/** Stores the profile of an account that has none; null if it is complete already. */
export async function completeUser(db: Db, userId: string, profile: Profile, at: Date): Promise<ActorRow | null> {
  const [row] = await db
    .update(users)
    .set({ ...profile, profileCompleted: true, updatedAt: at })
    .where(and(eq(users.id, userId), eq(users.profileCompleted, false)))
    .returning(actorFields);
  return row ?? null;
}

type ProfileChange = Partial<Profile> & Partial<Pick<typeof users.$inferInsert, 'firstName' | 'lastName'>>;

/** Changes the given columns of an open account; an undefined one stays. */
export async function updateProfile(db: Db, userId: string, change: ProfileChange, at: Date): Promise<ActorRow | null> {
  const [row] = await db
    .update(users)
    .set({ ...change, updatedAt: at })
    .where(and(eq(users.id, userId), isNull(users.closedAt)))
    .returning(actorFields);
  return row ?? null;
}

/** Locks the account, so that a verification and a new link for it happen one after the other. */
export async function lockUser(db: Db, userId: string): Promise<ActorRow | null> {
  const [row] = await db.select(actorFields).from(users).where(eq(users.id, userId)).for('no key update');
  return row ?? null;
}

export async function ownerOfToken(db: Db, tokenHash: string): Promise<string | null> {
  const [row] = await db
    .select({ userId: emailVerificationTokens.userId })
    .from(emailVerificationTokens)
    .where(eq(emailVerificationTokens.token, tokenHash));
  return row?.userId ?? null;
}

export const insertVerificationToken = (db: Db, values: typeof emailVerificationTokens.$inferInsert) =>
  db.insert(emailVerificationTokens).values(values);

export const deleteVerificationTokens = (db: Db, userId: string) =>
  db.delete(emailVerificationTokens).where(eq(emailVerificationTokens.userId, userId));

/** Uses the token up: of any number at once, one gets true. */
export async function takeVerificationToken(db: Db, tokenHash: string, now: Date): Promise<boolean> {
  const taken = await db
    .delete(emailVerificationTokens)
    .where(and(eq(emailVerificationTokens.token, tokenHash), gt(emailVerificationTokens.expiresAt, now)))
    .returning({ id: emailVerificationTokens.id });
  return taken.length === 1;
}

/** Marks the address verified; a partner's address makes a standard account a partner's. */
export async function markVerified(db: Db, userId: string, isPartner: boolean, at: Date): Promise<ActorRow> {
  const partner = sql`case when ${users.membershipType} = 'standard' then 'shaw_partners' else ${users.membershipType} end`;
  const [row] = await db
    .update(users)
    .set({ emailVerified: true, updatedAt: at, ...(isPartner && { membershipType: partner }) })
    .where(eq(users.id, userId))
    .returning(actorFields);
  return row!;
}

/** Deletes at most `limit` rows; answers how many. */
async function deleteSome(db: Db, table: PgTable, key: PgColumn, where: SQL | undefined, limit: number) {
  const some = db.select({ key }).from(table).where(where).limit(limit);
  return (await db.delete(table).where(inArray(key, some))).rowCount ?? 0;
}

/** Sessions whose time ended before `before`; a tombstone keeps the time its session had. */
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

/** Limits whose time is over. */
export const pruneLimits = (db: Db, now: Date, limit: number) =>
  deleteSome(db, rateLimits, rateLimits.key, lt(rateLimits.expire, now.getTime()), limit);
