import { and, asc, count, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { tools, toolSecrets } from '#shared/schema/tools.ts';
import { type Db, first } from '#server/platform/data/database.ts';

export type ToolRow = typeof tools.$inferSelect;
const s = toolSecrets;

/** Adds a tool under the wished id, else the first free one of `ID-2`, `ID-3`, …; returns the row. */
export async function insertTool(
  db: Db,
  wished: string,
  values: Omit<typeof tools.$inferInsert, 'id'>,
): Promise<ToolRow> {
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? wished : `${wished}-${number}`;
    const [row] = await db
      .insert(tools)
      .values({ ...values, id })
      .onConflictDoNothing()
      .returning();
    if (row) return row;
  }
}

/** The tools this person registered, by name. */
export const toolsOf = (db: Db, ownerId: string) =>
  db.select().from(tools).where(eq(tools.ownerId, ownerId)).orderBy(asc(tools.name), asc(tools.id));

const isDraftOf = (ownerId: string) => and(eq(tools.ownerId, ownerId), eq(tools.isActive, false));

export const countDrafts = async (db: Db, ownerId: string): Promise<number> =>
  (await db.select({ number: count() }).from(tools).where(isDraftOf(ownerId)))[0]!.number;

/** Tools whose makers wait for them to be published, the longest waiting first. */
export const requestedTools = (db: Db) =>
  db
    .select()
    .from(tools)
    .where(and(isNotNull(tools.requestedAt), eq(tools.isActive, false)))
    .orderBy(asc(tools.requestedAt), asc(tools.id));

/** Closes this person's published tools to new subscribers; returns those that were still open. */
export const closeToolsOf = (db: Db, ownerId: string, closedFor: string, now: Date) =>
  db
    .update(tools)
    .set({ closedAt: now, closedFor })
    .where(and(eq(tools.ownerId, ownerId), eq(tools.isActive, true), isNull(tools.closedAt)))
    .returning({ id: tools.id, name: tools.name });

/** Refuses this person's requests for publication; returns the tools' ids. */
export const refuseRequestsOf = (db: Db, ownerId: string, refusedFor: string) =>
  db
    .update(tools)
    .set({ requestedAt: null, refusedFor })
    .where(and(isDraftOf(ownerId), isNotNull(tools.requestedAt)))
    .returning({ id: tools.id });

/** Locks the whole row of a tool. */
export const lockToolRow = (db: Db, id: string) =>
  first(db.select().from(tools).where(eq(tools.id, id)).for('no key update'));

/** A tool's live secrets, the newest first. */
export const liveSecretsOf = (db: Db, toolId: string) =>
  db
    .select({ id: s.id, kind: s.kind, name: s.name, createdAt: s.createdAt, lastUsedAt: s.lastUsedAt })
    .from(s)
    .where(and(eq(s.toolId, toolId), isNull(s.revokedAt)))
    .orderBy(desc(s.createdAt), desc(s.id));

/** Revokes a live secret of this tool; null for any other. */
export const revokeSecret = (db: Db, toolId: string, id: string, now: Date) =>
  first(
    db
      .update(s)
      .set({ revokedAt: now })
      .where(and(eq(s.id, id), eq(s.toolId, toolId), isNull(s.revokedAt)))
      .returning({ kind: s.kind, name: s.name }),
  );

/** Which of these ids are tools. */
export const toolsAmong = async (db: Db, ids: string[]): Promise<Set<string>> =>
  new Set((await db.select({ id: tools.id }).from(tools).where(inArray(tools.id, ids))).map(({ id }) => id));

/** Which of these hashes are revoked secrets, and of which tool. */
export const revokedSecretsAmong = async (db: Db, hashes: string[]): Promise<Map<string, string>> => {
  const rows = await db
    .select({ hash: s.secretHash, toolId: s.toolId })
    .from(s)
    .where(and(sql`${s.secretHash} = any(${sql.param(hashes)}::text[])`, isNotNull(s.revokedAt)));
  return new Map(rows.map(({ hash, toolId }) => [hash, toolId]));
};

/** Ends the unpublished tools of somebody who leaves: withdraws their requests and revokes their secrets. */
export async function retireDrafts(db: Db, ownerId: string, now: Date): Promise<void> {
  const drafts = db.select({ id: tools.id }).from(tools).where(isDraftOf(ownerId));
  await db
    .update(s)
    .set({ revokedAt: now })
    .where(and(inArray(s.toolId, drafts), isNull(s.revokedAt)));
  await db.update(tools).set({ requestedAt: null }).where(isDraftOf(ownerId));
}
