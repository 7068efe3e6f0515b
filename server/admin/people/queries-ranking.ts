import { and, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { userUsage } from '#shared/schema/admin.ts';
import { person } from '#server/people/service.ts';
import { type Db, pick } from '#server/platform/data/database.ts';

/** Sets how often an adviser used our tools, where it is kept otherwise. */
export const correctUses = (db: Db, userId: string, uses: number) =>
  db
    .update(userUsage)
    .set({ totalUsage: uses })
    .where(and(eq(userUsage.userId, userId), ne(userUsage.totalUsage, uses)));

/** Who has used only tools from elsewhere is not ranked. */
const isRanked = gt(userUsage.totalUsage, 0);

export const countRanked = (db: Db) => db.$count(userUsage, isRanked);

/** The ranking by uses. The rows before the page are skipped in an index. */
export function mostActive(db: Db, { start, limit }: { start: number; limit: number }) {
  const order = [desc(userUsage.totalUsage), desc(userUsage.userId)];
  const page = db
    .select({ userId: userUsage.userId })
    .from(userUsage)
    .where(isRanked)
    .orderBy(...order)
    .offset(start)
    .limit(limit);
  return db
    .select({
      userId: person.id,
      ...pick(person, 'firstName', 'lastName', 'email'),
      totalUsage: userUsage.totalUsage,
      lastUsed: userUsage.lastUsed,
    })
    .from(userUsage)
    .innerJoin(person, eq(person.id, userUsage.userId))
    .where(sql`${userUsage.userId} = any(array(${page}))`)
    .orderBy(...order);
}
