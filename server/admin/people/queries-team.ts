import { asc, desc, eq, sql } from 'drizzle-orm';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { person } from '#server/people/service.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const ownerName = sql<string>`${person.firstName} || ' ' || ${person.lastName}`;

/** A team with its owner; closed teams too. */
export const findTeam = (db: Db, id: string) =>
  first(
    db
      .select({ team: teams, owner: { id: person.id, name: ownerName, email: person.email } })
      .from(teams)
      .innerJoin(person, eq(person.id, teams.ownerId))
      .where(eq(teams.id, id)),
  );

/** Who is in the team: the owner, then the others by surname. */
export const membersOfTeam = (db: Db, teamId: string) =>
  db
    .select({
      id: person.id,
      firstName: person.firstName,
      lastName: person.lastName,
      email: person.email,
      role: sql<string>`${teamMembers.role}`,
      joinedAt: teamMembers.joinedAt,
    })
    .from(teamMembers)
    .innerJoin(person, eq(person.id, teamMembers.userId))
    .where(eq(teamMembers.teamId, teamId))
    .orderBy(sql`${teamMembers.role} <> 'owner'`, asc(person.lastName), asc(person.firstName));

/** Teams whose name begins with the text, read from its index. */
export async function teamsByName(db: Db, text: string, limit: number) {
  const found = db
    .select({ id: teams.id })
    .from(teams)
    .where(
      sql`(lower(${teams.name}) collate "C") >= lower(${text}) and (lower(${teams.name}) collate "C") < lower(${text}) || chr(1114111)`,
    )
    .orderBy(sql`(lower(${teams.name}) collate "C")`, teams.id)
    .limit(limit);
  return db
    .select({ id: teams.id, name: teams.name, ownerName, isActive: teams.isActive })
    .from(teams)
    .innerJoin(person, eq(person.id, teams.ownerId))
    .where(sql`${teams.id} in (${found})`)
    .orderBy(desc(teams.isActive), asc(teams.name), teams.id);
}
