import { and, desc, eq, isNull, ne, notInArray } from 'drizzle-orm';
import { discountTiers } from '#shared/schema/subscriptions.ts';
import { tools, toolSecrets } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

export const insertMissingTools = async (db: Db, rows: (typeof tools.$inferInsert)[]) => {
  await db.insert(tools).values(rows).onConflictDoNothing();
};

export async function insertFirstTiers(db: Db, rows: (typeof discountTiers.$inferInsert)[]): Promise<void> {
  if ((await db.select({ id: discountTiers.id }).from(discountTiers).limit(1)).length > 0) return;
  await db.insert(discountTiers).values(rows).onConflictDoNothing();
}

/** Serialises those who change one tool; null for an unknown one. */
export async function lockTool(db: Db, id: string) {
  const columns = { id: tools.id, domain: tools.domain };
  const [row] = await db.select(columns).from(tools).where(eq(tools.id, id)).for('no key update');
  return row ?? null;
}

/** Stores a secret's hash; one that is known already becomes live again. */
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
