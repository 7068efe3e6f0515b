import type * as z from 'zod';
import { longestUsageSeconds, usageEvent, usageLateHours, type usageRefusals } from '#shared/api/tools.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { reports } from '#server/usage/service.ts';

export type UsageEvent = z.output<typeof usageEvent>;
/** Why an event is refused, with the field and a sentence for whoever reads the tool's log. */
export type Refusal = { reason: (typeof usageRefusals)[number]; field?: string; message: string };
export type Outcome = 'accepted' | 'duplicate' | Refusal;
/** `reportedSeconds` is what was reported of it before. */
type Session = { id: string; createdAt: Date; endedAt: Date | null; reportedSeconds: number };

const isAmount = (issue: z.core.$ZodIssue) =>
  (issue.code === 'too_small' || issue.code === 'too_big') && issue.origin !== 'string';

/** Parses one event, or says why it is refused: `out_of_range` where only numbers are too small or too big. */
export function readEvent(item: unknown): { event: UsageEvent } | { refusal: Refusal } {
  const result = usageEvent.safeParse(item);
  if (!result.success) {
    const issues = result.error.issues;
    const [first] = issues;
    const name = first?.code === 'unrecognized_keys' ? first.keys[0] : first?.path.join('.');
    const refusal: Refusal = {
      reason: issues.every(isAmount) ? 'out_of_range' : 'invalid',
      ...(name && { field: name }),
      message: first?.message ?? 'This is no usage event.',
    };
    return { refusal };
  }
  // Half a surrogate pair has no UTF-8, so Postgres would store a different id from the one sent.
  return /\p{Surrogate}/u.test(result.data.event_id)
    ? { refusal: { reason: 'invalid', field: 'event_id', message: 'It is no well-formed text.' } }
    : { event: result.data };
}

/** A session takes reports for 48 hours after its last reported end, else after its start. */
const isLate = (session: Session, now: Date) => plus(session.endedAt ?? session.createdAt, usageLateHours * hour) < now;

export const storedFigures = (event: UsageEvent) => ({
  sessionDuration: event.duration_seconds,
  actionsPerformed: event.actions_performed,
  dataProcessed: event.data_processed,
  performanceScore: event.performance_score?.toFixed(2) ?? null,
});

const refuse = (reason: Refusal['reason'], field: string, message: string): Refusal => ({ reason, field, message });

/** What a session's reports may add up to. */
const mostSeconds = (session: Session, now: Date) => ageOf(session, now) + longestUsageSeconds;
const ageOf = (session: Session, now: Date) => Math.round((now.getTime() - session.createdAt.getTime()) / 1000);

/**
 * Decides about each event, which ones to store, and how many seconds their sessions may have before them (`rooms`). A known event is
 * a duplicate, however late it is; its id with another session or other figures is refused, since that work would be lost.
 */
export function decideOutcomes<S extends Session>(
  events: UsageEvent[],
  sessions: S[],
  known: Map<string, reports.Said>,
  now: Date,
) {
  const sessionOf = new Map(sessions.map((session) => [session.id, session]));
  const added = new Map<S, number>();
  const taken = new Map(known);
  const outcomes = new Map<UsageEvent, Outcome>();
  const fresh: { event: UsageEvent; session: S }[] = [];

  const outcomeOf = (event: UsageEvent): Outcome => {
    const sessionId = event.session_id.toLowerCase();
    const session = sessionOf.get(sessionId);
    const figures = reports.figuresOf(storedFigures(event));
    const before = taken.get(event.event_id);
    if (before) {
      const isOther = before.sessionId !== null && before.sessionId !== sessionId;
      if (!isOther && before.figures === figures) return 'duplicate';
      const what = isOther ? 'another session' : 'other figures';
      return refuse(
        'event_id_reused',
        'event_id',
        `This event_id was reported before with ${what}: give each report its own.`,
      );
    }
    if (!session) return refuse('unknown_session', 'session_id', 'No session of your tool has this id.');
    if (isLate(session, now))
      return refuse('too_late', 'session_id', `The session was last heard of more than ${usageLateHours} hours ago.`);
    const more = (added.get(session) ?? 0) + event.duration_seconds;
    const total = session.reportedSeconds + more;
    if (total > mostSeconds(session, now))
      return refuse(
        'out_of_range',
        'duration_seconds',
        `The session is ${ageOf(session, now)} seconds old, and its reports would add up to ${total}.`,
      );
    added.set(session, more);
    taken.set(event.event_id, { sessionId, figures });
    fresh.push({ event, session });
    return 'accepted';
  };
  for (const event of events) outcomes.set(event, outcomeOf(event));
  const rooms = [...added].map(([session, more]) => ({ id: session.id, seconds: mostSeconds(session, now) - more }));
  return { outcomes, fresh, rooms };
}
