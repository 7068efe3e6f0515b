import { and, asc, count, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { RecallTerms } from '#shared/rules/record/recalls.ts';
import { recallChanges, recalls, recallSessions } from '#shared/schema/recalls.ts';
import { recalled } from '#server/usage/service.ts';
import { type Db, first, only } from '#server/platform/data/database.ts';

const r = recalls;
const h = recallChanges;
const s = recallSessions;
const isIn = isNull(s.removedAt);
export type RecallRow = typeof r.$inferSelect;

export const insertRecall = (db: Db, values: typeof r.$inferInsert): Promise<RecallRow> =>
  only(db.insert(r).values(values).returning());

export const updateRecall = (db: Db, id: string, change: Partial<typeof r.$inferInsert>): Promise<RecallRow> =>
  only(db.update(r).set(change).where(eq(r.id, id)).returning());

export const lockRecall = (db: Db, id: string, toolId: string) =>
  first(
    db
      .select()
      .from(r)
      .where(and(eq(r.id, id), eq(r.toolId, toolId)))
      .for('update'),
  );

export const findRecall = (db: Db, id: string) => first(db.select().from(r).where(eq(r.id, id)));

/** The recall if people may be told of it, which stays so until the caller's transaction ends. */
export const holdTold = (db: Db, id: string) =>
  first(
    db
      .select()
      .from(r)
      .where(and(eq(r.id, id), isNotNull(r.confirmedAt), isNull(r.closedAt)))
      .for('share'),
  );

export const recallsByIds = (db: Db, ids: string[]) =>
  db.select().from(r).where(inArray(r.id, ids)).orderBy(desc(r.createdAt), asc(r.id));
export const recallsOf = (db: Db, toolId: string) =>
  db.select().from(r).where(eq(r.toolId, toolId)).orderBy(desc(r.createdAt), asc(r.id));

export const insertChange = (db: Db, change: typeof h.$inferInsert) => db.insert(h).values(change);
export const changesOf = (db: Db, recallIds: string[]) =>
  db.select().from(h).where(inArray(h.recallId, recallIds)).orderBy(asc(h.position));

/** Whether an open recall keeps the tool from opening new sessions. */
export const isStopped = async (db: Db, toolId: string): Promise<boolean> =>
  (await db.$count(r, and(eq(r.toolId, toolId), eq(r.stops, true), isNull(r.closedAt)))) > 0;

/** Recalls with something to do: open ones, of which people are told, and closed ones, of whose end somebody is not told yet. */
export const recallsToTell = async (db: Db): Promise<string[]> => {
  const rows = await db
    .select({ id: r.id })
    .from(r)
    .where(and(or(isNotNull(r.confirmedAt), isNotNull(r.closedAt)), isNull(r.closingToldAt)))
    .orderBy(asc(r.createdAt));
  return rows.map(({ id }) => id);
};

type Terms = Pick<RecallTerms, 'versions' | 'fromDay' | 'untilDay'> & { id: string; toolId: string };

/** Statements end within 2.5 s, and a plan made before the table was full must not matter: so many rows at a time, by their keys. */
const batch = 1000;

/** Adds the sessions that the recall touches and doesn't have, or no longer had. */
export async function addTouched(db: Db, recall: Terms, now: Date): Promise<void> {
  for (let after: string | undefined; ;) {
    const page = await recalled.touchedPage(db, recall, batch, after);
    const ids = page.map(({ sessionId }) => sessionId);
    const had = await db
      .select({ id: s.sessionId })
      .from(s)
      .where(and(eq(s.recallId, recall.id), sql`${s.sessionId} = any(${sql.param(ids)}::uuid[])`, isIn));
    const known = new Set(had.map(({ id }) => id));
    const rows = page.filter(({ sessionId }) => !known.has(sessionId));
    if (rows.length > 0)
      await db
        .insert(s)
        .values(rows.map((row) => ({ ...row, recallId: recall.id, foundAt: now })))
        .onConflictDoUpdate({ target: [s.recallId, s.sessionId], set: { removedAt: null } });
    if (page.length < batch) return;
    after = ids.at(-1);
  }
}

/** Takes out of the recall what it no longer touches. The rows stay, with when that was. */
export async function removeUntouched(db: Db, recall: Terms, now: Date): Promise<void> {
  for (let after: string | undefined; ;) {
    const page = await db
      .select({ id: s.sessionId })
      .from(s)
      .where(and(eq(s.recallId, recall.id), isIn, after === undefined ? undefined : sql`${s.sessionId} > ${after}`))
      .orderBy(asc(s.sessionId))
      .limit(batch);
    const ids = page.map(({ id }) => id);
    const touched = await recalled.touchedAmong(db, recall, ids);
    const gone = ids.filter((id) => !touched.has(id));
    if (gone.length > 0)
      await db
        .update(s)
        .set({ removedAt: now })
        .where(and(eq(s.recallId, recall.id), inArray(s.sessionId, gone)));
    if (page.length < batch) return;
    after = ids.at(-1);
  }
}

/** How many people and practices would be told. */
export async function countTouched(db: Db, recall: Omit<Terms, 'id'>): Promise<number> {
  const touched = recalled.touchedBy(db, recall).as('touched');
  const [row] = await db
    .select({
      people: sql<number>`(count(distinct ${touched.userId}) + count(distinct ${touched.teamId}))::int`,
    })
    .from(touched);
  return row?.people ?? 0;
}

/** Whose sessions of a recall: an adviser's own, or those in a practice's record. */
export type Owner = { userId: string } | { teamId: string };
const ofOwner = (owner: Owner) => ('teamId' in owner ? eq(s.teamId, owner.teamId) : eq(s.userId, owner.userId));
const open = sql<number>`(count(*) filter (where ${s.lookedAt} is null))::int`;

/** How many sessions each recall touches, and how many of them nobody has looked at again. */
export const totalsOf = (db: Db, owner: Owner) =>
  db
    .select({ recallId: s.recallId, sessions: count(), open })
    .from(s)
    .where(and(ofOwner(owner), isIn))
    .groupBy(s.recallId);

/** Whose sessions a recall touches, and how many: those with most first. */
export const peopleIn = (db: Db, recallId: string, owner: Owner) =>
  db
    .select({ userId: s.userId, sessions: count(), open })
    .from(s)
    .where(and(eq(s.recallId, recallId), ofOwner(owner), isIn))
    .groupBy(s.userId)
    .orderBy(desc(count()), asc(s.userId));

/** Of each recall: sessions, open ones, people and practices. */
export const totalsOfRecalls = (db: Db, recallIds: string[]) =>
  db
    .select({
      recallId: s.recallId,
      sessions: count(),
      open,
      people: sql<number>`count(distinct ${s.userId})::int`,
      practices: sql<number>`count(distinct ${s.teamId})::int`,
    })
    .from(s)
    .where(and(inArray(s.recallId, recallIds), isIn))
    .groupBy(s.recallId);

export async function idsOf(db: Db, recallId: string, owner: Owner): Promise<string[]> {
  const rows = await db
    .select({ id: s.sessionId })
    .from(s)
    .where(and(eq(s.recallId, recallId), ofOwner(owner), isIn));
  return rows.map(({ id }) => id);
}

/** A page of an owner's sessions in a recall, the newest first; `after` is the last one of the previous page. */
export const pageOf = (
  db: Db,
  recallId: string,
  owner: Owner,
  { onlyOpen, after }: { onlyOpen: boolean; after: string | undefined },
  limit: number,
) =>
  db
    .select({ id: s.sessionId, lookedAt: s.lookedAt, fault: s.fault })
    .from(s)
    .where(
      and(
        eq(s.recallId, recallId),
        ofOwner(owner),
        isIn,
        onlyOpen ? isNull(s.lookedAt) : undefined,
        after === undefined
          ? undefined
          : sql`(${s.begunAt}, ${s.sessionId}) < (select last.begun_at, last.session_id from recall_sessions last
              where last.recall_id = ${recallId} and last.session_id = ${after})`,
      ),
    )
    .orderBy(desc(s.begunAt), desc(s.sessionId))
    .limit(limit);

/** Those of these sessions that are in the recall and the owner's, locked in one order. */
export const lockSessions = (db: Db, recallId: string, owner: Owner, ids: string[]) =>
  db
    .select({ sessionId: s.sessionId, userId: s.userId, teamId: s.teamId })
    .from(s)
    .where(and(eq(s.recallId, recallId), ofOwner(owner), isIn, inArray(s.sessionId, ids)))
    .orderBy(asc(s.sessionId))
    .for('update');

export const noteLooks = (
  db: Db,
  recallId: string,
  ids: string[],
  looked: Pick<typeof s.$inferInsert, 'lookedAt' | 'lookedById' | 'fault'>,
) =>
  db
    .update(s)
    .set(looked)
    .where(and(eq(s.recallId, recallId), inArray(s.sessionId, ids)));

const toldColumn = { user: s.toldAt, team: s.teamToldAt };
const ownerColumn = { user: s.userId, team: s.teamId };
export type Told = keyof typeof toldColumn;

/** People, or practices, with a session in the recall of which they were not told. */
export async function untold(db: Db, recallId: string, who: Told, limit: number): Promise<string[]> {
  const owner = ownerColumn[who];
  const rows = await db
    .selectDistinct({ id: sql<string>`${owner}` })
    .from(s)
    .where(and(eq(s.recallId, recallId), isNull(toldColumn[who]), isNotNull(owner)))
    .limit(limit);
  return rows.map(({ id }) => id);
}

export const noteTold = (db: Db, recallId: string, who: Told, id: string, now: Date) =>
  db
    .update(s)
    .set(who === 'user' ? { toldAt: now } : { teamToldAt: now })
    .where(and(eq(s.recallId, recallId), eq(ownerColumn[who], id), isNull(toldColumn[who])));

/**
 * People, or practices, that were told of the recall or have a session in it, with how many sessions nobody has looked at again, in
 * the order of their ids.
 */
export const openOf = (db: Db, recallId: string, who: Told, after: string | null, limit: number) => {
  const owner = ownerColumn[who];
  return db
    .select({
      id: sql<string>`${owner}`,
      open: sql<number>`(count(*) filter (where ${s.lookedAt} is null and ${isIn}))::int`,
    })
    .from(s)
    .where(
      and(
        eq(s.recallId, recallId),
        isNotNull(owner),
        or(isIn, isNotNull(toldColumn[who])),
        after === null ? undefined : sql`${owner} > ${after}`,
      ),
    )
    .groupBy(owner)
    .orderBy(asc(owner))
    .limit(limit);
};

/** Who has sessions that nobody has looked at again since then: people, or practices, with how many, in the order of their ids. */
export const waiting = (db: Db, who: Told, toldBefore: Date, after: string | null, limit: number) => {
  const owner = ownerColumn[who];
  return db
    .select({ id: sql<string>`${owner}`, sessions: count() })
    .from(s)
    .where(
      and(
        isIn,
        isNull(s.lookedAt),
        isNotNull(owner),
        sql`${toldColumn[who]} < ${toldBefore.toISOString()}::timestamptz`,
        after === null ? undefined : sql`${owner} > ${after}`,
      ),
    )
    .groupBy(owner)
    .orderBy(asc(owner))
    .limit(limit);
};

export const countOf = (db: Db, recallId: string, owner: Owner): Promise<number> =>
  db.$count(s, and(eq(s.recallId, recallId), ofOwner(owner), isIn));
