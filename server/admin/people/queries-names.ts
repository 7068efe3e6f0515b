import { inArray, or, sql } from 'drizzle-orm';
import { catalogueTool } from '#server/catalogue/service.ts';
import { payingTeam } from '#server/payers/service.ts';
import { openPerson } from '#server/people/service.ts';
import { type Db, isUuid, readTogether } from '#server/platform/data/database.ts';

/** Names of these people (open accounts only) and teams, and of these and every published tool, by id; and the people's addresses. */
export async function namesAndEmailsById(db: Db, all: string[]) {
  const ids = [...new Set(all)];
  const ours = ids.filter(isUuid);
  const fullName = sql<string>`${openPerson.firstName} || ' ' || ${openPerson.lastName}`;
  const [people, teams, tools] = await readTogether(
    db,
    async () =>
      db
        .select({ id: openPerson.id, name: fullName, email: openPerson.email })
        .from(openPerson)
        .where(inArray(openPerson.id, ours)),
    async () =>
      db.select({ id: payingTeam.id, name: payingTeam.name }).from(payingTeam).where(inArray(payingTeam.id, ours)),
    async () =>
      db
        .select({ id: catalogueTool.id, name: catalogueTool.name })
        .from(catalogueTool)
        .where(or(catalogueTool.isActive, inArray(catalogueTool.id, ids))),
  );
  return {
    names: new Map([...people, ...teams, ...tools].map(({ id, name }) => [id, name])),
    emails: new Map(people.map(({ id, email }) => [id, email])),
  };
}

export const namesById = async (db: Db, ids: string[]) => (await namesAndEmailsById(db, ids)).names;

export async function administratorNames(db: Db, ids: string[]): Promise<(id: string) => string> {
  const names = await namesById(db, ids);
  return (id) => names.get(id) ?? 'A former administrator';
}
