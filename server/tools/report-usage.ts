import type { Reply } from '#shared/api/endpoint.ts';
import type { toolsApi } from '#shared/api/tools.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction, violates, type Db } from '#server/platform/data/database.ts';
import { toAppError } from '#server/platform/http/error-handler.ts';
import { memoOf } from '#server/platform/memo.ts';
import { sharing } from '#server/platform/data/together.ts';
import { reports } from '#server/usage/service.ts';
import type { ToolActor } from '#server/platform/crypto/tool-credentials.ts';
import { openAccess } from './access.ts';
import { goingCheck } from './queries-checks.ts';
import { decideOutcomes, readEvent, storedFigures, type Outcome, type UsageEvent } from './usage-event.ts';

type Answer = Reply<typeof toolsApi.reportUsage>['events'][number];

/** What was decided about each event, and whose each session is. */
type Stored = { outcomes: Map<UsageEvent, Outcome>; userOf: Map<string, string> };
const nothing: Stored = { outcomes: new Map(), userOf: new Map() };

/** At most this many calls of one tool share a transaction: those that arrive while its previous ones are being written. */
const mostCalls = 40;
type Reported = { events: UsageEvent[]; now: Date };
const writers = memoOf((_db: Db) => new Map<string, (call: Reported) => Promise<Stored | null>>());

function writerOf(db: Db, toolId: string) {
  const known = writers(db);
  const existing = known.get(toolId);
  if (existing) return existing;
  // All arrived a moment ago; the last one's time is the latest.
  const store = (calls: readonly Reported[]) =>
    storeEvents(
      db,
      toolId,
      calls.flatMap(({ events }) => events),
      calls.at(-1)!.now,
    );
  const writer = sharing<Stored, Reported>(
    async (calls) => {
      try {
        const stored = await store(calls);
        return calls.map(() => stored);
      } catch (error) {
        // One call's fault must not refuse the others, so each is tried alone; but a database that is away or busy isn't asked again for each.
        if (toAppError(error).code === 'busy') throw error;
        if (calls.length === 1) return [error as Error];
        return Promise.all(calls.map((call) => store([call]).catch((fault: Error) => fault)));
      }
    },
    { atOnce: mostCalls },
  );
  known.set(toolId, writer);
  return writer;
}

/**
 * Stores what a tool's server reports. Each event is accepted or refused on its own, and a known event id of this tool
 * changes nothing. All are written in one transaction, so that a failed batch can be sent again whole.
 */
export async function reportUsage(
  context: Context,
  { toolId, examined }: Pick<ToolActor, 'toolId' | 'examined'>,
  items: unknown[],
): Promise<{ events: Answer[] }> {
  const parsed = items.map(readEvent);
  const events = parsed.flatMap((one) => ('event' in one ? [one.event] : []));
  const now = context.now();
  const { outcomes, userOf } = (events.length > 0 && (await writerOf(context.db, toolId)({ events, now }))) || nothing;
  const users = events.map((event) => userOf.get(event.session_id.toLowerCase()));
  const open = await openTo(context, toolId, unique(users.filter((id) => id !== undefined)));
  const shut = examined ? (await goingCheck(context.db, toolId))?.shutSession : null;
  const accessOf = (event: UsageEvent) => {
    if (event.session_id.toLowerCase() === shut) return false;
    const user = userOf.get(event.session_id.toLowerCase());
    return user === undefined ? null : open.has(user);
  };
  return {
    events: parsed.map((one, index) =>
      'event' in one
        ? toAnswer(items[index], outcomes.get(one.event)!, accessOf(one.event))
        : toAnswer(items[index], one.refusal, null),
    ),
  };
}

/** Which of these people may go on. */
async function openTo(context: Context, toolId: string, userIds: string[]): Promise<Set<string>> {
  const open = await Promise.all(userIds.map(async (id) => ((await openAccess(context, id, toolId)) ? [id] : [])));
  return new Set(open.flat());
}

const mostTries = 5;

/**
 * An event that is known already changes nothing. Between reading and writing, another call may store one of these events or use
 * up a session's room: then nothing is written, and all of it is decided again.
 */
async function storeEvents(db: Db, toolId: string, events: UsageEvent[], now: Date): Promise<Stored> {
  const sessionIds = unique(events.map((event) => event.session_id.toLowerCase()));
  const eventIds = unique(events.map((event) => event.event_id));
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const { sessions, known } = await reports.findReported(db, toolId, sessionIds, eventIds);
    const decided = decideOutcomes(events, sessions, known, now);
    if (await writeFresh(db, toolId, decided, now))
      return { outcomes: decided.outcomes, userOf: new Map(sessions.map(({ id, userId }) => [id, userId])) };
  }
  throw new AppError('busy');
}

type Decided = Pick<ReturnType<typeof decideOutcomes<reports.ReportedSession>>, 'fresh' | 'rooms'>;

async function writeFresh(db: Db, toolId: string, { fresh, rooms }: Decided, now: Date): Promise<boolean> {
  if (fresh.length === 0) return true;
  const rows = fresh.map(({ event, session }) => rowOf(event, session));
  const said = saidIn(fresh);
  try {
    if (said.length === 0) return await reports.insertEvents(db, toolId, rows, rooms, now);
    return await transaction(db, async (tx) => {
      const stored = await reports.insertEvents(tx, toolId, rows, rooms, now);
      if (stored) await reports.keepSaid(tx, said);
      return stored;
    });
  } catch (error) {
    if (violates(error, reports.eventKey)) return false;
    throw error;
  }
}

const unique = (values: string[]) => [...new Set(values)];

const rowOf = (event: UsageEvent, session: reports.ReportedSession): reports.NewEvent => ({
  userId: session.userId,
  usageId: session.id,
  eventId: event.event_id,
  ...storedFigures(event),
  date: session.startedAt,
});

/** What each session's events say for the record; of several, the last one stands. */
function saidIn(events: { event: UsageEvent; session: reports.ReportedSession }[]): reports.SaidOfSession[] {
  const said = new Map<string, reports.SaidOfSession>();
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
