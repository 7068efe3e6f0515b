import type Stripe from 'stripe';
import { day, hour, plus } from '#shared/rules/dates.ts';
import { askStripeIfThere } from '#server/stripe/ask.ts';
import { listedTypes } from '#server/stripe/event-types.ts';
import { findEventReading, writeEventReading } from '#server/stripe/queries.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { knownEvents, parkEvent, strandedEvents } from './queries-events.ts';
import { eventJob, recordEvent } from './webhook.ts';

/** The job that reads them. */
export const missedEventsJob = 'read-missed-events';

/** How far a reading overlaps the one before it, in milliseconds: the list may show an event a little late. */
const overlap = 3 * hour;
/** How far the first one looks back. */
const firstLookBack = 3 * day;
/** A run stops after this, in milliseconds of real time, and the next one goes on at once. */
const budgetMs = 20_000;

/**
 * Makes up for lost webhooks: reads Stripe's own list of events, newest first, and records those that are missing. Its place
 * in the list is stored, so that however many there are, successive runs get through them. Events whose job died are
 * processed again, and parked for the administrator after a day.
 */
export async function readMissedEvents(context: Context): Promise<void> {
  await reviveStranded(context);
  const before = await findEventReading(context.db);
  const begun = before.eventsReadingSince ?? context.now();
  const since = plus(before.eventsReadUntil ?? context.now(), before.eventsReadUntil ? -overlap : -firstLookBack);
  const until = realNow().getTime() + budgetMs;
  let after = before.eventsCursor;
  let found = 0;
  do {
    const page = await askStripeIfThere(context, (stripe) =>
      stripe.events.list({
        created: { gte: Math.floor(since.getTime() / 1000) },
        types: listedTypes,
        limit: 100,
        ...(after !== null && { starting_after: after }),
      }),
    );
    found += await receiveMissing(context, page?.data ?? []);
    after = page?.has_more ? (page.data.at(-1)?.id ?? null) : null;
    // No page: Stripe has forgotten the event at which the last run stopped, and everything is read again.
    const over = after === null ? (page ? { eventsReadUntil: begun } : {}) : null;
    await writeEventReading(context.db, {
      eventsCursor: after,
      eventsReadingSince: over ? null : begun,
      ...over,
    });
  } while (after !== null && realNow().getTime() < until);
  if (after !== null) await context.queue.send(context.db, missedEventsJob, {}, { singletonKey: 'more' });
  if (found > 0) context.log.warn({ found }, 'events from Stripe had not arrived');
}

async function receiveMissing(context: Context, events: Stripe.Event[]): Promise<number> {
  if (events.length === 0) return 0;
  const ids = events.map(({ id }) => id);
  const known = await knownEvents(context.db, ids);
  const missing = events.filter(({ id }) => !known.has(id));
  for (const event of missing) await recordEvent(context, event);
  return missing.length;
}

async function reviveStranded(context: Context): Promise<void> {
  for (const { id, old, lastError } of await strandedEvents(context.db)) {
    if (old) await parkEvent(context.db, id, lastError ?? 'no attempt came to an end within a day');
    else await context.queue.send(context.db, eventJob, { id }, { singletonKey: id });
  }
}
