import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { MembershipType } from '#shared/rules/people/accounts.ts';
import { users } from '#shared/schema/accounts.ts';
import { testAdvisers } from '#shared/schema/tools.ts';
import type { SignedIn } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Db, first, pick } from '#server/platform/data/database.ts';
import { together } from '#server/platform/data/together.ts';

const name = pick(users, 'id', 'email', 'firstName', 'lastName');
const shown = {
  ...name,
  ...pick(users, 'dealerGroup', 'adviserNumber', 'afslNumber', 'abn', 'businessState', 'profileImageUrl'),
  ...pick(users, 'emailVerified', 'profileCompleted', 'hasSecondFactor', 'suspendedAt'),
};

/** Everybody who has or had an account, for joins. Postgres treats it as the table itself. */
export const person = new QueryBuilder().select(shown).from(users).as('person');

/** Open accounts only. */
export const openPerson = new QueryBuilder().select(shown).from(users).where(isNull(users.closedAt)).as('open_person');

/** The people that tools may hear of: those with open accounts, and test advisers (`testOf`: of which tool). */
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
  ...pick(users, 'membershipType', 'freeAccessGranted', 'hasSecondFactor', 'suspendedAt', 'authEpoch'),
};
export type Person = Awaited<ReturnType<typeof lockOpenPeople>>[number];

/** These people's open accounts, locked in a fixed order, so that two callers who lock the same people wait instead of deadlocking. */
export const lockOpenPeople = (db: Db, userIds: string[]) =>
  db
    .select(locked)
    .from(users)
    .where(and(inArray(users.id, userIds), isNull(users.closedAt)))
    .orderBy(asc(users.id))
    .for('no key update');

export const lockOpenPerson = (db: Db, userId: string) => first(lockOpenPeople(db, [userId]));

/** As `lockOpenPerson`, for whoever is signed in to the account; 401 if something has signed them out since their request came. */
export async function lockActor(db: Db, { id, authEpoch }: SignedIn): Promise<Person> {
  const person = await lockOpenPerson(db, id);
  if (person?.authEpoch !== authEpoch) throw new AppError('unauthorized');
  return person;
}

export const findOpenPerson = together((db) => {
  const query = db
    .select(locked)
    .from(users)
    .where(and(sql`${users.id} = any(${sql.placeholder('ids')}::uuid[])`, isNull(users.closedAt)))
    .prepare('open_people');
  return async (ids) => (await query.execute({ ids })).map((row) => [row.id, row] as const);
});

/** Gives another membership to those of these people who have `from`. */
export const changeMembership = (db: Db, userIds: string[], from: MembershipType, to: MembershipType, at: Date) =>
  db
    .update(users)
    .set({ membershipType: to, updatedAt: at })
    .where(and(inArray(users.id, userIds), eq(users.membershipType, from)));

/** Notes that somebody has shown to hold their mailbox; the first time, a partner's address makes a standard account a partner's. */
export const proveAddress = (
  db: Db,
  { id, emailVerified }: { id: string; emailVerified: boolean },
  isPartner: boolean,
  at: Date,
) => {
  const partner = sql`case when ${users.membershipType} = 'standard' then 'shaw_partners' else ${users.membershipType} end`;
  const proved = {
    emailVerified: true,
    emailProvedAt: at,
    updatedAt: at,
    ...(isPartner && !emailVerified && { membershipType: partner }),
  };
  return db.update(users).set(proved).where(eq(users.id, id));
};

/** A practice as its owner's profile has it, for the profile of whoever joins. */
export const practiceDetails = (db: Db, ownerId: string) =>
  first(
    db
      .select({
        businessName: users.businessName,
        dealerGroup: users.dealerGroup,
        businessAddress: users.businessAddress,
        businessCity: users.businessCity,
        businessState: users.businessState,
        businessPostcode: users.businessPostcode,
        afslNumber: users.afslNumber,
      })
      .from(users)
      .where(eq(users.id, ownerId)),
  );

export const setFreeAccess = (db: Db, userId: string, freeAccessGranted: boolean, at: Date) =>
  db.update(users).set({ freeAccessGranted, updatedAt: at }).where(eq(users.id, userId));

/** The administrators who can sign in. */
export const administratorIds = async (db: Db): Promise<string[]> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.isAdmin, true), isNull(users.closedAt), isNull(users.suspendedAt)))
  ).map(({ id }) => id);

/** The names and addresses of these people, closed accounts too. */
export const peopleByIds = (db: Db, userIds: string[]) => db.select(name).from(users).where(inArray(users.id, userIds));

export const namesOf = async (db: Db, userIds: string[]): Promise<string[]> =>
  (await peopleByIds(db, userIds)).map(({ firstName, lastName }) => `${firstName} ${lastName}`.trim());
