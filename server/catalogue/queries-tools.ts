import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { toolChanges } from '#shared/schema/tool-changes.ts';
import { tools, toolSecrets } from '#shared/schema/tools.ts';
import { type Db, first } from '#server/platform/data/database.ts';
import { lookAlike } from './names.ts';

export type ToolRow = typeof tools.$inferSelect;
const s = toolSecrets;
const c = toolChanges;
/** How many changes a page shows. */
const shown = 100;

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

export const toolsOf = (db: Db, ownerId: string) =>
  db.select().from(tools).where(eq(tools.ownerId, ownerId)).orderBy(asc(tools.name), asc(tools.id));

const isDraftOf = (ownerId: string) => and(eq(tools.ownerId, ownerId), eq(tools.isActive, false));

export const countDrafts = (db: Db, ownerId: string): Promise<number> => db.$count(tools, isDraftOf(ownerId));

/** Tools whose makers wait for them to be published or promoted, the longest waiting first. */
export const requestedTools = (db: Db) =>
  db.select().from(tools).where(isNotNull(tools.requestedAt)).orderBy(asc(tools.requestedAt), asc(tools.id));

/** Closes this person's published tools to new subscribers; returns those that were still open. */
export const closeToolsOf = (db: Db, ownerId: string, closedFor: string, now: Date) =>
  db
    .update(tools)
    .set({ closedAt: now, closedFor })
    .where(and(eq(tools.ownerId, ownerId), eq(tools.isActive, true), isNull(tools.closedAt)))
    .returning({ id: tools.id, name: tools.name });

/** Refuses this person's requests for publication or promotion; returns the tools' ids. */
export const refuseRequestsOf = (db: Db, ownerId: string, refusedFor: string) =>
  db
    .update(tools)
    .set({ requestedAt: null, refusedFor })
    .where(and(eq(tools.ownerId, ownerId), isNotNull(tools.requestedAt)))
    .returning({ id: tools.id });

export const updateTool = (db: Db, id: string, change: Partial<typeof tools.$inferInsert>) =>
  db.update(tools).set(change).where(eq(tools.id, id));

export const lockToolRow = (db: Db, id: string) =>
  first(db.select().from(tools).where(eq(tools.id, id)).for('no key update'));

export const toolsAmong = async (db: Db, ids: string[]): Promise<Set<string>> =>
  new Set((await db.select({ id: tools.id }).from(tools).where(inArray(tools.id, ids))).map(({ id }) => id));

/** Ends the unpublished tools of somebody who leaves: withdraws their requests and revokes their secrets. */
export async function retireDrafts(db: Db, ownerId: string, now: Date): Promise<void> {
  const drafts = db.select({ id: tools.id }).from(tools).where(isDraftOf(ownerId));
  await db
    .update(s)
    .set({ revokedAt: now })
    .where(and(inArray(s.toolId, drafts), isNull(s.revokedAt)));
  await db.update(tools).set({ requestedAt: null }).where(isDraftOf(ownerId));
}

/** Whether this name may be taken for that of another tool of the catalogue. Names are locked until the transaction ends, so that two can't take one at once. */
export async function isNameTaken(db: Db, name: string, except: string): Promise<boolean> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('tool-name'))`);
  const others = await db
    .select({ name: tools.name })
    .from(tools)
    .where(and(eq(tools.isActive, true), ne(tools.id, except)));
  return others.some((other) => lookAlike(name, other.name));
}

export const insertToolChange = (db: Db, row: typeof toolChanges.$inferInsert) => db.insert(c).values(row);

export const toolChangesOf = (db: Db, toolId: string) =>
  db.select().from(c).where(eq(c.toolId, toolId)).orderBy(desc(c.version)).limit(shown);

export const toolChangesAfter = (db: Db, toolId: string, version: number) =>
  db
    .select()
    .from(c)
    .where(and(eq(c.toolId, toolId), gt(c.version, version)))
    .orderBy(asc(c.version));

/** Adds a tool under its id; null where the id is taken. */
export const insertToolNamed = (db: Db, row: typeof tools.$inferInsert) =>
  first(db.insert(tools).values(row).onConflictDoNothing().returning());

/** A tool outside Adviserly that this practice lists. */
export const findOutside = (db: Db, teamId: string, id: string) =>
  first(
    db
      .select()
      .from(tools)
      .where(and(eq(tools.id, id), eq(tools.teamId, teamId))),
  );

/** The tools from elsewhere that these practices list, by name. */
export const outsideOf = (db: Db, teamIds: string[]) =>
  db
    .select({ id: tools.id, name: tools.name, teamId: tools.teamId })
    .from(tools)
    .where(inArray(tools.teamId, teamIds))
    .orderBy(asc(tools.name));

/** These tools' names, and whether a practice lists them as tools from elsewhere. */
export const namesOf = async (db: Db, ids: string[]) =>
  new Map(
    (
      await db
        .select({ id: tools.id, name: tools.name, outside: sql<boolean>`${tools.teamId} is not null` })
        .from(tools)
        .where(inArray(tools.id, ids))
    ).map((row) => [row.id, row]),
  );

/** Lists a tool outside Adviserly for a practice; returns its id. */
export async function insertOutside(db: Db, teamId: string, name: string): Promise<string> {
  const id = `outside-${randomUUID()}`;
  await db
    .insert(tools)
    .values({ id, name, teamId, basePrice: '0.00', domain: 'https://outside.invalid', isActive: false });
  return id;
}
