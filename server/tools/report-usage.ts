import type { Reply } from '#shared/api/endpoint.ts';
import type { toolsApi } from '#shared/api/tools.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { insertEvents, knownEventIds, lockSessions, markSessionsEnded } from './queries.ts';
import { judge, readEvent, type Outcome, type UsageEvent } from './usage-event.ts';

type Answer = Reply<typeof toolsApi.reportUsage>['events'][number];
type Session = Awaited<ReturnType<typeof lockSessions>>[number];

/**
 * Takes what a tool's server reports, each event on its own (decisions §8). An event id of this tool that is known
 * changes nothing. Written in one transaction, so that a batch that failed can be sent again whole.
 */
export async function reportUsage(context: Context, toolId: string, items: unknown[]): Promise<{ events: Answer[] }> {
  const parsed = items.map(readEvent);
  const events = parsed.filter((event) => typeof event === 'object');
  const outcomes =
    events.length > 0
      ? await transaction(context.db, (tx) => store(tx, toolId, events, context.now()))
      : new Map<UsageEvent, Outcome>();
  const outcomeOf = (event: UsageEvent | Outcome) => (typeof event === 'object' ? outcomes.get(event) : event);
  return { events: parsed.map((event, index) => answer(items[index], outcomeOf(event) ?? 'invalid')) };
}

async function store(tx: Db, toolId: string, events: UsageEvent[], now: Date): Promise<Map<UsageEvent, Outcome>> {
  const sessions = await lockSessions(tx, toolId, unique(events.map((event) => event.session_id)));
  const known = await knownEventIds(tx, toolId, unique(events.map((event) => event.event_id)));
  const { outcomes, fresh } = judge(events, sessions, known, now);
  if (fresh.length === 0) return outcomes;
  const rows = fresh.map(({ event, session }) => rowOf(event, session, toolId, now));
  const stored = await insertEvents(tx, rows);
  const counted = fresh.filter(({ event }) => stored.has(event.event_id));
  // Another batch, for another session, may have stored the same id since it was looked up.
  for (const { event } of fresh) if (!stored.has(event.event_id)) outcomes.set(event, 'duplicate');
  if (counted.length > 0) await markSessionsEnded(tx, unique(counted.map(({ session }) => session.id)), now);
  return outcomes;
}

const unique = (values: string[]) => [...new Set(values)];

/** Dated by the session's beginning, so that a late report counts for the day on which the work was done. */
const rowOf = (event: UsageEvent, session: Session, toolId: string, now: Date) => ({
  userId: session.userId,
  toolId,
  usageId: session.id,
  eventId: event.event_id,
  sessionDuration: event.duration_seconds,
  actionsPerformed: event.actions_performed,
  dataProcessed: event.data_processed,
  performanceScore: event.performance_score?.toFixed(2) ?? null,
  date: session.createdAt,
  createdAt: now,
});

function answer(item: unknown, outcome: Outcome): Answer {
  const id = typeof item === 'object' && item !== null && 'event_id' in item ? item.event_id : null;
  const event_id = typeof id === 'string' ? id : null;
  return outcome === 'accepted' || outcome === 'duplicate'
    ? { event_id, accepted: true, duplicate: outcome === 'duplicate' }
    : { event_id, accepted: false, duplicate: false, reason: outcome };
}
