import { and, asc, eq, gt, inArray, lt, ne, notInArray, type SQL, sql } from 'drizzle-orm';
import type { TeamRole } from '#shared/rules/people/teams.ts';
import { usualChecks } from '#shared/rules/record/record.ts';
import { recordPeople, teamMembers, teams } from '#shared/schema/teams.ts';
import { person } from '#server/people/service.ts';
import { type Db, first, pick } from '#server/platform/data/database.ts';

const r = recordPeople;

/** Somebody in a practice's record. */
export type RecordPerson = Omit<typeof r.$inferSelect, 'teamId' | 'leftAt'> & {
  leftAt: Date | null;
  /** Their role in the practice now; null where they have none. */
  role: TeamRole | null;
  /** Of their business, for its time zone; null where it is not known any more. */
  state: string | null;
};

const said = {
  firstName: sql`excluded.first_name`,
  lastName: sql`excluded.last_name`,
  email: sql`excluded.email`,
  adviserNumber: sql`excluded.adviser_number`,
};
const name = pick(person, 'firstName', 'lastName', 'email', 'adviserNumber');

/** Notes who those members are, for the record of the practice that they leave. */
export async function noteWhoLeave(db: Db, leaving: SQL | undefined, at: Date): Promise<void> {
  const found = await db
    .select({ teamId: teamMembers.teamId, userId: teamMembers.userId, joinedAt: teamMembers.joinedAt, ...name })
    .from(teamMembers)
    .innerJoin(person, eq(person.id, teamMembers.userId))
    .where(leaving);
  if (found.length === 0) return;
  await db
    .insert(r)
    .values(found.map((one) => ({ ...one, leftAt: at })))
    .onConflictDoUpdate({ target: [r.teamId, r.userId], set: { ...said, leftAt: sql`excluded.left_at` } });
}

/** Notes who somebody is, who closes their account, in the records of these practices; when they left stays as it was noted. */
export async function noteWhoCloses(db: Db, userId: string, teamIds: string[], at: Date): Promise<void> {
  const [who] = await db.select(name).from(person).where(eq(person.id, userId));
  if (!who || teamIds.length === 0) return;
  await db
    .insert(r)
    .values(teamIds.map((teamId) => ({ teamId, userId, ...who, leftAt: at })))
    .onConflictDoUpdate({ target: [r.teamId, r.userId], set: said });
}

/** Who these people are, to the practice if there is one: as they are now or, once they have closed their account, as they were. */
export async function whoIsWho(db: Db, teamId: string | null, userIds: string[]): Promise<Map<string, RecordPerson>> {
  if (userIds.length === 0) return new Map();
  // One after the other, since a transaction has one connection.
  const now = await db
    .select({ userId: person.id, state: person.businessState, ...name })
    .from(person)
    .where(inArray(person.id, userIds));
  const members =
    teamId === null
      ? []
      : await db
          .select({ userId: teamMembers.userId, joinedAt: teamMembers.joinedAt, role: teamMembers.role })
          .from(teamMembers)
          .where(and(eq(teamMembers.teamId, teamId), inArray(teamMembers.userId, userIds)));
  const noted =
    teamId === null
      ? []
      : await db
          .select()
          .from(r)
          .where(and(eq(r.teamId, teamId), inArray(r.userId, userIds)));
  return new Map(
    now.map((one) => {
      const left = noted.find(({ userId }) => userId === one.userId);
      const member = members.find(({ userId }) => userId === one.userId);
      const { userId, firstName, lastName, email, adviserNumber } = one.firstName === '' && left ? left : one;
      const joinedAt = left?.joinedAt ?? member?.joinedAt ?? null;
      return [
        userId,
        {
          userId,
          firstName,
          lastName,
          email,
          adviserNumber,
          state: one.state,
          joinedAt,
          leftAt: member ? null : (left?.leftAt ?? null),
          role: member?.role ?? null,
        },
      ];
    }),
  );
}

/** A practice as an evidence pack names it, with the licence and ABN of its owner. */
export const practiceOf = (db: Db, teamId: string) =>
  first(
    db
      .select({
        id: teams.id,
        name: teams.name,
        abn: person.abn,
        afsl: person.afslNumber,
        dealerGroup: person.dealerGroup,
        state: person.businessState,
        ...pick(teams, 'lateAfterDays', 'refusesLate', 'needsClient', 'newToolsAllowed', 'checks'),
      })
      .from(teams)
      .innerJoin(person, eq(person.id, teams.ownerId))
      .where(eq(teams.id, teamId)),
  );

/** Whether a practice is closed, locked against packs that somebody asks for meanwhile; null where there is none. */
export async function isClosed(tx: Db, teamId: string): Promise<boolean | null> {
  const [team] = await tx.select({ isActive: teams.isActive }).from(teams).where(eq(teams.id, teamId)).for('update');
  return team ? !team.isActive : null;
}

/** Forgets who left before a moment, but not in practices that hold something back. */
export const forgetPeople = (db: Db, before: Date, holding: string[]) =>
  db.delete(r).where(and(lt(r.leftAt, before), holding.length > 0 ? notInArray(r.teamId, holding) : undefined));

/** What a practice, even a closed one, asks of this person's reviews, and whether they are in it. */
export const reviewRulesFor = (db: Db, teamId: string, userId: string) =>
  first(
    db
      .select({
        ...pick(teams, 'lateAfterDays', 'refusesLate', 'checks'),
        isMember: sql<boolean>`${teamMembers.id} is not null`,
      })
      .from(teams)
      .leftJoin(teamMembers, and(eq(teamMembers.teamId, teams.id), eq(teamMembers.userId, userId)))
      .where(eq(teams.id, teamId)),
  );

/** What advisers can tick as checked in each of these practices. */
export async function checkListsOf(db: Db, teamIds: string[]): Promise<Map<string, readonly string[]>> {
  if (teamIds.length === 0) return new Map();
  const rows = await db.select({ id: teams.id, checks: teams.checks }).from(teams).where(inArray(teams.id, teamIds));
  return new Map(rows.map(({ id, checks }) => [id, checks ?? usualChecks]));
}

/** Memberships in practices that remind everybody of reviews, with the practice, in the order of their ids: somebody may have two. */
export const remindedMembers = (db: Db, after: string | null, limit: number) =>
  db
    .select({ ...pick(teamMembers, 'id', 'userId', 'teamId', 'role'), teamName: teams.name })
    .from(teamMembers)
    .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), eq(teams.isActive, true)))
    .where(and(teams.remindsWeekly, after === null ? undefined : gt(teamMembers.id, after)))
    .orderBy(asc(teamMembers.id))
    .limit(limit);

/** The owner, the admins and the reviewers of a practice. */
export const managersOf = async (db: Db, teamId: string): Promise<string[]> =>
  (
    await db
      .select({ userId: teamMembers.userId })
      .from(teamMembers)
      .where(and(eq(teamMembers.teamId, teamId), ne(teamMembers.role, 'member')))
      .orderBy(asc(teamMembers.joinedAt))
  ).map(({ userId }) => userId);

/** A practice, even a closed one, with those who answer for its record: its owner, its admins and its reviewers. */
export async function whoAnswersFor(db: Db, teamId: string) {
  const team = await first(db.select().from(teams).where(eq(teams.id, teamId)));
  return team && { team, userIds: [...new Set([team.ownerId, ...(await managersOf(db, teamId))])] };
}
