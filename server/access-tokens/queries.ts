import { and, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { authTokens } from '#shared/schema/tools.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { person, toolPerson } from '#server/people/service.ts';
import { type Db, deleteSome, first, only, pick } from '#server/platform/data/database.ts';
import { together } from '#server/platform/data/together.ts';

type NewToken = Pick<
  typeof authTokens.$inferInsert,
  'userId' | 'token' | 'toolId' | 'expiresAt' | 'createdAt' | 'fromCheck' | 'clientReference' | 'purpose'
>;

export const insertLaunchToken = (db: Db, token: NewToken) =>
  db.insert(authTokens).values({ ...token, kind: 'launch' });

const bearer = {
  tokenId: authTokens.id,
  expiresAt: authTokens.expiresAt,
  userId: toolPerson.id,
  ...pick(toolPerson, 'email', 'firstName', 'lastName', 'dealerGroup'),
  clientReference: authTokens.clientReference,
  purpose: authTokens.purpose,
};

/** This tool's token, of whoever may still open it. */
const presentable = (hash: string, toolId: string) =>
  and(
    eq(authTokens.token, hash),
    eq(authTokens.toolId, toolId),
    eq(authTokens.isRevoked, false),
    eq(toolPerson.id, authTokens.userId),
    isNull(toolPerson.suspendedAt),
  );

const findToken = together((db) => {
  const { token, kind, usedAt } = authTokens;
  const query = db
    .select({
      kind,
      token,
      toolId: catalogueTool.id,
      ...pick(catalogueTool, 'scopes', 'subjectSalt', 'stoppedAt'),
      usedAt,
      ...bearer,
    })
    .from(authTokens)
    .innerJoin(toolPerson, eq(toolPerson.id, authTokens.userId))
    // Only test advisers have an unpublished tool.
    .innerJoin(
      catalogueTool,
      and(eq(catalogueTool.id, authTokens.toolId), or(catalogueTool.isActive, isNotNull(toolPerson.testOf))),
    )
    .where(
      and(
        sql`${token} = any(${sql.placeholder('hashes')}::text[])`,
        eq(authTokens.isRevoked, false),
        isNull(toolPerson.suspendedAt),
      ),
    )
    .prepare('tokens');
  return async (hashes) => (await query.execute({ hashes })).map((row) => [row.token, row] as const);
});

/** Whom a token of this tool stands for, also once it has run out. Whether it is unused is for `consumeLaunchToken` alone to decide. */
export async function findBearer(db: Db, hash: string, toolId: string) {
  const found = await findToken(db, hash);
  return found?.toolId === toolId ? found : null;
}

/** Marks a launch token as used. Of any number of callers at once, one gets the person, the others null. */
export const consumeLaunchToken = (db: Db, hash: string, toolId: string, now: Date, exchangeKey: string | null) =>
  first(
    db
      .update(authTokens)
      .set({ usedAt: now, exchangeKey })
      .from(toolPerson)
      .where(
        and(
          presentable(hash, toolId),
          gt(authTokens.expiresAt, now),
          eq(authTokens.kind, 'launch'),
          isNull(authTokens.usedAt),
        ),
      )
      .returning(bearer),
  );

/** Whom a launch token stood for, if it was exchanged with this key since then, though it has run out; otherwise null. */
export const findExchanged = (db: Db, hash: string, toolId: string, exchangeKey: string, since: Date) =>
  first(
    db
      .select(bearer)
      .from(authTokens)
      .innerJoin(toolPerson, eq(toolPerson.id, authTokens.userId))
      .where(and(presentable(hash, toolId), eq(authTokens.exchangeKey, exchangeKey), gt(authTokens.usedAt, since))),
  );

export const touchToken = (db: Db, id: string, now: Date) =>
  db.update(authTokens).set({ usedAt: now }).where(eq(authTokens.id, id));

/** Deletes at most `limit` launch tokens that expired before `before`; returns how many. Keys stay, since they are listed. */
export const deleteLaunchTokens = (db: Db, before: Date, limit: number) =>
  deleteSome(
    db,
    authTokens,
    authTokens.id,
    and(lt(authTokens.expiresAt, before), eq(authTokens.kind, 'launch')),
    limit,
  );

type NewKey = { userId: string; toolId: string; token: string; lastFour: string; expiresAt: Date; createdAt: Date };

export const insertKey = async (db: Db, key: NewKey): Promise<string> => {
  const kind = 'api_key' as const;
  return (
    await only(
      db
        .insert(authTokens)
        .values({ ...key, kind })
        .returning(),
    )
  ).id;
};

/** Revokes the key; given `userId`, only if it is theirs. Of any number of callers at once, one gets it, the others null. */
export const revokeKey = (db: Db, id: string, userId?: string) =>
  first(
    db
      .update(authTokens)
      .set({ isRevoked: true })
      .where(
        and(
          eq(authTokens.id, id),
          eq(authTokens.kind, 'api_key'),
          eq(authTokens.isRevoked, false),
          userId === undefined ? undefined : eq(authTokens.userId, userId),
        ),
      )
      .returning({ userId: authTokens.userId, toolId: authTokens.toolId, lastFour: authTokens.lastFour }),
  );

/** Keys that are not revoked, newest first; only those of `userIds` where given. */
export const listKeys = (db: Db, limit: number, userIds?: string[]) =>
  db
    .select({
      id: authTokens.id,
      userId: person.id,
      userName: sql<string>`${person.firstName} || ' ' || ${person.lastName}`,
      userEmail: person.email,
      toolId: catalogueTool.id,
      toolName: catalogueTool.name,
      createdAt: authTokens.createdAt,
      expiresAt: authTokens.expiresAt,
      lastUsedAt: authTokens.usedAt,
      lastFour: authTokens.lastFour,
    })
    .from(authTokens)
    .innerJoin(person, eq(person.id, authTokens.userId))
    .innerJoin(catalogueTool, eq(catalogueTool.id, authTokens.toolId))
    .where(
      and(
        eq(authTokens.kind, 'api_key'),
        eq(authTokens.isRevoked, false),
        userIds && inArray(authTokens.userId, userIds),
      ),
    )
    .orderBy(desc(authTokens.createdAt), authTokens.id)
    .limit(limit);

export const launchesOf = (db: Db, toolId: string, limit: number) =>
  db
    .select({
      ...pick(authTokens, 'id', 'userId', 'createdAt'),
      exchangedAt: authTokens.usedAt,
      fromCheck: authTokens.fromCheck,
    })
    .from(authTokens)
    .where(and(eq(authTokens.toolId, toolId), eq(authTokens.kind, 'launch')))
    .orderBy(desc(authTokens.createdAt), desc(authTokens.id))
    .limit(limit);

/** What became of the tokens with these hashes, to explain a refusal to a tool's maker. */
export const tokensOf = (db: Db, hashes: string[]) =>
  db
    .select({
      hash: authTokens.token,
      ...pick(authTokens, 'userId', 'toolId', 'usedAt', 'expiresAt', 'isRevoked'),
    })
    .from(authTokens)
    .where(inArray(authTokens.token, hashes));

/** The tools for which this adviser has a token or key that still works. */
export async function toolsWithTokens(db: Db, userId: string, now: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ toolId: authTokens.toolId })
    .from(authTokens)
    .where(
      and(
        eq(authTokens.userId, userId),
        eq(authTokens.isRevoked, false),
        gt(authTokens.expiresAt, now),
        isNotNull(authTokens.toolId),
      ),
    );
  return rows.map(({ toolId }) => toolId!);
}

/** Ends this person's launches that no tool has exchanged yet. */
export const endLaunches = (db: Db, userId: string) =>
  db
    .update(authTokens)
    .set({ isRevoked: true })
    .where(and(eq(authTokens.userId, userId), eq(authTokens.kind, 'launch'), eq(authTokens.isRevoked, false)));

/** Revokes every token and key of this person; returns how many were keys. */
export async function revokeAllTokens(db: Db, userId: string): Promise<number> {
  const revoked = await db
    .update(authTokens)
    .set({ isRevoked: true })
    .where(and(eq(authTokens.userId, userId), eq(authTokens.isRevoked, false)))
    .returning({ kind: authTokens.kind });
  return revoked.filter(({ kind }) => kind === 'api_key').length;
}

/** Revokes this person's tokens and keys that were made since then. */
export const revokeTokensSince = (db: Db, userId: string, since: Date) =>
  db
    .update(authTokens)
    .set({ isRevoked: true })
    .where(and(eq(authTokens.userId, userId), gte(authTokens.createdAt, since), eq(authTokens.isRevoked, false)));

export const revokeTokens = async (db: Db, userIds: string[], toolIds: string[]) => {
  if (userIds.length === 0 || toolIds.length === 0) return;
  await db
    .update(authTokens)
    .set({ isRevoked: true })
    .where(
      and(inArray(authTokens.userId, userIds), inArray(authTokens.toolId, toolIds), eq(authTokens.isRevoked, false)),
    );
};
