import { and, eq, sql } from 'drizzle-orm';
import { usageAnalytics } from '#shared/schema/analytics.ts';
import type { Db } from '#server/platform/database.ts';

const e = usageAnalytics;

export async function knownEventIds(db: Db, toolId: string, eventIds: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ eventId: e.eventId })
    .from(e)
    .where(and(eq(e.toolId, toolId), sql`${e.eventId} = any(${sql.param(eventIds)}::text[])`));
  return new Set(rows.map((row) => row.eventId));
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

/**
 * In one statement with one parameter per column, however many events there are; in one order, so that two batches can't deadlock.
 * What else there is to know of a session, the caller knows: it holds the session's row.
 */
const storeText = `
  insert into usage_analytics (created_at, tool_id, user_id, usage_id, event_id, session_duration, actions_performed,
    data_processed, performance_score, date)
  select $1::timestamptz, $2, event.*
  from unnest($3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::int[], $8::int[], $9::numeric[], $10::timestamptz[])
    event (user_id, usage_id, id, duration, actions, bytes, score, date)
  order by event.id collate "C"
  on conflict (tool_id, event_id) do nothing
  returning event_id as id`;

/** Stores a tool's events that are not stored yet; answers their ids. */
export async function insertEvents(db: Db, toolId: string, events: NewEvent[], now: Date): Promise<Set<string>> {
  const column = <Name extends keyof NewEvent>(name: Name) => events.map((event) => event[name]);
  const values = [
    now,
    toolId,
    column('userId'),
    column('usageId'),
    column('eventId'),
    column('sessionDuration'),
    column('actionsPerformed'),
    column('dataProcessed'),
    column('performanceScore'),
    column('date'),
  ];
  const { rows } = await db.$client.query<{ id: string }>({ name: 'store-events', text: storeText, values });
  return new Set(rows.map(({ id }) => id));
}

/** What a tool said of a session for the record of AI use; null where it said nothing. */
export type Said = {
  usageId: string;
  version: string | null;
  purpose: string | null;
  reference: string | null;
};

/** Keeps it in the sessions' rows, which are locked; nothing goes over what the adviser stated. */
export async function keepSaid(db: Db, said: Said[]): Promise<void> {
  const text = `
    update tool_usage session set
      tool_version = coalesce(said.version, tool_version),
      purpose = case when purpose_from = 'adviser' then session.purpose else coalesce(said.purpose, session.purpose) end,
      purpose_from = case when said.purpose is null then purpose_from else coalesce(purpose_from, 'tool') end,
      client_reference = case when reference_from = 'adviser' then client_reference else coalesce(said.reference, client_reference) end,
      reference_from = case when said.reference is null then reference_from else coalesce(reference_from, 'tool') end
    from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) said (usage_id, version, purpose, reference)
    where session.id = said.usage_id
      and (coalesce(said.version <> tool_version, said.version is not null)
        or purpose_from is distinct from 'adviser' and coalesce(said.purpose <> session.purpose, said.purpose is not null)
        or reference_from is distinct from 'adviser' and coalesce(said.reference <> client_reference, said.reference is not null))`;
  const column = <Name extends keyof Said>(name: Name) => said.map((one) => one[name]);
  const values = [column('usageId'), column('version'), column('purpose'), column('reference')];
  await db.$client.query({ name: 'keep-said', text, values });
}
