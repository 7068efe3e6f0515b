import { and, eq, gt, inArray, isNotNull } from 'drizzle-orm';
import { authTokens } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

/** The tools this adviser holds a token or key for that still works. */
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

export const revokeTokens = (db: Db, userId: string, toolIds: string[]) =>
  db
    .update(authTokens)
    .set({ isRevoked: true })
    .where(and(eq(authTokens.userId, userId), inArray(authTokens.toolId, toolIds)));
