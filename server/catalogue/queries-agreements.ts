import { and, asc, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import { toolAgreements } from '#shared/schema/tool-prices.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const a = toolAgreements;

/** Stores what a maker proposes, in place of what they proposed before. */
export const propose = (db: Db, toolId: string, priceCents: number, createdAt: Date) =>
  db
    .insert(a)
    .values({ toolId, priceCents, createdAt })
    .onConflictDoUpdate({ target: a.toolId, targetWhere: isNull(a.acceptedAt), set: { priceCents, createdAt } });

export const proposalOf = (db: Db, toolId: string) =>
  first(
    db
      .select()
      .from(a)
      .where(and(eq(a.toolId, toolId), isNull(a.acceptedAt))),
  );

export const agreementsOf = (db: Db, toolId: string) =>
  db
    .select()
    .from(a)
    .where(and(eq(a.toolId, toolId), isNotNull(a.acceptedAt)))
    .orderBy(asc(a.acceptedAt));

export const agreedNow = (db: Db, toolId: string) =>
  first(
    db
      .select()
      .from(a)
      .where(and(eq(a.toolId, toolId), isNotNull(a.acceptedAt)))
      .orderBy(desc(a.acceptedAt))
      .limit(1),
  );

export const accept = (db: Db, id: string, sharePercent: number, acceptedAt: Date) =>
  db.update(a).set({ sharePercent, acceptedAt }).where(eq(a.id, id));

/** What was agreed on before holds again. */
export const agreeAgain = (db: Db, toolId: string, priceCents: number, sharePercent: number, acceptedAt: Date) =>
  db.insert(a).values({ toolId, priceCents, sharePercent, acceptedAt, createdAt: acceptedAt });
