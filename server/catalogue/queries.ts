import { and, asc, eq, isNull, ne, sql, desc, gt } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { tools } from '#shared/schema/tools.ts';
import { toolPrices } from '#shared/schema/tool-prices.ts';
import { type Db, first } from '#server/platform/database.ts';
import { oneForAll, together } from '#server/platform/together.ts';

const p = toolPrices;
export type ToolPriceRow = typeof toolPrices.$inferSelect;

export const insertToolPrice = async (db: Db, row: typeof toolPrices.$inferInsert) => {
  await db.insert(p).values(row);
};

/** The prices that an administrator has set, the newest first. */
export const toolPricesOf = (db: Db, toolId: string) =>
  db.select().from(p).where(eq(p.toolId, toolId)).orderBy(desc(p.createdAt), desc(p.id)).limit(100);

/** What those who have the tool are told of after that change, in order. */
export const toolPricesAfter = (db: Db, toolId: string, number: number) =>
  db
    .select()
    .from(p)
    .where(and(eq(p.toolId, toolId), gt(p.number, number)))
    .orderBy(asc(p.number));

export const toolPriceNumbered = (db: Db, toolId: string, number: number) =>
  first(
    db
      .select()
      .from(p)
      .where(and(eq(p.toolId, toolId), eq(p.number, number))),
  );

/** Tools whose price has been changed for those who have them. */
export const repricedTools = (db: Db) =>
  db
    .select({ id: tools.id, name: tools.name, priceNumber: tools.priceNumber, basePrice: tools.basePrice })
    .from(tools)
    .where(gt(tools.priceNumber, 0))
    .orderBy(asc(tools.id));

/** Every tool, withdrawn ones too, for joins. Postgres reads the table itself, as if it were named there. */
export const catalogueTool = new QueryBuilder()
  .select({
    id: tools.id,
    name: tools.name,
    description: tools.description,
    basePrice: tools.basePrice,
    priceNumber: tools.priceNumber,
    minutesSaved: tools.minutesSaved,
    isActive: tools.isActive,
    scopes: tools.scopes,
  })
  .from(tools)
  .as('catalogue_tool');

export const activeTools = oneForAll((db) => {
  const query = db
    .select()
    .from(tools)
    .where(eq(tools.isActive, true))
    .orderBy(asc(tools.name))
    .prepare('active_tools');
  return () => query.execute();
});

/** Finds withdrawn tools too: look at `isActive`. */
export const findTool = together((db) => {
  const query = db
    .select()
    .from(tools)
    .where(sql`${tools.id} = any(${sql.placeholder('ids')}::text[])`)
    .prepare('tools_by_id');
  return async (ids) => (await query.execute({ ids })).map((row) => [row.id, row] as const);
});

/** One of the operator's own tools, another than this; null where there is none. */
export const otherOwnTool = (db: Db, id: string) =>
  first(
    db
      .select({ id: tools.id })
      .from(tools)
      .where(and(eq(tools.isActive, true), isNull(tools.ownerId), ne(tools.id, id)))
      .orderBy(asc(tools.id))
      .limit(1),
  );

/** The tool's name, or its id where there is none. */
export const toolName = async (db: Db, id: string): Promise<string> =>
  (await db.select({ name: tools.name }).from(tools).where(eq(tools.id, id)))[0]?.name ?? id;

export const insertMissingTools = async (db: Db, rows: (typeof tools.$inferInsert)[]) => {
  await db.insert(tools).values(rows).onConflictDoNothing();
};
