import { and, asc, count, eq, inArray, ne, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import type { TeamRole } from '#shared/rules/teams.ts';
import type { Db } from '#server/platform/database.ts';

export type TeamRow = typeof teams.$inferSelect;

const isActive = eq(teams.isActive, true);

/** Every live team this adviser belongs to, with their role in it. */
export const teamsOf = (db: Db, userId: string) =>
  db
    .select({
      id: teams.id,
      name: teams.name,
      membershipType: teams.membershipType,
      maxMembers: teams.maxMembers,
      role: teamMembers.role,
    })
    .from(teamMembers)
    .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), isActive))
    .where(eq(teamMembers.userId, userId));

/** The live team and this adviser's role in it; null to outsiders. */
export async function teamWithRole(db: Db, teamId: string, userId: string) {
  const [row] = await db
    .select({ team: teams, role: teamMembers.role })
    .from(teams)
    .innerJoin(teamMembers, and(eq(teamMembers.teamId, teams.id), eq(teamMembers.userId, userId)))
    .where(and(eq(teams.id, teamId), isActive));
  return row ?? null;
}

/** Everything that changes who is in a team happens one after the other. Closed teams are found too. */
export async function lockTeam(db: Db, teamId: string): Promise<TeamRow | null> {
  const [row] = await db.select().from(teams).where(eq(teams.id, teamId)).for('update');
  return row ?? null;
}

const personColumns = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  membershipType: users.membershipType,
  closedAt: users.closedAt,
};
export type Person = { id: string; email: string; firstName: string; lastName: string; closedAt: Date | null };

/** Locked in one order, so that two who lock the same people wait instead of deadlocking. */
export const lockPeople = (db: Db, userIds: string[]) =>
  db.select(personColumns).from(users).where(inArray(users.id, userIds)).orderBy(asc(users.id)).for('no key update');

export async function lockPerson(db: Db, userId: string) {
  const [row] = await lockPeople(db, [userId]);
  return row ?? null;
}

export async function insertTeam(db: Db, values: typeof teams.$inferInsert): Promise<TeamRow> {
  const [row] = await db.insert(teams).values(values).returning();
  return row!;
}

type TeamChange = Partial<
  Pick<
    TeamRow,
    'name' | 'ownerId' | 'isActive' | 'cardBrand' | 'cardLast4' | 'cardExpMonth' | 'cardExpYear' | 'updatedAt'
  >
>;

export async function updateTeam(db: Db, teamId: string, change: TeamChange): Promise<TeamRow> {
  const [row] = await db.update(teams).set(change).where(eq(teams.id, teamId)).returning();
  return row!;
}

export const insertMember = (db: Db, values: typeof teamMembers.$inferInsert) => db.insert(teamMembers).values(values);

/** True where there was such a member. */
export async function deleteMember(db: Db, teamId: string, userId: string): Promise<boolean> {
  const gone = await db
    .delete(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)))
    .returning({ id: teamMembers.id });
  return gone.length > 0;
}

export const deleteAllButOwner = (db: Db, teamId: string) =>
  db.delete(teamMembers).where(and(eq(teamMembers.teamId, teamId), ne(teamMembers.role, 'owner')));

export const setRole = (db: Db, teamId: string, userId: string, role: TeamRole) =>
  db
    .update(teamMembers)
    .set({ role })
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)));

export async function roleIn(db: Db, teamId: string, userId: string): Promise<TeamRole | null> {
  const [row] = await db
    .select({ role: teamMembers.role })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)));
  return row?.role ?? null;
}

export async function countMembers(db: Db, teamId: string): Promise<number> {
  const [row] = await db.select({ members: count() }).from(teamMembers).where(eq(teamMembers.teamId, teamId));
  return row?.members ?? 0;
}

const rank = sql`array_position(array['owner', 'admin', 'member'], ${teamMembers.role})`;

/** The owner, the admins, the members, each in the order they came. */
export const membersOf = (db: Db, teamId: string) =>
  db
    .select({
      id: teamMembers.id,
      userId: teamMembers.userId,
      role: teamMembers.role,
      joinedAt: teamMembers.joinedAt,
      user: {
        firstName: users.firstName,
        lastName: users.lastName,
        email: users.email,
        profileImageUrl: users.profileImageUrl,
      },
    })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(eq(teamMembers.teamId, teamId))
    .orderBy(rank, asc(teamMembers.joinedAt), asc(teamMembers.id));

/** Joining makes a standard account a team's; a partner stays one (decisions §7). */
export const markJoined = (db: Db, userIds: string[], at: Date) =>
  db
    .update(users)
    .set({ membershipType: 'team', updatedAt: at })
    .where(and(inArray(users.id, userIds), eq(users.membershipType, 'standard')));

/** Leaving gives back what joining took, unless another membership holds. */
export const markLeft = (db: Db, userIds: string[], at: Date) =>
  db
    .update(users)
    .set({ membershipType: 'standard', updatedAt: at })
    .where(
      and(
        inArray(users.id, userIds),
        eq(users.membershipType, 'team'),
        sql`not exists (select 1 from ${teamMembers} m where m.user_id = ${users.id} and m.role <> 'owner')`,
      ),
    );

export async function holdsSubscription(db: Db, teamId: string): Promise<boolean> {
  const rows = await db
    .select({ id: toolSubscriptions.id })
    .from(toolSubscriptions)
    .where(and(eq(toolSubscriptions.teamId, teamId), eq(toolSubscriptions.isActive, true)))
    .limit(1);
  return rows.length > 0;
}
