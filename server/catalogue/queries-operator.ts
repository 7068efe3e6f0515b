import { and, desc, eq, isNull } from 'drizzle-orm';
import { tools, toolSecrets } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/data/database.ts';

type Kind = (typeof toolSecrets.$inferSelect)['kind'];
type NewSecret = { toolId: string; secretHash: string; kind?: Kind; sealed?: string; name?: string };

/** Stores a secret; a known one becomes live again. */
export const insertSecret = async (db: Db, secret: NewSecret, now: Date) => {
  await db
    .insert(toolSecrets)
    .values({ ...secret, createdAt: now })
    .onConflictDoUpdate({ target: toolSecrets.secretHash, set: { revokedAt: null } });
};

export const updateTool = async (db: Db, id: string, change: Partial<typeof tools.$inferInsert>) => {
  await db.update(tools).set(change).where(eq(tools.id, id));
};

/** The sealed secrets that a tool's events are signed with, the newest first. */
export const signingSecretsOf = (db: Db, toolId: string) =>
  db
    .select({ sealed: toolSecrets.sealed })
    .from(toolSecrets)
    .where(and(eq(toolSecrets.toolId, toolId), eq(toolSecrets.kind, 'signing'), isNull(toolSecrets.revokedAt)))
    .orderBy(desc(toolSecrets.createdAt), desc(toolSecrets.id));

/** Every live one, to be resealed. */
export const allSigningSecrets = (db: Db) =>
  db
    .select({ id: toolSecrets.id, toolId: toolSecrets.toolId, sealed: toolSecrets.sealed })
    .from(toolSecrets)
    .where(and(eq(toolSecrets.kind, 'signing'), isNull(toolSecrets.revokedAt)));

export const replaceSealed = async (db: Db, id: string, sealed: string) => {
  await db.update(toolSecrets).set({ sealed }).where(eq(toolSecrets.id, id));
};
