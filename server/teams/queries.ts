import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import type { TeamRole } from '#shared/rules/people/teams.ts';
import { person } from '#server/people/service.ts';
import { type Db, first, only, pick } from '#server/platform/data/database.ts';
import { grouped, together } from '#server/platform/data/together.ts';
import { noteWhoLeave } from './queries-record.ts';

export type TeamRow = typeof teams.$inferSelect;

const isActive = eq(teams.isActive, true);

const liveTeamsOf = together((db) => {
  const query = db
    .select({
      userId: teamMembers.userId,
      ...pick(teams, 'id', 'name', 'membershipType', 'maxMembers', 'requiresFactor', 'microsoftTenant'),
      role: teamMembers.role,
    })
    .from(teamMembers)
    .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), isActive))
    .where(sql`${teamMembers.userId} = any(${sql.placeholder('userIds')}::uuid[])`)
    .orderBy(teamMembers.joinedAt, teams.id)
    .prepare('live_teams_of');
  return async (userIds) => grouped(await query.execute({ userIds }), ({ userId }) => userId);
});

/** Every live team this adviser belongs to, with their role in it. */
export const teamsOf = async (db: Db, userId: string) => (await liveTeamsOf(db, userId)) ?? [];

/** The closed teams that this adviser owned to the end. */
export const closedTeamsOf = (db: Db, userId: string) =>
  db
    .select({ id: teams.id, name: teams.name })
    .from(teams)
    .where(and(eq(teams.ownerId, userId), eq(teams.isActive, false)))
    .orderBy(desc(teams.updatedAt));

/** A team, even a closed one. */
export const findTeam = (db: Db, teamId: string) =>
  first(db.select({ id: teams.id, name: teams.name, ownerId: teams.ownerId }).from(teams).where(eq(teams.id, teamId)));

const ownerName = sql<string>`${person.firstName} || ' ' || ${person.lastName}`;

/** A team with its owner, even a closed one. */
export const findTeamWithOwner = (db: Db, id: string) =>
  first(
    db
      .select({ team: teams, owner: { id: person.id, name: ownerName, email: person.email } })
      .from(teams)
      .innerJoin(person, eq(person.id, teams.ownerId))
      .where(eq(teams.id, id)),
  );

/** A page of the teams whose name begins with the text, or of all, closed ones last, and how many there are. */
export async function teamsByName(db: Db, text: string, { start, limit }: { start: number; limit: number }) {
  const typed = sql`(select searchable(${text}) collate "C")`;
  const searched = sql`(searchable(${teams.name}) collate "C")`;
  const begins =
    text === ''
      ? undefined
      : sql`${typed} <> '' and ${searched} >= ${typed} and ${searched} < ${typed} || chr(1114111)`;
  const order = [desc(teams.isActive), searched, teams.id];
  const found = db
    .select({ id: teams.id })
    .from(teams)
    .where(begins)
    .orderBy(...order)
    .offset(start)
    .limit(limit);
  const members = sql<number>`(select count(*) from team_members member where member.team_id = ${teams.id})::int`;
  const rows = await db
    .select({
      ...pick(teams, 'id', 'name', 'ownerId'),
      ownerName,
      ownerEmail: person.email,
      isActive: teams.isActive,
      createdAt: teams.createdAt,
      members,
    })
    .from(teams)
    .innerJoin(person, eq(person.id, teams.ownerId))
    .where(sql`${teams.id} = any(array(${found}))`)
    .orderBy(...order);
  return { teams: rows, total: await db.$count(teams, begins) };
}

/** The live team and this adviser's role in it; null for outsiders. */
export const findTeamWithRole = (db: Db, teamId: string, userId: string) =>
  first(
    db
      .select({ team: teams, role: teamMembers.role, isProved: person.emailVerified })
      .from(teams)
      .innerJoin(teamMembers, and(eq(teamMembers.teamId, teams.id), eq(teamMembers.userId, userId)))
      .innerJoin(person, eq(person.id, teamMembers.userId))
      .where(and(eq(teams.id, teamId), isActive)),
  );

export const isLiveTeam = async (db: Db, teamId: string): Promise<boolean> =>
  (await first(
    db
      .select({ id: teams.id })
      .from(teams)
      .where(and(eq(teams.id, teamId), isActive)),
  )) !== null;

/** Locks the team, so that changes to who is in it follow each other. Finds closed teams too. */
export const lockTeam = (db: Db, teamId: string) =>
  first(db.select().from(teams).where(eq(teams.id, teamId)).for('update'));

export const insertTeam = (db: Db, values: typeof teams.$inferInsert): Promise<TeamRow> =>
  only(db.insert(teams).values(values).returning());

export const updateTeam = (db: Db, teamId: string, change: Partial<TeamRow>): Promise<TeamRow> =>
  only(db.update(teams).set(change).where(eq(teams.id, teamId)).returning());

export const insertMember = (db: Db, values: typeof teamMembers.$inferInsert) => db.insert(teamMembers).values(values);

/** Takes members out of a team; its record keeps who they are. */
async function deleteThose(db: Db, leaving: SQL | undefined, at: Date): Promise<void> {
  await noteWhoLeave(db, leaving, at);
  await db.delete(teamMembers).where(leaving);
}
export async function deleteMember(db: Db, teamId: string, userId: string, at: Date): Promise<void> {
  await deleteThose(db, and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)), at);
  const offered = and(eq(teams.id, teamId), eq(teams.offeredToId, userId));
  await db.update(teams).set({ offeredToId: null, offeredAt: null }).where(offered);
}
export const deleteAllButOwner = (db: Db, teamId: string, at: Date) =>
  deleteThose(db, and(eq(teamMembers.teamId, teamId), ne(teamMembers.role, 'owner')), at);

/** Gives a role; `seatedAt` where a seat comes with it. */
export const setRole = (db: Db, teamId: string, userId: string, role: TeamRole, seatedAt?: Date) =>
  db
    .update(teamMembers)
    .set({ role, ...(seatedAt && { seatedAt }) })
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)));

/** The seats used. */
export const countMembers = (db: Db, teamId: string): Promise<number> =>
  db.$count(teamMembers, and(eq(teamMembers.teamId, teamId), ne(teamMembers.role, 'reviewer')));

const rank = sql`array_position(array['owner', 'admin', 'member', 'reviewer'], ${teamMembers.role})`;

/** The owner, then the admins, the members and the reviewers, each by name. */
export const membersOf = (db: Db, teamId: string) =>
  db
    .select({
      ...pick(teamMembers, 'id', 'userId', 'role', 'joinedAt'),
      user: pick(person, 'firstName', 'lastName', 'email', 'profileImageUrl'),
      /** Why they can't use the team's tools at present. */
      hindrance: sql<'suspended' | 'profile' | 'address' | null>`case
        when ${person.suspendedAt} is not null then 'suspended'
        when not ${person.profileCompleted} then 'profile'
        when not ${person.emailVerified} and ${teamMembers.role} <> 'owner' then 'address' end`,
    })
    .from(teamMembers)
    .innerJoin(person, eq(person.id, teamMembers.userId))
    .where(eq(teamMembers.teamId, teamId))
    .orderBy(rank, person.firstName, person.lastName, teamMembers.id);

export const membersWithoutFactor = async (db: Db, teamId: string): Promise<string[]> =>
  (
    await db
      .select({ userId: teamMembers.userId })
      .from(teamMembers)
      .innerJoin(person, eq(person.id, teamMembers.userId))
      .where(and(eq(teamMembers.teamId, teamId), eq(person.hasSecondFactor, false)))
  ).map(({ userId }) => userId);

/** Those of these people who are members of a team that they don't own. */
export async function membersElsewhere(db: Db, userIds: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(and(inArray(teamMembers.userId, userIds), ne(teamMembers.role, 'owner')));
  return new Set(rows.map((row) => row.userId));
}
