import { and, asc, desc, eq, gt } from 'drizzle-orm';
import { toolPrices } from '#shared/schema/tool-prices.ts';
import { tools } from '#shared/schema/tools.ts';
import { type Db, first } from '#server/platform/database.ts';

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
