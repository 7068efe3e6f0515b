import type Stripe from 'stripe';
import { day, hour, plus } from '#shared/rules/dates.ts';
import { askStripeIfThere } from '#server/stripe/ask.ts';
import { findAccount, writeEventReading } from '#server/stripe/queries.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { noteFailedEvent, statusesOfEvents, strandedEvents } from './queries-events.ts';
import { eventJob, eventTypes, recordEvent } from './webhook.ts';

/** The job that reads them. */
export const missedEventsJob = 'read-missed-events';

/** Stripe's list takes twenty types: beside a new draft there is always another event. */
const listedTypes = eventTypes.filter((type) => type !== 'invoice.created');
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
  const before = await findAccount(context.db);
  const begun = before?.eventsReadingSince ?? context.now();
  const since = before?.eventsReadUntil ? plus(before.eventsReadUntil, -overlap) : plus(context.now(), -firstLookBack);
  const until = realNow().getTime() + budgetMs;
  let after = before?.eventsCursor ?? null;
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
    found += await recordMissing(context, page?.data ?? []);
    after = page?.has_more ? (page.data.at(-1)?.id ?? null) : null;
    await writeEventReading(context.db, {
      eventsCursor: after,
      eventsReadingSince: after === null ? null : begun,
      // No page: Stripe has forgotten the event at which the last run stopped, and everything is read again.
      ...(after === null && page && { eventsReadUntil: begun }),
    });
  } while (after !== null && realNow().getTime() < until);
  if (after !== null) await context.queue.send(context.db, missedEventsJob, {}, { singletonKey: 'more' });
  if (found > 0) context.log.warn({ found }, 'events from Stripe had not arrived');
}

async function recordMissing(context: Context, events: Stripe.Event[]): Promise<number> {
  const ids = events.map(({ id }) => id);
  const known = await statusesOfEvents(context.db, ids);
  const missing = events.filter(({ id }) => !known.has(id));
  for (const event of missing) await recordEvent(context, event);
  return missing.length;
}

async function reviveStranded(context: Context): Promise<void> {
  for (const { id, old, lastError } of await strandedEvents(context.db)) {
    if (old) await noteFailedEvent(context.db, id, lastError ?? 'no attempt came to an end within a day', true);
    else await context.queue.send(context.db, eventJob, { id }, { singletonKey: id });
  }
}
