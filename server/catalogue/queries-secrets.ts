import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { toolSecrets } from '#shared/schema/tools.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const s = toolSecrets;
type Kind = (typeof s.$inferSelect)['kind'];
type NewSecret = { toolId: string; secretHash: string; kind?: Kind; sealed?: string; name?: string };

/** Stores a secret; a known one becomes live again. */
export const insertSecret = (db: Db, secret: NewSecret, now: Date) =>
  db
    .insert(s)
    .values({ ...secret, createdAt: now })
    .onConflictDoUpdate({ target: s.secretHash, set: { revokedAt: null } });

/** The sealed secrets that a tool's events are signed with, the newest first. */
export const signingSecretsOf = (db: Db, toolId: string) =>
  db
    .select({ sealed: s.sealed })
    .from(s)
    .where(and(eq(s.toolId, toolId), eq(s.kind, 'signing'), isNull(s.revokedAt)))
    .orderBy(desc(s.createdAt), desc(s.id));

/** Every live one, to be resealed. */
export const allSigningSecrets = (db: Db) =>
  db
    .select({ id: s.id, toolId: s.toolId, sealed: s.sealed })
    .from(s)
    .where(and(eq(s.kind, 'signing'), isNull(s.revokedAt)));

export const replaceSealed = (db: Db, id: string, sealed: string) => db.update(s).set({ sealed }).where(eq(s.id, id));

export const liveSecretsOf = (db: Db, toolId: string) =>
  db
    .select({ id: s.id, kind: s.kind, name: s.name, createdAt: s.createdAt, lastUsedAt: s.lastUsedAt })
    .from(s)
    .where(and(eq(s.toolId, toolId), isNull(s.revokedAt)))
    .orderBy(desc(s.createdAt), desc(s.id));

/** Which kind of secret of this tool has one of these hashes. */
export const kindAmong = async (db: Db, toolId: string, hashes: string[]): Promise<Kind | undefined> => {
  const among = sql`${s.secretHash} = any(${sql.param(hashes)}::text[])`;
  const found = db
    .select({ kind: s.kind })
    .from(s)
    .where(and(eq(s.toolId, toolId), isNull(s.revokedAt), among))
    .limit(1);
  return (await first(found))?.kind;
};

export const revokeSecret = (db: Db, toolId: string, id: string, now: Date) =>
  first(
    db
      .update(s)
      .set({ revokedAt: now })
      .where(and(eq(s.id, id), eq(s.toolId, toolId), isNull(s.revokedAt)))
      .returning({ kind: s.kind, name: s.name }),
  );

/** Which of these hashes are revoked secrets, and of which tool. */
export const revokedSecretsAmong = async (db: Db, hashes: string[]): Promise<Map<string, string>> => {
  const rows = await db
    .select({ hash: s.secretHash, toolId: s.toolId })
    .from(s)
    .where(and(sql`${s.secretHash} = any(${sql.param(hashes)}::text[])`, isNotNull(s.revokedAt)));
  return new Map(rows.map(({ hash, toolId }) => [hash, toolId]));
};
