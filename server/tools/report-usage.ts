import DataLoader from 'dataloader';
import type { Reply } from '#shared/api/endpoint.ts';
import type { toolsApi } from '#shared/api/tools.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { toAppError } from '#server/platform/error-handler.ts';
import { memoOf } from '#server/platform/memo.ts';
import {
  findSessionsOfTool,
  insertEvents,
  keepSaid,
  knownEventIds,
  lockSessions,
  type NewEvent,
  type Said,
} from '#server/usage/service.ts';
import { openAccess } from './access.ts';
import { decideOutcomes, readEvent, type Outcome, type UsageEvent } from './usage-event.ts';

type Answer = Reply<typeof toolsApi.reportUsage>['events'][number];
type Session = Awaited<ReturnType<typeof lockSessions>>[number];

/** Calls of one tool that come while its last ones are written go together in the next transaction. */
const mostCalls = 40;
type Reported = { events: UsageEvent[]; now: Date };
const writers = memoOf((_db: Db) => new Map<string, DataLoader<Reported, Map<UsageEvent, Outcome>>>());

function writerOf(db: Db, toolId: string) {
  const known = writers(db);
  const existing = known.get(toolId);
  if (existing) return existing;
  let last: Promise<unknown> = Promise.resolve();
  // Each was asked a moment ago; the last clock is the latest.
  const store = (calls: readonly Reported[]) =>
    storeEvents(
      db,
      toolId,
      calls.flatMap(({ events }) => events),
      calls.at(-1)!.now,
    );
  const writer = new DataLoader(
    (calls: readonly Reported[]) => {
      const all = store(calls).then(
        (outcomes) => calls.map(() => outcomes),
        // What is wrong with one call must not refuse the others; a database that is away or busy is not asked once more for each.
        (error: Error) =>
          calls.length === 1 || toAppError(error).code === 'busy'
            ? calls.map(() => error)
            : Promise.all(calls.map((call) => store([call]).catch((fault: Error) => fault))),
      );
      last = all;
      return all;
    },
    {
      cache: false,
      maxBatchSize: mostCalls,
      batchScheduleFn: (dispatch) => void last.then(() => setImmediate(dispatch)),
    },
  );
  known.set(toolId, writer);
  return writer;
}

/**
 * Stores what a tool's server reports. Each event is accepted or refused on its own, and a known event id of this tool
 * changes nothing. All are written in one transaction, so that a failed batch can be sent again whole.
 */
export async function reportUsage(context: Context, toolId: string, items: unknown[]): Promise<{ events: Answer[] }> {
  const parsed = items.map(readEvent);
  const events = parsed.flatMap((one) => ('event' in one ? [one.event] : []));
  const outcomes =
    events.length > 0
      ? await writerOf(context.db, toolId).load({ events, now: context.now() })
      : new Map<UsageEvent, Outcome>();
  const access = await accessOf(context, toolId, unique(events.map((event) => event.session_id.toLowerCase())));
  return {
    events: parsed.map((one, index) =>
      'event' in one
        ? toAnswer(items[index], outcomes.get(one.event)!, access.get(one.event.session_id.toLowerCase()) ?? null)
        : toAnswer(items[index], one.refusal, null),
    ),
  };
}

/** Which of these sessions may go on. */
async function accessOf(context: Context, toolId: string, ids: string[]): Promise<Map<string, boolean>> {
  if (ids.length === 0) return new Map();
  const sessions = await findSessionsOfTool(context.db, toolId, ids);
  const people = unique(sessions.map(({ userId }) => userId));
  const open = await Promise.all(people.map(async (id) => ((await openAccess(context, id, toolId)) ? [id] : [])));
  const allowed = new Set(open.flat());
  return new Map(sessions.map(({ id, userId }) => [id, allowed.has(userId)]));
}

/** What is known already changes nothing, and needs no transaction. */
async function storeEvents(db: Db, toolId: string, events: UsageEvent[], now: Date): Promise<Map<UsageEvent, Outcome>> {
  const ids = unique(events.map((event) => event.event_id));
  const known = await knownEventIds(db, toolId, ids);
  if (known.size === ids.length) return new Map(events.map((event) => [event, 'duplicate']));
  return transaction(db, (tx) => storeNew(tx, toolId, events, known, now));
}

async function storeNew(tx: Db, toolId: string, events: UsageEvent[], known: Set<string>, now: Date) {
  const sessions = await lockSessions(tx, toolId, unique(events.map((event) => event.session_id)));
  let decided = decideOutcomes(events, sessions, known, now);
  // While we waited for the sessions, another batch may have stored what would now be refused.
  if (decided.refused.length > 0) {
    const since = await knownEventIds(tx, toolId, unique(decided.refused.map((event) => event.event_id)));
    decided = decideOutcomes(events, sessions, new Set([...known, ...since]), now);
  }
  const { outcomes, fresh } = decided;
  if (fresh.length === 0) return outcomes;
  const rows = fresh.map(({ event, session }) => rowOf(event, session));
  const stored = await insertEvents(tx, toolId, rows, now);
  // The same where it would have been stored.
  for (const { event } of fresh) if (!stored.has(event.event_id)) outcomes.set(event, 'duplicate');
  const said = saidIn(fresh.flatMap(({ event, session }) => (stored.has(event.event_id) ? [{ event, session }] : [])));
  if (said.length > 0) await keepSaid(tx, said);
  return outcomes;
}

const unique = (values: string[]) => [...new Set(values)];

const rowOf = (event: UsageEvent, session: Session): NewEvent => ({
  userId: session.userId,
  usageId: session.id,
  eventId: event.event_id,
  sessionDuration: event.duration_seconds,
  actionsPerformed: event.actions_performed,
  dataProcessed: event.data_processed,
  performanceScore: event.performance_score?.toFixed(2) ?? null,
  date: session.startedAt,
});

/** Of several events of a session, what the last said. */
function saidIn(events: { event: UsageEvent; session: Session }[]): Said[] {
  const said = new Map<string, Said>();
  for (const { event, session } of events) {
    const { version, purpose, client_reference } = event;
    if ((version ?? purpose ?? client_reference) == null) continue;
    const before = said.get(session.id);
    said.set(session.id, {
      usageId: session.id,
      version: version ?? before?.version ?? null,
      purpose: purpose ?? before?.purpose ?? null,
      reference: client_reference ?? before?.reference ?? null,
    });
  }
  return [...said.values()];
}

function toAnswer(item: unknown, outcome: Outcome, access: boolean | null): Answer {
  const id = typeof item === 'object' && item !== null && 'event_id' in item ? item.event_id : null;
  const event_id = typeof id === 'string' ? id : null;
  return outcome === 'accepted' || outcome === 'duplicate'
    ? { event_id, accepted: true, duplicate: outcome === 'duplicate', access }
    : { event_id, accepted: false, duplicate: false, access, ...outcome };
}
