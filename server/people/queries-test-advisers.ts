import { and, type AnyColumn, asc, eq, isNull, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { testAdvisers } from '#shared/schema/tools.ts';
import type { TestEnding } from '#shared/rules/tools/tools.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const t = testAdvisers;

type MadeUp = { firstName: string; lastName: string; email: string; dealerGroup: string };

/** A made-up person, whose account is closed from the start. */
export async function insertTestAdviser(db: Db, toolId: string, person: MadeUp, at: Date): Promise<void> {
  const [row] = await db
    .insert(users)
    .values({ ...person, password: '!', closedAt: at, createdAt: at })
    .returning({ id: users.id });
  await db.insert(t).values({ userId: row!.id, toolId, createdAt: at });
}

export const countTestAdvisers = (db: Db, toolId: string) => db.$count(t, eq(t.toolId, toolId));

export const testAdvisersOf = (db: Db, toolId: string) =>
  db
    .select({ id: t.userId, firstName: users.firstName, lastName: users.lastName, email: users.email, ended: t.ended })
    .from(t)
    .innerJoin(users, eq(users.id, t.userId))
    .where(eq(t.toolId, toolId))
    .orderBy(asc(t.createdAt), asc(t.userId));

/** Whether the person of a row is a real one: a condition for queries. */
export const isReal = (userId: AnyColumn) => sql`not exists (select 1 from ${t} where ${t.userId} = ${userId})`;

/** Ends or restores the access of one of the tool's test advisers; null for anybody else. */
export const setEnded = (db: Db, toolId: string, userId: string, ended: TestEnding | null) =>
  first(
    db
      .update(t)
      .set({ ended })
      .where(and(eq(t.toolId, toolId), eq(t.userId, userId)))
      .returning({ id: t.userId }),
  );

/** Ends the access of all the tool's test advisers who still have it; returns their ids. */
export const endAllOf = async (db: Db, toolId: string): Promise<string[]> =>
  (
    await db
      .update(t)
      .set({ ended: 'ended' })
      .where(and(eq(t.toolId, toolId), isNull(t.ended)))
      .returning({ id: t.userId })
  ).map(({ id }) => id);
