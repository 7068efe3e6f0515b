import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql, sum } from 'drizzle-orm';
import { type ActKind, undoableKinds } from '#shared/rules/operators/acts.ts';
import { acts } from '#shared/schema/acts.ts';
import { type Db, first, hasChanged } from '#server/platform/data/database.ts';

const a = acts;
export type ActRow = typeof a.$inferSelect;
type Values = typeof a.$inferInsert;
const isOpen = and(eq(a.state, 'approved'), isNull(a.doneAt), isNull(a.failure));

/** Null if another act on the same subject is under way, or the same is waiting already. */
export const insertAct = (db: Db, values: Values): Promise<ActRow | null> =>
  first(db.insert(a).values(values).onConflictDoNothing().returning());

export const changeAct = (db: Db, id: string, values: Partial<Values>) => db.update(a).set(values).where(eq(a.id, id));

/** Locks the act, so that of two who decide at once, one does. */
export const lockAct = (db: Db, id: string): Promise<ActRow | null> =>
  first(db.select().from(a).where(eq(a.id, id)).for('no key update'));

/** An act that is approved, but neither done nor given up. */
export const findOpenAct = (db: Db, id: string): Promise<ActRow | null> =>
  first(
    db
      .select()
      .from(a)
      .where(and(eq(a.id, id), isOpen)),
  );

/** By act, what it is about: a person, a team, a subscription or an invoice. */
export const subjectsOf = async (db: Db, ids: string[]): Promise<Map<string, string>> =>
  new Map(
    (await db.select({ id: a.id, subjectId: a.subjectId }).from(a).where(inArray(a.id, ids))).map(
      ({ id, subjectId }) => [id, subjectId],
    ),
  );

/** Ends an open act; false if it had already ended. */
export const endAct = (db: Db, id: string, end: { doneAt: Date } | { failure: string }): Promise<boolean> =>
  hasChanged(
    db
      .update(a)
      .set(end)
      .where(and(eq(a.id, id), isOpen)),
  );

/** Makes way for another request of the same kind. */
export const endExpired = (db: Db, kind: ActKind, subjectId: string, now: Date) =>
  db
    .update(a)
    .set({ state: 'expired' })
    .where(and(eq(a.kind, kind), eq(a.subjectId, subjectId), eq(a.state, 'waiting'), lte(a.expiresAt, now)));

/** What waits, and what was asked since then and needed a second administrator or can be undone; newest first. */
export const newestActs = (db: Db, since: Date, limit: number) =>
  db
    .select()
    .from(a)
    .where(
      or(
        eq(a.state, 'waiting'),
        and(gt(a.askedAt, since), or(isNotNull(a.expiresAt), inArray(a.kind, [...undoableKinds]))),
      ),
    )
    .orderBy(desc(a.askedAt), a.id)
    .limit(limit);

/** Whether the same was done for the same person again. */
export const isDoneAgain = async (db: Db, { kind, subjectId, doneAt }: ActRow): Promise<boolean> =>
  (await db.$count(a, and(eq(a.kind, kind), eq(a.subjectId, subjectId), gt(a.doneAt, doneAt!)))) > 0;

/** Whether this person was made an administrator since then, by an act that still holds. */
export const wasMadeAdminSince = async (db: Db, userId: string, since: Date): Promise<boolean> =>
  (await db.$count(
    a,
    and(eq(a.kind, 'make_admin'), eq(a.subjectId, userId), gt(a.doneAt, since), isNull(a.undoneAt)),
  )) > 0;

/** Whether anybody was made an administrator here, and that was not undone. */
export const everMadeAdmin = async (db: Db): Promise<boolean> =>
  (await db.$count(a, and(eq(a.kind, 'make_admin'), isNotNull(a.doneAt), isNull(a.undoneAt)))) > 0;

/** An act on who somebody is, done since then. */
const onWhoSince = (since: Date) =>
  and(inArray(a.kind, ['make_admin', 'set_password', 'change_email']), gt(a.doneAt, since));

/** Those of these people on whom this administrator asked for such an act. */
export const handledAmong = async (db: Db, userIds: string[], askedBy: string, since: Date): Promise<string[]> =>
  (
    await db
      .select({ id: a.subjectId })
      .from(a)
      .where(and(inArray(a.subjectId, userIds), eq(a.askedBy, askedBy), onWhoSince(since)))
  ).map(({ id }) => id);

/** Who asked for or approved such an act on this person. */
export const handlersOf = async (db: Db, userId: string, since: Date): Promise<string[]> => {
  const rows = await db
    .select({ askedBy: a.askedBy, decidedBy: a.decidedBy })
    .from(a)
    .where(and(eq(a.subjectId, userId), onWhoSince(since)));
  return rows.flatMap(({ askedBy, decidedBy }) => [askedBy, decidedBy ?? askedBy]);
};

/** What administrators refunded alone to this person since then, or are about to; `without` is an act to leave out. */
export const refundedAlone = async (db: Db, personId: string, since: Date, without?: string): Promise<number> => {
  const [row] = await db
    .select({ cents: sum(a.cents).mapWith(Number) })
    .from(a)
    .where(
      and(
        eq(a.personId, personId),
        gt(a.askedAt, since),
        isNotNull(a.cents),
        isNull(a.failure),
        without === undefined ? undefined : ne(a.id, without),
      ),
    );
  return row?.cents ?? 0;
};

/** Whether another act refunds or has refunded the same invoice under this key. */
export const isRefundKeyUsed = async (db: Db, { id, subjectId }: ActRow, key: string): Promise<boolean> =>
  (await db.$count(
    a,
    and(
      eq(a.kind, 'refund'),
      eq(a.subjectId, subjectId),
      ne(a.id, id),
      isNull(a.failure),
      eq(sql`${a.parameters} ->> 'key'`, key),
    ),
  )) > 0;
