import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { usageAnalytics } from '#shared/schema/analytics.ts';
import { authTokens, tools, toolUsage } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

export const activeTools = (db: Db) => db.select().from(tools).where(eq(tools.isActive, true)).orderBy(asc(tools.name));

export async function toolById(db: Db, id: string) {
  const [row] = await db.select().from(tools).where(eq(tools.id, id)).limit(1);
  return row ?? null;
}

const recentUsage = (db: Db) =>
  db
    .select({
      id: toolUsage.id,
      toolId: toolUsage.toolId,
      sessionId: toolUsage.sessionId,
      createdAt: toolUsage.createdAt,
      lastAccessed: toolUsage.lastAccessed,
    })
    .from(toolUsage)
    .where(and(eq(toolUsage.userId, sql.placeholder('userId')), gte(toolUsage.lastAccessed, sql.placeholder('since'))))
    .orderBy(desc(toolUsage.lastAccessed), desc(toolUsage.id))
    .limit(sql.placeholder('limit'))
    .prepare('tools_recent_usage');

const preparedUsage = new WeakMap<Db, ReturnType<typeof recentUsage>>();

/** Every dashboard asks for this, so it is prepared: built once per database, parsed once per connection. */
export function usageSince(db: Db, userId: string, since: Date, limit: number) {
  const prepared = preparedUsage.get(db) ?? recentUsage(db);
  preparedUsage.set(db, prepared);
  return prepared.execute({ userId, since, limit });
}

type NewToken = Pick<typeof authTokens.$inferInsert, 'userId' | 'token' | 'toolId' | 'expiresAt' | 'createdAt'>;

export const insertLaunchToken = async (db: Db, token: NewToken) => {
  await db.insert(authTokens).values({ ...token, kind: 'launch' });
};

const bearer = {
  tokenId: authTokens.id,
  expiresAt: authTokens.expiresAt,
  userId: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  dealerGroup: users.dealerGroup,
};

/** A token that this tool may still present; whether a launch token is unused is decided by `consumeLaunchToken` alone. */
const presentable = (hash: string, toolId: string, now: Date) =>
  and(
    eq(authTokens.token, hash),
    eq(authTokens.toolId, toolId),
    eq(authTokens.isRevoked, false),
    gt(authTokens.expiresAt, now),
    eq(users.id, authTokens.userId),
    isNull(users.closedAt),
  );

export async function findBearer(db: Db, hash: string, toolId: string, now: Date) {
  const [row] = await db
    .select({ kind: authTokens.kind, ...bearer })
    .from(authTokens)
    .innerJoin(users, eq(users.id, authTokens.userId))
    .innerJoin(tools, and(eq(tools.id, authTokens.toolId), eq(tools.isActive, true)))
    .where(presentable(hash, toolId, now))
    .limit(1);
  return row ?? null;
}

/** Marks a launch token used, for one caller of however many: the others find no row. */
export async function consumeLaunchToken(db: Db, hash: string, toolId: string, now: Date) {
  const [row] = await db
    .update(authTokens)
    .set({ usedAt: now })
    .from(users)
    .where(and(presentable(hash, toolId, now), eq(authTokens.kind, 'launch'), isNull(authTokens.usedAt)))
    .returning(bearer);
  return row ?? null;
}

export const touchToken = async (db: Db, id: string, now: Date) => {
  await db.update(authTokens).set({ usedAt: now }).where(eq(authTokens.id, id));
};

/** Deletes at most `limit` launch tokens that ran out before `before`, and answers how many; keys stay, they are listed. */
export async function deleteLaunchTokens(db: Db, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ id: authTokens.id })
    .from(authTokens)
    .where(and(lt(authTokens.expiresAt, before), eq(authTokens.kind, 'launch')))
    .limit(limit);
  const deleted = await db.delete(authTokens).where(inArray(authTokens.id, old)).returning({ id: authTokens.id });
  return deleted.length;
}

export const insertSession = async (db: Db, session: typeof toolUsage.$inferInsert & { id: string }) => {
  await db.insert(toolUsage).values(session);
};

export async function sessionNamed(db: Db, sessionId: string) {
  const columns = { id: toolUsage.id, lastAccessed: toolUsage.lastAccessed };
  const [row] = await db.select(columns).from(toolUsage).where(eq(toolUsage.sessionId, sessionId)).limit(1);
  return row ?? null;
}

/** Opens the session of that name or marks it used, whoever comes first; answers its id. */
export async function upsertSession(
  db: Db,
  session: { userId: string; toolId: string; sessionId: string },
  now: Date,
): Promise<string> {
  const [row] = await db
    .insert(toolUsage)
    .values({ ...session, createdAt: now, lastAccessed: now })
    .onConflictDoUpdate({ target: toolUsage.sessionId, set: { lastAccessed: now } })
    .returning({ id: toolUsage.id });
  if (!row) throw new Error('the session was neither opened nor found');
  return row.id;
}

export async function knownEventIds(db: Db, toolId: string, eventIds: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ eventId: usageAnalytics.eventId })
    .from(usageAnalytics)
    .where(and(eq(usageAnalytics.toolId, toolId), inArray(usageAnalytics.eventId, eventIds)));
  return new Set(rows.map((row) => row.eventId));
}

/** This tool's sessions among `ids`, locked in one order so that simultaneous batches wait instead of deadlocking. */
export const lockSessions = (db: Db, toolId: string, ids: string[]) =>
  db
    .select({
      id: toolUsage.id,
      userId: toolUsage.userId,
      createdAt: toolUsage.createdAt,
      endedAt: toolUsage.endedAt,
    })
    .from(toolUsage)
    .where(and(eq(toolUsage.toolId, toolId), inArray(toolUsage.id, ids)))
    .orderBy(asc(toolUsage.id))
    .for('no key update');

/** Stores the events nobody stored before; answers their ids. */
export async function insertEvents(db: Db, events: (typeof usageAnalytics.$inferInsert)[]): Promise<Set<string>> {
  const rows = await db
    .insert(usageAnalytics)
    .values(events)
    .onConflictDoNothing({ target: [usageAnalytics.toolId, usageAnalytics.eventId] })
    .returning({ eventId: usageAnalytics.eventId });
  return new Set(rows.map((row) => row.eventId));
}

export const markSessionsEnded = async (db: Db, ids: string[], now: Date) => {
  await db.update(toolUsage).set({ lastAccessed: now, endedAt: now }).where(inArray(toolUsage.id, ids));
};

export const revokeTokens = async (db: Db, userIds: string[], toolId: string) => {
  if (userIds.length === 0) return;
  await db
    .update(authTokens)
    .set({ isRevoked: true })
    .where(and(inArray(authTokens.userId, userIds), eq(authTokens.toolId, toolId), eq(authTokens.isRevoked, false)));
};
