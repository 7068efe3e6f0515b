import { and, asc, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { toolChanges } from '#shared/schema/tool-changes.ts';
import { tools } from '#shared/schema/tools.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const c = toolChanges;
const shown = 100;

export const insertToolChange = async (db: Db, row: typeof toolChanges.$inferInsert) => {
  await db.insert(c).values(row);
};

/** The changes to a tool's settings, the newest first. */
export const toolChangesOf = (db: Db, toolId: string) =>
  db.select().from(c).where(eq(c.toolId, toolId)).orderBy(desc(c.version)).limit(shown);

/** Those after that version, in order. */
export const toolChangesAfter = (db: Db, toolId: string, version: number) =>
  db
    .select()
    .from(c)
    .where(and(eq(c.toolId, toolId), gt(c.version, version)))
    .orderBy(asc(c.version));

/** Adds a tool under its id; null where the id is taken. */
export const insertToolNamed = async (db: Db, row: typeof tools.$inferInsert) =>
  (await db.insert(tools).values(row).onConflictDoNothing().returning())[0] ?? null;

/** Whether another tool of the catalogue has this name, which is locked until the transaction ends, so that two can't take it at once. */
export async function isNameTaken(db: Db, name: string, except: string): Promise<boolean> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('tool-name'), hashtext(lower(${name})))`);
  const other = and(eq(tools.isActive, true), ne(tools.id, except), eq(sql`lower(${tools.name})`, name.toLowerCase()));
  return (await first(db.select({ id: tools.id }).from(tools).where(other).limit(1))) !== null;
}
