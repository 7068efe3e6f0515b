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
  usageId: string;
  eventId: string;
  sessionDuration: number;
  actionsPerformed: number;
  dataProcessed: number;
  performanceScore: string | null;
  toolVersion: string | null;
  purpose: string | null;
  clientReference: string | null;
};

/**
 * In one statement with one parameter per column, however many events there are. Dated by the session's start, so that a late report
 * counts for the day of the work; in one order, so that two batches can't deadlock. What they say for the record of AI use goes to the
 * session's row: of several the last, and nothing over what the adviser stated.
 */
const storeText = `
  with event as materialized (
    select * from unnest($2::uuid[], $3::text[], $4::int[], $5::int[], $6::int[], $7::numeric[], $8::text[], $9::text[], $10::text[])
      with ordinality event (usage_id, id, duration, actions, bytes, score, version, purpose, reference, place)
  ), stored as (
    insert into usage_analytics (user_id, tool_id, usage_id, event_id, session_duration, actions_performed, data_processed,
      performance_score, date, created_at)
    select session.user_id, session.tool_id, session.id, event.id, event.duration, event.actions, event.bytes,
      event.score, session.created_at, $1::timestamptz
    from event join tool_usage session on session.id = event.usage_id
    order by event.id collate "C"
    on conflict (tool_id, event_id) do nothing
    returning event_id as id
  ), said as (
    select usage_id, (array_agg(version order by place desc) filter (where version is not null))[1] as version,
      (array_agg(purpose order by place desc) filter (where purpose is not null))[1] as purpose,
      (array_agg(reference order by place desc) filter (where reference is not null))[1] as reference
    from event join stored using (id)
    where coalesce(version, purpose, reference) is not null
    group by usage_id
  ), kept as (
    update tool_usage session set
      tool_version = coalesce(said.version, tool_version),
      purpose = case when purpose_from = 'adviser' then session.purpose else coalesce(said.purpose, session.purpose) end,
      purpose_from = case when said.purpose is null then purpose_from else coalesce(purpose_from, 'tool') end,
      client_reference = case when reference_from = 'adviser' then client_reference else coalesce(said.reference, client_reference) end,
      reference_from = case when said.reference is null then reference_from else coalesce(reference_from, 'tool') end
    from said where session.id = said.usage_id
      and (coalesce(said.version <> tool_version, said.version is not null)
        or purpose_from is distinct from 'adviser' and coalesce(said.purpose <> session.purpose, said.purpose is not null)
        or reference_from is distinct from 'adviser' and coalesce(said.reference <> client_reference, said.reference is not null))
  )
  select id from stored`;

/** Stores the events that are not stored yet; answers their ids. */
export async function insertEvents(db: Db, events: NewEvent[], now: Date): Promise<Set<string>> {
  const column = <Name extends keyof NewEvent>(name: Name) => events.map((event) => event[name]);
  const values = [
    now,
    column('usageId'),
    column('eventId'),
    column('sessionDuration'),
    column('actionsPerformed'),
    column('dataProcessed'),
    column('performanceScore'),
    column('toolVersion'),
    column('purpose'),
    column('clientReference'),
  ];
  const { rows } = await db.$client.query<{ id: string }>({ name: 'store-events', text: storeText, values });
  return new Set(rows.map(({ id }) => id));
}
