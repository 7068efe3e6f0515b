import { and, desc, eq, getTableColumns, gt, isNull, sql } from 'drizzle-orm';
import type { MembershipType } from '#shared/rules/people/accounts.ts';
import type { ProfileField } from '#shared/rules/people/profile.ts';
import { sessions, users } from '#shared/schema/accounts.ts';
import { type Leaver, personalTables } from '#shared/schema/personal-data.ts';
import { endLaunches } from '#server/access-tokens/service.ts';
import { proveAddress } from '#server/people/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Db, first, only, violates } from '#server/platform/data/database.ts';
import { isReserved } from './queries-email.ts';

const { password: passwordColumn, ...actorFields } = getTableColumns(users);

/** The open account with this normalised address, and its password hash. */
export async function accountByEmail(db: Db, email: string): Promise<{ actor: ActorRow; hash: string } | null> {
  const [row] = await db
    .select({ ...actorFields, hash: passwordColumn })
    .from(users)
    .where(and(sql`lower(${users.email}) = ${email}`, isNull(users.closedAt)));
  if (!row) return null;
  const { hash, ...actor } = row;
  return { actor, hash };
}

/** Whether the address is another account's, or kept for one. */
export const isTaken = async (db: Db, email: string, exceptUserId: string, now: Date): Promise<boolean> =>
  (await accountByEmail(db, email)) !== null || isReserved(db, email, exceptUserId, now);

export async function passwordHash(db: Db, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ hash: passwordColumn })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.closedAt)));
  return row?.hash ?? null;
}

/** Writes an account's address; 409 if another has it, or may still take it back. Of two at once for one address, one succeeds. */
async function takeAddress(db: Db, at: Date, write: PromiseLike<ActorRow[]>): Promise<ActorRow> {
  try {
    const user = await only(write);
    // Checked after the write, since a change that frees the address may commit while the write waits for its row.
    if (await isReserved(db, user.email, user.id, at)) throw new AppError('email_taken');
    return user;
  } catch (error) {
    if (violates(error, 'users_email_unique')) throw new AppError('email_taken', { cause: error });
    throw error;
  }
}

export const insertUser = (db: Db, values: typeof users.$inferInsert & { createdAt: Date }) =>
  takeAddress(db, values.createdAt, db.insert(users).values(values).returning(actorFields));

type Address = {
  email: string;
  membershipType: MembershipType;
  emailVerified: boolean;
  emailProvedAt: Date | null;
};

export const setEmail = (db: Db, userId: string, change: Address, at: Date) =>
  takeAddress(
    db,
    at,
    db
      .update(users)
      .set({ ...change, updatedAt: at })
      .where(eq(users.id, userId))
      .returning(actorFields),
  );

/** Replaces the hash with a stronger one of the same password, unless the password was changed in the meantime. */
export const replaceHash = (db: Db, userId: string, from: string, to: string) =>
  db
    .update(users)
    .set({ password: to })
    .where(and(eq(users.id, userId), eq(users.password, from)));

/** Columns of the profile; an undefined one is left unchanged. */
export type ProfileColumns = Partial<Pick<typeof users.$inferInsert, ProfileField>>;

/** Stores the profile of an account that has none; null if it is already complete. */
export const completeUser = (db: Db, userId: string, profile: ProfileColumns, at: Date) =>
  first(
    db
      .update(users)
      .set({ ...profile, profileCompleted: true, updatedAt: at })
      .where(and(eq(users.id, userId), eq(users.profileCompleted, false)))
      .returning(actorFields),
  );

export const updateProfile = (db: Db, userId: string, change: ProfileColumns, at: Date) =>
  first(
    db
      .update(users)
      .set({ ...change, updatedAt: at })
      .where(and(eq(users.id, userId), isNull(users.closedAt)))
      .returning(actorFields),
  );

const openUser = (db: Db, userId: string) =>
  db
    .select(actorFields)
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.closedAt)));
export const findOpenUser = (db: Db, userId: string) => first(openUser(db, userId));
/** Locks an open account, so that changes to its password, address or existence follow one another. */
export const lockOpenUser = (db: Db, userId: string) => first(openUser(db, userId).for('no key update'));
/** As `lockOpenUser`, for whoever is signed in to the account; 401 if something has signed them out since their request came. */
export async function lockSignedIn(db: Db, { id, authEpoch }: ActorRow): Promise<ActorRow> {
  const user = await lockOpenUser(db, id);
  if (user?.authEpoch !== authEpoch) throw new AppError('unauthorized');
  return user;
}
/** As `lockOpenUser`, for an administrator: 404 if there is no such account. */
export const lockUserFor = (db: Db, userId: string): Promise<ActorRow> =>
  orRefuse(lockOpenUser(db, userId), 'user_not_found');

/** Marks the address proved and verified. The first time, a partner's address makes a standard account a partner's. */
export async function markProved(db: Db, owner: ActorRow, isPartner: boolean, at: Date): Promise<ActorRow> {
  await proveAddress(db, owner, isPartner, at);
  return only(db.select(actorFields).from(users).where(eq(users.id, owner.id)));
}

/** What may change in the same update that ends every session. */
type SessionEnd = Partial<
  Pick<
    typeof users.$inferInsert,
    'password' | 'mustChangePassword' | 'hasSecondFactor' | 'isAdmin' | 'suspendedAt' | 'suspendedFor' | 'chargesPaused'
  >
>;

/** Raises the epoch, which ends every existing session on every replica, and makes `change` with it; unused launches end, too. Returns the new epoch. */
export async function endAllSessions(db: Db, userId: string, at: Date, change: SessionEnd = {}): Promise<number> {
  const [row] = await db
    .update(users)
    .set({ ...change, authEpoch: sql`${users.authEpoch} + 1`, updatedAt: at })
    .where(eq(users.id, userId))
    .returning({ authEpoch: users.authEpoch });
  await endLaunches(db, userId);
  return row!.authEpoch;
}

/** Stores the hash and ends every session; returns the new epoch. */
export const setPassword = (db: Db, userId: string, hash: string, at: Date): Promise<number> =>
  endAllSessions(db, userId, at, { password: hash, mustChangePassword: false });

/** An arbitrary number, the same in every process. */
const setupLock = 7_301_001;

/** Waits for whoever else makes the first administrator or takes one away; held until the transaction ends. */
export const lockSetup = (tx: Db) => tx.execute(sql`select pg_advisory_xact_lock(${setupLock})`);

export const hasAdmin = async (db: Db): Promise<boolean> =>
  (await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1)).length > 0;

/** Whether this is the only administrator who can sign in. */
export const isLastAdmin = async (db: Db, userId: string): Promise<boolean> => {
  const admins = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isAdmin, true), isNull(users.suspendedAt)))
    .limit(2);
  return admins.length === 1 && admins[0]?.id === userId;
};

/** Erases the person from every table, as each of them declares, and marks the account closed. */
export async function eraseIdentity(tx: Db, leaver: Leaver, at: Date): Promise<void> {
  // Statements are append-only; this setting, naming the person, lets theirs be erased (triggers/append-only-record.sql).
  await tx.execute(sql`select set_config('record.erasing', ${`person ${leaver.id}`}, true)`);
  for (const { table, handling, rows, erasure } of personalTables) {
    if ('delete' in handling) await tx.delete(table).where(rows(leaver));
    else if (Object.keys(erasure).length > 0) await tx.update(table).set(erasure).where(rows(leaver));
  }
  await tx
    .update(users)
    .set({ closedAt: at, updatedAt: at, authEpoch: sql`${users.authEpoch} + 1` })
    .where(eq(users.id, leaver.id));
}

const s = sessions;

/** The account's live sessions, last used first, by the same rule as the session store. `life` is in seconds. */
export const liveSessions = (db: Db, userId: string, authEpoch: number, life: { idle: number; absolute: number }) =>
  db
    .select({ sid: s.sid, id: s.publicId, device: s.device, createdAt: s.createdAt, lastSeenAt: s.lastSeenAt })
    .from(s)
    .where(
      and(
        eq(s.userId, userId),
        eq(s.authEpoch, authEpoch),
        isNull(s.destroyedAt),
        gt(s.expire, sql`now()`),
        sql`${s.lastSeenAt} > now() - make_interval(secs => ${life.idle})`,
        sql`${s.createdAt} > now() - make_interval(secs => ${life.absolute})`,
      ),
    )
    .orderBy(desc(s.lastSeenAt), s.publicId);

const tombstone = { destroyedAt: sql`now()`, sess: {}, userId: null, device: null };

/** Ends one session of this account; returns its stored id, or null if the account has no such session. */
export async function destroySession(db: Db, userId: string, publicId: string): Promise<string | null> {
  const [ended] = await db
    .update(s)
    .set(tombstone)
    .where(and(eq(s.publicId, publicId), eq(s.userId, userId), isNull(s.destroyedAt)))
    .returning({ sid: s.sid });
  return ended?.sid ?? null;
}
