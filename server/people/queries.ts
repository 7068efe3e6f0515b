import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { MembershipType } from '#shared/rules/accounts.ts';
import { users } from '#shared/schema/accounts.ts';
import { testAdvisers } from '#shared/schema/tools.ts';
import { type Db, first } from '#server/platform/database.ts';
import { together } from '#server/platform/together.ts';

const name = { id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName };
const shown = {
  ...name,
  dealerGroup: users.dealerGroup,
  profileImageUrl: users.profileImageUrl,
  hasSecondFactor: users.hasSecondFactor,
  suspendedAt: users.suspendedAt,
};

/** Everybody who has or had an account, for joins. Postgres reads the table itself, as if it were named there. */
export const person = new QueryBuilder().select(shown).from(users).as('person');

/** The same for open accounts only. */
export const openPerson = new QueryBuilder().select(shown).from(users).where(isNull(users.closedAt)).as('open_person');

/** Whom a tool may meet: the people of open accounts, and its own test advisers. */
export const toolPerson = new QueryBuilder()
  .select({ ...shown, testOf: testAdvisers.toolId, ended: testAdvisers.ended })
  .from(users)
  .leftJoin(testAdvisers, eq(testAdvisers.userId, users.id))
  .where(or(isNull(users.closedAt), isNotNull(testAdvisers.userId)))
  .as('tool_person');

export const findToolPerson = together((db) => {
  const query = db
    .select()
    .from(toolPerson)
    .where(sql`${toolPerson.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('tool_people');
  return async (ids) => (await query.execute({ ids })).map((row) => [row.id, row] as const);
});

const locked = {
  ...name,
  membershipType: users.membershipType,
  freeAccessGranted: users.freeAccessGranted,
  hasSecondFactor: users.hasSecondFactor,
  suspendedAt: users.suspendedAt,
};
export type Person = Awaited<ReturnType<typeof lockOpenPeople>>[number];

/** These people's open accounts, locked in one order, so that two who lock the same people wait instead of deadlocking. */
export const lockOpenPeople = (db: Db, userIds: string[]) =>
  db
    .select(locked)
    .from(users)
    .where(and(inArray(users.id, userIds), isNull(users.closedAt)))
    .orderBy(asc(users.id))
    .for('no key update');

export const lockOpenPerson = (db: Db, userId: string) => first(lockOpenPeople(db, [userId]));

export const findOpenPerson = together((db) => {
  const query = db
    .select(locked)
    .from(users)
    .where(and(sql`${users.id} = any(${sql.placeholder('ids')}::uuid[])`, isNull(users.closedAt)))
    .prepare('open_people');
  return async (ids) => (await query.execute({ ids })).map((row) => [row.id, row] as const);
});

/** Gives these people another membership, where they have `from`. */
export const changeMembership = (db: Db, userIds: string[], from: MembershipType, to: MembershipType, at: Date) =>
  db
    .update(users)
    .set({ membershipType: to, updatedAt: at })
    .where(and(inArray(users.id, userIds), eq(users.membershipType, from)));

export const setFreeAccess = (db: Db, userId: string, freeAccessGranted: boolean, at: Date) =>
  db.update(users).set({ freeAccessGranted, updatedAt: at }).where(eq(users.id, userId));

/** Whoever answers for the product, and can sign in. */
export const administratorIds = async (db: Db): Promise<string[]> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.isAdmin, true), isNull(users.closedAt), isNull(users.suspendedAt)))
  ).map(({ id }) => id);

/** The names of these people, closed accounts too. */
export const peopleByIds = (db: Db, userIds: string[]) => db.select(name).from(users).where(inArray(users.id, userIds));

export const namesOf = async (db: Db, userIds: string[]): Promise<string[]> =>
  (await db.select(name).from(users).where(inArray(users.id, userIds))).map(({ firstName, lastName }) =>
    `${firstName} ${lastName}`.trim(),
  );
