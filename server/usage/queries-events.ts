import type { Db } from '#server/platform/data/database.ts';

/** A session of the tool, with the seconds that were reported for it. */
export type ReportedSession = {
  id: string;
  userId: string;
  createdAt: Date;
  endedAt: Date | null;
  reportedSeconds: number;
  /** Its start to the microsecond. */
  startedAt: string;
};

/**
 * In one statement, so that sessions and events are as of one moment. Planned each time: a plan kept from when the table was empty
 * would read the whole of it.
 */
const reportedText = `
  select null as event, id, user_id, created_at, ended_at, duration_seconds::float8 as seconds, created_at::text as started,
    null as figures
  from tool_usage where tool_id = $1 and id = any($2::uuid[])
  union all
  select event_id, usage_id, null, null, null, null, null,
    concat_ws(',', session_duration, actions_performed, data_processed, coalesce(performance_score::text, '-'))
  from usage_analytics where tool_id = $1 and event_id = any($3::text[])`;

type ReportedRow =
  | { event: string; id: string | null; figures: string }
  | {
      event: null;
      id: string;
      user_id: string;
      created_at: Date;
      ended_at: Date | null;
      seconds: number;
      started: string;
    };

type Reported = { id: string; body: string };

/** The newest reports of these sessions, which began after `since`, as JSON of what a tool sends. */
export async function reportsOf(
  db: Db,
  toolId: string,
  sessions: { id: string; userId: string }[],
  since: Date,
  limit: number,
): Promise<Reported[]> {
  const { rows } = await db.$client.query<Reported>(
    `select usage_id as id, json_strip_nulls(json_build_object('event_id', event_id, 'session_id', usage_id,
      'duration_seconds', session_duration, 'actions_performed', actions_performed, 'data_processed', data_processed,
      'performance_score', performance_score))::text as body
    from usage_analytics
    where tool_id = $1 and user_id = any($2::uuid[]) and usage_id = any($3::uuid[]) and date >= $4
    order by date desc, event_id limit $5`,
    [toolId, [...new Set(sessions.map(({ userId }) => userId))], sessions.map(({ id }) => id), since, limit],
  );
  return rows;
}

/** What an event said: its session and its figures, which are the same only for the same event. */
export type Said = { sessionId: string | null; figures: string };
type Figures = Pick<NewEvent, 'sessionDuration' | 'actionsPerformed' | 'dataProcessed' | 'performanceScore'>;

/** As the database writes them. */
export const figuresOf = ({ sessionDuration, actionsPerformed, dataProcessed, performanceScore }: Figures) =>
  [sessionDuration, actionsPerformed, dataProcessed, performanceScore ?? '-'].join(',');

/** This tool's sessions among `sessionIds`, and what those of `eventIds` said that it has reported before. */
export async function findReported(db: Db, toolId: string, sessionIds: string[], eventIds: string[]) {
  const { rows } = await db.$client.query<ReportedRow>(reportedText, [toolId, sessionIds, eventIds]);
  const known = new Map<string, Said>();
  const sessions: ReportedSession[] = [];
  for (const row of rows) {
    if (row.event !== null) known.set(row.event, { sessionId: row.id, figures: row.figures });
    else {
      const { id, user_id: userId, created_at: createdAt, ended_at: endedAt, seconds, started: startedAt } = row;
      sessions.push({ id, userId, createdAt, endedAt, reportedSeconds: seconds, startedAt });
    }
  }
  return { sessions, known };
}

export type NewEvent = {
  userId: string;
  usageId: string;
  eventId: string;
  sessionDuration: number;
  actionsPerformed: number;
  dataProcessed: number;
  performanceScore: string | null;
  /** The session's start to the microsecond, so that a late report counts for the day of the work. */
  date: string;
};

/** A session of these events, and the most seconds that may have been reported for it before them. */
export type Room = { id: string; seconds: number };

/**
 * In one statement with one parameter per column, however many events there are. The sessions are locked first, then the events are
 * written, each in a fixed order, so that two batches wait instead of deadlocking.
 */
const storeText = `
  with locked as (
    select id, duration_seconds from tool_usage where id = any($11::uuid[]) order by id for no key update
  )
  insert into usage_analytics (created_at, tool_id, user_id, usage_id, event_id, session_duration, actions_performed,
    data_processed, performance_score, date)
  select $1::timestamptz, $2, event.*
  from unnest($3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::int[], $8::int[], $9::numeric[], $10::timestamptz[])
    event (user_id, usage_id, id, duration, actions, bytes, score, date)
  where (
    select count(*) = cardinality($11::uuid[])
    from locked join unnest($11::uuid[], $12::bigint[]) room (id, seconds) on room.id = locked.id
    where locked.duration_seconds <= room.seconds
  )
  order by event.id collate "C"`;

/** If two calls store the same event at the same moment, this constraint refuses the second. */
export const eventKey = 'usage_analytics_event';

/** Stores a tool's events, none of which may be known; returns whether their sessions had room for them. If not, nothing is stored. */
export async function insertEvents(
  db: Db,
  toolId: string,
  events: NewEvent[],
  rooms: Room[],
  now: Date,
): Promise<boolean> {
  // Ids, numbers and times need no quoting; pg would check each of them for it.
  const column = (name: Exclude<keyof NewEvent, 'eventId'>) =>
    `{${events.map((event) => event[name] ?? 'null').join(',')}}`;
  const values = [
    now,
    toolId,
    column('userId'),
    column('usageId'),
    events.map(({ eventId }) => eventId),
    column('sessionDuration'),
    column('actionsPerformed'),
    column('dataProcessed'),
    column('performanceScore'),
    column('date'),
    rooms.map(({ id }) => id),
    rooms.map(({ seconds }) => seconds),
  ];
  const { rowCount } = await db.$client.query({ name: 'store-events', text: storeText, values });
  return rowCount === events.length;
}

/** What a tool said about a session for the record of AI use; null where it said nothing. */
export type SaidOfSession = {
  usageId: string;
  version: string | null;
  purpose: string | null;
  reference: string | null;
};

/** Keeps it in the sessions' rows, which are locked; it corrects what came with the launch, never what the adviser stated. */
export async function keepSaid(db: Db, said: SaidOfSession[]): Promise<void> {
  const corrects = (what: string, from: string, stored: string) =>
    `(${from} is distinct from 'adviser' or from_launch) and coalesce(said.${what} <> ${stored}, said.${what} is not null)`;
  const purpose = corrects('purpose', 'purpose_from', 'session.purpose');
  const reference = corrects('reference', 'reference_from', 'client_reference');
  const text = `
    update tool_usage session set
      tool_version = coalesce(said.version, tool_version),
      purpose = case when ${purpose} then said.purpose else session.purpose end,
      purpose_from = case when ${purpose} then 'tool' else purpose_from end,
      client_reference = case when ${reference} then said.reference else client_reference end,
      reference_from = case when ${reference} then 'tool' else reference_from end
    from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) said (usage_id, version, purpose, reference)
    where session.id = said.usage_id
      and (coalesce(said.version <> tool_version, said.version is not null) or ${purpose} or ${reference})`;
  const column = <Name extends keyof SaidOfSession>(name: Name) => said.map((one) => one[name]);
  const values = [column('usageId'), column('version'), column('purpose'), column('reference')];
  await db.$client.query({ name: 'keep-said', text, values });
}
