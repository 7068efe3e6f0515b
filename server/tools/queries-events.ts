import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, lte, not, or, sql } from 'drizzle-orm';
import { toolEvents } from '#shared/schema/tools.ts';
import { testAdvisers } from '#server/people/service.ts';
import { type Db, deleteSome, first, hasChanged, only } from '#server/platform/data/database.ts';

const e = toolEvents;
export type ToolEvent = typeof e.$inferSelect;

export type NewEvent = Pick<
  typeof e.$inferInsert,
  'toolId' | 'userId' | 'type' | 'reason' | 'details' | 'createdAt' | 'nextAttemptAt'
>;

export const insertEvent = async (db: Db, event: NewEvent): Promise<string> =>
  (await only(db.insert(e).values(event).returning())).id;

export const findEvent = (db: Db, id: string) => first(db.select().from(e).where(eq(e.id, id)));

export const eventsById = (db: Db, ids: string[]) =>
  db.select({ id: e.id, userId: e.userId, toolId: e.toolId }).from(e).where(inArray(e.id, ids));

/**
 * Claims the oldest event that waits for this person and tool, for so many seconds. Null where there is none, it isn't due yet,
 * or somebody else has it: later events wait for it.
 */
export const claimOldest = (
  db: Db,
  { toolId, userId }: Pick<ToolEvent, 'toolId' | 'userId'>,
  now: Date,
  seconds: number,
) =>
  first(
    db
      .update(e)
      .set({ claimedUntil: sql`now() + make_interval(secs => ${seconds})`, attempts: sql`${e.attempts} + 1` })
      .where(
        and(
          sql`${e.id} = (select oldest.id from tool_events oldest where oldest.tool_id = ${toolId}
            and oldest.user_id ${userId === null ? sql`is null` : sql`= ${userId}`} and oldest.next_attempt_at is not null order by oldest.position limit 1)`,
          lte(e.nextAttemptAt, now),
          or(isNull(e.claimedUntil), lt(e.claimedUntil, sql`now()`)),
        ),
      )
      .returning(),
  );

type Outcome = Partial<Pick<ToolEvent, 'nextAttemptAt' | 'deliveredAt' | 'lastStatus' | 'lastError'>>;

/** Notes the outcome of an attempt, and releases the event. */
export const settle = (db: Db, id: string, outcome: Outcome) =>
  db
    .update(e)
    .set({ ...outcome, claimedUntil: null })
    .where(eq(e.id, id));

/** Makes an event that was delivered or given up wait again; false where it is already waiting. */
export const reopen = (db: Db, id: string, now: Date) =>
  hasChanged(
    db
      .update(e)
      .set({ nextAttemptAt: now, deliveredAt: null, attempts: 0 })
      .where(and(eq(e.id, id), isNull(e.nextAttemptAt))),
  );

/** The events to retry, all or one tool's: each the oldest of its person and tool, due, and not claimed. */
export const dueEvents = async (db: Db, now: Date, limit: number, toolId?: string): Promise<string[]> => {
  const rows = await db
    .select({ id: e.id })
    .from(e)
    .where(
      and(
        lte(e.nextAttemptAt, now),
        toolId === undefined ? undefined : eq(e.toolId, toolId),
        or(isNull(e.claimedUntil), lt(e.claimedUntil, sql`now()`)),
        sql`not exists (select 1 from tool_events earlier where earlier.tool_id = ${e.toolId}
          and earlier.user_id = ${e.userId} and earlier.next_attempt_at is not null and earlier.position < ${e.position})`,
        sql`(${e.userId} is not null or not exists (select 1 from tool_events earlier where earlier.tool_id = ${e.toolId}
          and earlier.user_id is null and earlier.next_attempt_at is not null and earlier.position < ${e.position}))`,
      ),
    )
    .orderBy(asc(e.nextAttemptAt), asc(e.position))
    .limit(limit);
  return rows.map(({ id }) => id);
};

/** The tool has erased the person; false where it was never asked to. */
export const confirmErasure = (db: Db, toolId: string, id: string, now: Date) =>
  hasChanged(
    db
      .update(e)
      .set({ confirmedAt: sql`coalesce(${e.confirmedAt}, ${now.toISOString()}::timestamptz)` })
      .where(and(eq(e.id, id), eq(e.toolId, toolId), eq(e.type, 'person.erase'))),
  );

/** An administrator confirms for a tool that can't. Returns the tool, or undefined where it was confirmed before. */
export const confirmForTool = async (
  db: Db,
  id: string,
  confirmedFor: string,
  confirmedAt: Date,
): Promise<string | undefined> =>
  (
    await db
      .update(e)
      .set({ confirmedAt, confirmedFor, nextAttemptAt: null })
      .where(and(eq(e.id, id), eq(e.type, 'person.erase'), isNull(e.confirmedAt)))
      .returning({ toolId: e.toolId })
  )[0]?.toolId;

/** Marks the unconfirmed erasures of real people that were asked for by `until`, each once, and returns them. */
export const markOverdue = (db: Db, until: Date, now: Date) =>
  db
    .update(e)
    .set({ overdueAt: now })
    .where(
      and(
        eq(e.type, 'person.erase'),
        isNull(e.confirmedAt),
        isNull(e.overdueAt),
        lte(e.createdAt, until),
        testAdvisers.isReal(e.userId),
      ),
    )
    .returning({ id: e.id });

/** Deletes at most `limit` settled events from before that time; the erasure of a real person stays until it is confirmed. */
export async function deleteOldEvents(db: Db, before: Date, limit: number): Promise<number> {
  const settled = and(
    lt(e.createdAt, before),
    isNull(e.nextAttemptAt),
    or(sql`${e.type} <> 'person.erase'`, isNotNull(e.confirmedAt), not(testAdvisers.isReal(e.userId))),
  );
  return deleteSome(db, e, e.id, settled, limit);
}

export const eventsOf = (db: Db, toolId: string, limit: number) =>
  db.select().from(e).where(eq(e.toolId, toolId)).orderBy(desc(e.position)).limit(limit);
