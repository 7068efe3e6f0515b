import type * as z from 'zod';
import { usageEvent, usageLimits, type usageRefusals } from '#shared/api/tools.ts';
import { hour, plus } from '#shared/rules/dates.ts';

export type UsageEvent = z.output<typeof usageEvent>;
export type Refusal = (typeof usageRefusals)[number];
export type Outcome = Refusal | 'accepted' | 'duplicate';
type Session = { id: string; createdAt: Date; endedAt: Date | null };

/** The scale of performance scores. */
const scoreLimit = 10;

/** Parses one event, or says why it is refused: `out_of_range` where only numbers are too small or too big. */
export function readEvent(item: unknown): UsageEvent | Refusal {
  const result = usageEvent.safeParse(item);
  if (!result.success) {
    const onlyAmounts = result.error.issues.every(
      (issue) => (issue.code === 'too_small' || issue.code === 'too_big') && issue.origin !== 'string',
    );
    return onlyAmounts ? 'out_of_range' : 'invalid';
  }
  const event = result.data;
  // Half a surrogate pair has no UTF-8, so Postgres would store a different id from the one sent.
  if (/\p{Surrogate}/u.test(event.event_id)) return 'invalid';
  const score = event.performance_score ?? 0;
  const inRange =
    event.duration_seconds <= usageLimits.durationSeconds &&
    event.actions_performed <= usageLimits.actions &&
    event.data_processed <= usageLimits.bytes &&
    score >= 0 &&
    score <= scoreLimit;
  return inRange ? event : 'out_of_range';
}

/** A session takes reports for 48 hours after its last reported end, else after its start. */
const isLate = (session: Session, now: Date) =>
  plus(session.endedAt ?? session.createdAt, usageLimits.lateHours * hour) < now;

/**
 * Decides about each event, and which to store, ordered by id so that two batches can't deadlock. A known id is a
 * duplicate, whatever else the event says and however late it is.
 */
export function decideOutcomes<S extends Session>(events: UsageEvent[], sessions: S[], known: Set<string>, now: Date) {
  const sessionOf = new Map(sessions.map((session) => [session.id, session]));
  const taken = new Set(known);
  const outcomes = new Map<UsageEvent, Outcome>();
  const fresh: { event: UsageEvent; session: S }[] = [];
  for (const event of events) {
    const session = sessionOf.get(event.session_id.toLowerCase());
    if (taken.has(event.event_id)) outcomes.set(event, 'duplicate');
    else if (!session) outcomes.set(event, 'unknown_session');
    else if (isLate(session, now)) outcomes.set(event, 'too_late');
    else {
      taken.add(event.event_id);
      fresh.push({ event, session });
      outcomes.set(event, 'accepted');
    }
  }
  fresh.sort((a, b) => (a.event.event_id < b.event.event_id ? -1 : 1));
  return { outcomes, fresh };
}
