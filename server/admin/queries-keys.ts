import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { authTokens, tools } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

/** Keys that are not revoked, newest first; of these users only, if told. */
export const listKeys = (db: Db, limit: number, userIds?: string[]) =>
  db
    .select({
      id: authTokens.id,
      userId: users.id,
      userName: sql<string>`${users.firstName} || ' ' || ${users.lastName}`,
      userEmail: users.email,
      toolId: tools.id,
      toolName: tools.name,
      createdAt: authTokens.createdAt,
      expiresAt: authTokens.expiresAt,
      lastUsedAt: authTokens.usedAt,
      lastFour: authTokens.lastFour,
    })
    .from(authTokens)
    .innerJoin(users, eq(users.id, authTokens.userId))
    .innerJoin(tools, eq(tools.id, authTokens.toolId))
    .where(
      and(
        eq(authTokens.kind, 'api_key'),
        eq(authTokens.isRevoked, false),
        userIds && inArray(authTokens.userId, userIds),
      ),
    )
    .orderBy(desc(authTokens.createdAt), authTokens.id)
    .limit(limit);

export async function activeTool(db: Db, id: string) {
  const [row] = await db
    .select({ id: tools.id, name: tools.name })
    .from(tools)
    .where(and(eq(tools.id, id), eq(tools.isActive, true)));
  return row ?? null;
}

type NewKey = { userId: string; toolId: string; token: string; lastFour: string; expiresAt: Date; createdAt: Date };

export async function insertKey(db: Db, key: NewKey): Promise<string> {
  const [row] = await db
    .insert(authTokens)
    .values({ ...key, kind: 'api_key' })
    .returning({ id: authTokens.id });
  return row!.id;
}

/** Ends the key; of any number of callers at once one gets it, the others null. */
export async function revokeKey(db: Db, id: string) {
  const [row] = await db
    .update(authTokens)
    .set({ isRevoked: true })
    .where(and(eq(authTokens.id, id), eq(authTokens.kind, 'api_key'), eq(authTokens.isRevoked, false)))
    .returning({ userId: authTokens.userId, toolId: authTokens.toolId, lastFour: authTokens.lastFour });
  return row ?? null;
}
