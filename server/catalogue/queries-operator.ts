import { and, desc, eq, isNull, ne, notInArray } from 'drizzle-orm';
import { tools, toolSecrets } from '#shared/schema/tools.ts';
import { type Db, first } from '#server/platform/database.ts';

/** Locks one tool, so that changes to it follow each other; null for an unknown one. */
export const lockTool = (db: Db, id: string) =>
  first(db.select({ domain: tools.domain }).from(tools).where(eq(tools.id, id)).for('no key update'));

/** Stores a secret's hash; a known one becomes live again. */
export const insertSecret = async (db: Db, toolId: string, secretHash: string, now: Date) => {
  await db
    .insert(toolSecrets)
    .values({ toolId, secretHash, createdAt: now })
    .onConflictDoUpdate({ target: toolSecrets.secretHash, set: { revokedAt: null } });
};

/** Revokes all live secrets of a tool but the newest `keep`, not counting `exempt`; answers how many. */
export async function revokeOlderSecrets(
  db: Db,
  { toolId, keep, exempt, now }: { toolId: string; keep: number; exempt: string | null; now: Date },
): Promise<number> {
  const counted = and(
    eq(toolSecrets.toolId, toolId),
    isNull(toolSecrets.revokedAt),
    exempt === null ? undefined : ne(toolSecrets.secretHash, exempt),
  );
  const newest = await db
    .select({ id: toolSecrets.id })
    .from(toolSecrets)
    .where(counted)
    .orderBy(desc(toolSecrets.createdAt), desc(toolSecrets.id))
    .limit(keep);
  const kept = newest.map((secret) => secret.id);
  const revoked = await db
    .update(toolSecrets)
    .set({ revokedAt: now })
    .where(and(counted, notInArray(toolSecrets.id, kept)))
    .returning({ id: toolSecrets.id });
  return revoked.length;
}

export const updateDomain = async (db: Db, id: string, domain: string) => {
  await db.update(tools).set({ domain }).where(eq(tools.id, id));
};
