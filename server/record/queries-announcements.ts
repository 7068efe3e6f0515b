import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { toolAnnouncements, toolDisclosures } from '#shared/schema/record.ts';
import { type Db, first, only } from '#server/platform/data/database.ts';

const a = toolAnnouncements;
const d = toolDisclosures;
export type AnnouncementRow = typeof a.$inferSelect;

export const insertAnnouncement = (db: Db, values: typeof a.$inferInsert): Promise<AnnouncementRow> =>
  only(db.insert(a).values(values).returning());

export const findAnnouncement = (db: Db, id: string) => first(db.select().from(a).where(eq(a.id, id)));

export const announcementsOf = (db: Db, toolIds: string[]) =>
  db.select().from(a).where(inArray(a.toolId, toolIds)).orderBy(asc(a.announcedAt), asc(a.id));

/** Announcements of which somebody may not be told yet. */
export const announcementsToTell = async (db: Db): Promise<string[]> =>
  (await db.select({ id: a.id }).from(a).where(isNull(a.toldAt)).orderBy(asc(a.announcedAt))).map(({ id }) => id);

export const noteAnnounced = (db: Db, id: string, toldAt: Date) => db.update(a).set({ toldAt }).where(eq(a.id, id));

/** Every version that the makers of these tools stated or announced, as `toolId version`. */
export async function knownVersions(db: Db, toolIds: string[]): Promise<Set<string>> {
  const stated = sql<string>`${d.answers}->>'version'`;
  const said = await db
    .selectDistinct({ toolId: d.toolId, version: stated })
    .from(d)
    .where(and(inArray(d.toolId, toolIds), isNotNull(stated)));
  const coming = await db
    .selectDistinct({ toolId: a.toolId, version: sql<string>`${a.version}` })
    .from(a)
    .where(and(inArray(a.toolId, toolIds), isNotNull(a.version)));
  return new Set([...said, ...coming].map(({ toolId, version }) => `${toolId} ${version}`));
}

export const allDisclosures = (db: Db, toolIds: string[]) =>
  db.select().from(d).where(inArray(d.toolId, toolIds)).orderBy(asc(d.toolId), desc(d.version));
