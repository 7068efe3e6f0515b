import { desc, eq, inArray, lt } from 'drizzle-orm';
import { toolRefusals } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

const r = toolRefusals;

export const insertRefusals = async (db: Db, rows: (typeof r.$inferInsert)[]) => {
  await db.insert(r).values(rows);
};

/** What this tool was refused, the newest first. */
export const refusalsOf = (db: Db, toolId: string, limit: number) =>
  db.select().from(r).where(eq(r.toolId, toolId)).orderBy(desc(r.createdAt), desc(r.id)).limit(limit);

export async function deleteOldRefusals(db: Db, before: Date, limit: number): Promise<number> {
  const old = db.select({ id: r.id }).from(r).where(lt(r.createdAt, before)).limit(limit);
  return (await db.delete(r).where(inArray(r.id, old)).returning({ id: r.id })).length;
}
