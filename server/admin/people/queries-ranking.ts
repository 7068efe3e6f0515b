import { desc, eq, sql } from 'drizzle-orm';
import { userUsage } from '#shared/schema/admin.ts';
import { person } from '#server/people/service.ts';
import { type Db, pick } from '#server/platform/data/database.ts';

export const countRanked = (db: Db) => db.$count(userUsage);

/** The ranking by uses. The rows before the page are skipped in an index. */
export function mostActive(db: Db, { start, limit }: { start: number; limit: number }) {
  const order = [desc(userUsage.totalUsage), desc(userUsage.userId)];
  const page = db
    .select({ userId: userUsage.userId })
    .from(userUsage)
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
