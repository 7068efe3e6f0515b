import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { keyOfReference } from '#shared/rules/record/client-reference.ts';
import type { Purpose } from '#shared/rules/record/record.ts';
import { referenceKey, toolUsage } from '#shared/schema/usage.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { person } from '#server/people/service.ts';
import { countChanged, type Db, first, hasChanged, pick, sydneyMidnight } from '#server/platform/data/database.ts';

const s = toolUsage;

const listed = {
  ...pick(s, 'id', 'userId', 'teamId', 'toolId', 'createdAt', 'endedAt', 'reports', 'durationSeconds', 'toolVersion'),
  ...pick(s, 'purpose', 'purposeFrom', 'clientReference', 'referenceFrom', 'checked', 'statedAt'),
  toolName: catalogueTool.name,
  outside: sql<boolean>`${catalogueTool.outsideOf} is not null`,
  firstName: person.firstName,
  lastName: person.lastName,
};
export type RecordRow = Awaited<ReturnType<typeof recordOf>>[number];

/** Whose record, and which part of it; `from` and `to` are Sydney days, both included. */
export type RecordFilter = {
  userId?: string | undefined;
  teamId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  toolId?: string | undefined;
  unstated?: boolean | undefined;
  /** Everybody's sessions but this person's. */
  notUserId?: string | undefined;
  /** The last session of the previous page. */
  after?: string | undefined;
  only?: SQL | undefined;
};

const fits = ({ userId, notUserId, teamId, from, to, toolId, unstated, after, only }: RecordFilter) => {
  const last = sql`(select last.created_at from tool_usage last where last.id = ${after})`;
  return and(
    only,
    userId === undefined ? undefined : eq(s.userId, userId),
    notUserId === undefined ? undefined : ne(s.userId, notUserId),
    teamId === undefined ? undefined : eq(s.teamId, teamId),
    from === undefined ? undefined : gte(s.createdAt, sydneyMidnight(from)),
    to === undefined ? undefined : lt(s.createdAt, sydneyMidnight(to, 1)),
    toolId === undefined ? undefined : eq(s.toolId, toolId),
    unstated ? isNull(s.checked) : undefined,
    after === undefined
      ? undefined
      : sql`${s.createdAt} <= ${last} and (${s.createdAt} < ${last} or ${s.id} > ${after})`,
  );
};

const rowsThatFit = (db: Db, filter: RecordFilter) =>
  db
    .select(listed)
    .from(s)
    .innerJoin(catalogueTool, eq(catalogueTool.id, s.toolId))
    .innerJoin(person, eq(person.id, s.userId))
    .where(fits(filter));

/** A page of an adviser's or a team's sessions, the newest first, in the order of the indexes. */
export const recordOf = (db: Db, filter: RecordFilter, limit: number) =>
  rowsThatFit(db, filter)
    .orderBy(sql`${s.createdAt} desc nulls first`, asc(s.id))
    .limit(limit);

/** The ids of so many of those sessions, drawn at random, and from how many they were. */
export async function drawFrom(db: Db, filter: RecordFilter, size: number): Promise<{ ids: string[]; from: number }> {
  const rows = await db
    .select({ id: s.id, from: sql<number>`(count(*) over ())::int` })
    .from(s)
    .where(fits(filter))
    .orderBy(sql`random()`)
    .limit(size);
  return { ids: rows.map(({ id }) => id), from: rows[0]?.from ?? 0 };
}

export const among = (ids: readonly string[]): SQL => sql`${s.id} = any(${sql.param(ids)}::uuid[])`;

export const findRecord = (db: Db, id: string) => first(rowsThatFit(db, { only: eq(s.id, id) }));

/** The session of a practice's record with this id or, the newest first, those for this client reference. */
export const teamSessionsBy = (db: Db, teamId: string, search: string, limit: number) =>
  rowsThatFit(db, {
    teamId,
    only: or(
      sql`${s.id}::text = lower(${search})`,
      sql`${referenceKey(s.clientReference)} = ${keyOfReference(search)}`,
    ),
  })
    .orderBy(desc(s.createdAt), asc(s.id))
    .limit(limit);

/** This adviser's session, locked, so that statements come one after the other. */
export const lockOwnSession = (db: Db, id: string, userId: string) =>
  first(
    db
      .select(getTableColumns(s))
      .from(s)
      .where(and(eq(s.id, id), eq(s.userId, userId)))
      .for('no key update'),
  );

export type OwnSession = NonNullable<Awaited<ReturnType<typeof lockOwnSession>>>;

export const lockTeamSession = (db: Db, id: string, teamId: string) =>
  first(
    db
      .select(getTableColumns(s))
      .from(s)
      .where(and(eq(s.id, id), eq(s.teamId, teamId)))
      .for('no key update'),
  );

/** Adds a session that an adviser recorded by hand; false where it is there already. */
export const insertByHand = (db: Db, session: typeof s.$inferInsert) =>
  hasChanged(db.insert(s).values(session).onConflictDoNothing());

export const noteStated = (
  db: Db,
  id: string,
  stated: Partial<
    Pick<
      typeof s.$inferInsert,
      'checked' | 'statedAt' | 'purpose' | 'purposeFrom' | 'clientReference' | 'referenceFrom' | 'fromLaunch'
    >
  >,
) => db.update(s).set(stated).where(eq(s.id, id));

/** How many sessions since a moment this adviser has not stated, counted no further than `most`. */
export const countUnstated = (db: Db, userId: string, since: Date, most: number) =>
  db.$count(
    db
      .select({ id: s.id })
      .from(s)
      .where(and(eq(s.userId, userId), isNull(s.checked), gte(s.createdAt, since)))
      .limit(most)
      .as('some'),
  );

/** Of how many of an adviser's newest sessions the client references are offered again. */
const recentSessions = 200;

/** The client references of this adviser's newest sessions, the last used first, each with its last purpose. */
export function recentClients(db: Db, userId: string, limit: number) {
  const newest = db
    .select({ clientReference: s.clientReference, purpose: s.purpose, createdAt: s.createdAt })
    .from(s)
    .where(eq(s.userId, userId))
    .orderBy(sql`${s.createdAt} desc nulls first`, asc(s.id))
    .limit(recentSessions)
    .as('newest');
  const { clientReference, purpose, createdAt } = newest;
  return db
    .select({
      clientReference: sql<string>`(array_agg(${clientReference} order by ${createdAt} desc))[1]`,
      purpose: sql<Purpose | null>`(array_agg(${purpose} order by ${createdAt} desc) filter (where ${purpose} is not null))[1]`,
    })
    .from(newest)
    .where(isNotNull(clientReference))
    .groupBy(referenceKey(clientReference))
    .orderBy(desc(sql`max(${createdAt})`))
    .limit(limit);
}

/** Whether this adviser has ever reviewed a session, or has one in the record of a practice. */
export async function keepsRecord(db: Db, userId: string): Promise<boolean> {
  const kept = db
    .select({ id: s.id })
    .from(s)
    .where(and(eq(s.userId, userId), or(isNotNull(s.checked), isNotNull(s.teamId))))
    .limit(1);
  return (await kept).length > 0;
}

/** The practices in whose record this adviser has a session since a moment. */
export async function teamsWorkedFor(db: Db, userId: string, since: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ teamId: s.teamId })
    .from(s)
    .where(and(eq(s.userId, userId), isNotNull(s.teamId), gte(s.createdAt, since)));
  return rows.flatMap(({ teamId }) => teamId ?? []);
}

/** How many sessions this adviser has in the record of each practice and, under null, of their own alone. */
export const countByTeam = (db: Db, userId: string) =>
  db
    .select({ teamId: s.teamId, sessions: sql<number>`count(*)::int` })
    .from(s)
    .where(eq(s.userId, userId))
    .groupBy(s.teamId);

/** The ids of those sessions, for a condition. */
export const idsOf = (userId: string, teamId: string | null): SQL =>
  sql`(select id from tool_usage where user_id = ${userId}::uuid and team_id is not distinct from ${teamId}::uuid)`;

/** How much each person used each tool through the team since a moment, and how many of those sessions are not stated. */
export function teamTotals(db: Db, teamId: string, since: Date) {
  // Grouped by version first: even of a hundred thousand sessions, only a few rows are left to sort.
  const v = db
    .select({
      toolId: s.toolId,
      userId: s.userId,
      version: s.toolVersion,
      sessions: sql<number>`count(*)`.as('sessions'),
      seconds: sql<number>`sum(${s.durationSeconds})`.as('seconds'),
      unstated: sql<number>`count(*) filter (where ${s.checked} is null)`.as('unstated'),
      unchecked: sql<number>`count(*) filter (where not ${s.checked})`.as('unchecked'),
      lastUsedAt: sql<Date>`max(${s.createdAt})`.as('last_used_at'),
    })
    .from(s)
    .where(and(eq(s.teamId, teamId), gte(s.createdAt, since)))
    .groupBy(s.toolId, s.userId, s.toolVersion)
    .as('v');
  return db
    .select({
      toolId: v.toolId,
      userId: v.userId,
      firstName: person.firstName,
      lastName: person.lastName,
      sessions: sql<number>`sum(${v.sessions})::int`,
      durationSeconds: sql<number>`sum(${v.seconds})::float8`,
      unstated: sql<number>`sum(${v.unstated})::int`,
      unchecked: sql<number>`sum(${v.unchecked})::int`,
      lastUsedAt: sql<Date>`max(${v.lastUsedAt})`.mapWith(s.createdAt),
      version: sql<
        string | null
      >`(array_agg(${v.version} order by ${v.lastUsedAt} desc) filter (where ${v.version} is not null))[1]`,
    })
    .from(v)
    .innerJoin(person, eq(person.id, v.userId))
    .groupBy(v.toolId, v.userId, person.firstName, person.lastName)
    .orderBy(desc(sql`sum(${v.sessions})`), asc(v.userId));
}

/** The ids of a practice's sessions, for a condition. */
export const idsOfTeam = (teamId: string): SQL => sql`(select id from tool_usage where team_id = ${teamId}::uuid)`;

/** Practices' client references that are held. */
export type Held = { teamId: string; clientReference: string }[];
const isHeld = (held: Held) =>
  sql`(${s.teamId}, ${referenceKey(s.clientReference)}) in (
    select team::uuid, key from unnest(
      ${sql.param(held.map(({ teamId }) => teamId))}::text[],
      ${sql.param(held.map(({ clientReference }) => keyOfReference(clientReference)))}::text[]
    ) as held (team, key))`;

export async function heldSessions(db: Db, held: Held): Promise<string[]> {
  if (held.length === 0) return [];
  return (await db.select({ id: s.id }).from(s).where(isHeld(held))).map(({ id }) => id);
}

/** Removes the client references of at most `limit` sessions that began before a moment, but what is held; returns how many. */
export async function forgetReferences(db: Db, before: Date, held: Held, limit: number): Promise<number> {
  const old = db
    .select({ id: s.id })
    .from(s)
    .where(
      and(
        sql`${s.clientReference} is not null`,
        lt(s.createdAt, before),
        held.length > 0 ? sql`(${isHeld(held)}) is not true` : undefined,
      ),
    )
    .limit(limit)
    .for('update', { skipLocked: true });
  return countChanged(db.update(s).set({ clientReference: null, referenceFrom: null }).where(inArray(s.id, old)));
}
