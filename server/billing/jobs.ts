import type Stripe from 'stripe';
import { day, hour, plus } from '#shared/rules/dates.ts';
import type { Payer } from '#server/payers/service.ts';
import { askStripeIfThere, inTime } from '#server/stripe/ask.ts';
import { refreshCustomer } from '#server/stripe/customers.ts';
import { findAccount, writeEventReading } from '#server/stripe/queries.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { realNow } from '#server/platform/clock.ts';
import { applyEvent, eventJob, eventTypes, recordEvent } from './webhook.ts';
import { findEvent, noteFailedEvent, statusesOfEvents, strandedEvents, unparkEvent } from './queries-events.ts';
import { spreadCard } from './cards.ts';

export { checkStripeAccount } from './stripe-setup.ts';

/** The longest an event may take, in milliseconds: less than its job may, so that every failure is recorded. */
const deadlineMs = 60_000;
/** This many attempts, within half a minute, let a purchase under way be written; after them only a person can say whose money it is. */
const unclaimedAfter = 4;

export async function defineBillingJobs(context: Context): Promise<void> {
  const { queue } = context;
  await queue.define<{ id: string }>(eventJob, { retryLimit: 8, expireInSeconds: 90 }, (data, attempt) =>
    processStripeEvent(context, data.id, attempt),
  );
  const patient = { retryLimit: 8, retryDelaySeconds: 10, expireInSeconds: 120 };
  await queue.define<{ payer: Payer }>('customer-details', patient, ({ payer }) => refreshCustomer(context, payer));
  await queue.define<{ payer: Payer; payOwed?: boolean }>('spread-card', patient, async ({ payer, ...options }) => {
    await spreadCard(context, payer, options);
  });
}

/**
 * Processes one recorded event: its object is read from Stripe, and the event is marked in the same transaction as the
 * effect. Twice, late or out of order makes no difference. The last failed attempt parks it for the administrator; where Stripe bills
 * what nobody here owns, the fourth does.
 */
export async function processStripeEvent(
  context: Context,
  id: string,
  { attempt = 1, lastAttempt }: { attempt?: number; lastAttempt: boolean },
): Promise<void> {
  const event = await findEvent(context.db, id);
  if (!event || event.status === 'processed' || event.status === 'ignored') return;
  try {
    // Work that goes on after the deadline does no harm: the next attempt comes to the same result.
    await inTime(applyEvent(context, event), deadlineMs, 'Stripe was too slow for this event');
  } catch (error) {
    const unclaimed = error instanceof AppError && error.code === 'subscription_unclaimed';
    const hopeless = unclaimed && attempt >= unclaimedAfter;
    await noteFailedEvent(context.db, id, faultOf(error), lastAttempt || hopeless);
    if (!hopeless) throw unclaimed ? new AppError('busy', { cause: error }) : error;
  }
}

/** For the administrator: the cause behind a sentence written for the browser. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault';
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Tries a parked event again, in the caller's transaction; null where there is no such event. */
export async function replayEvent(context: Context, id: string): Promise<'unparked' | 'not_parked' | null> {
  if (!(await unparkEvent(context.db, id))) return (await findEvent(context.db, id)) && 'not_parked';
  await context.queue.send(context.db, eventJob, { id });
  return 'unparked';
}

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
