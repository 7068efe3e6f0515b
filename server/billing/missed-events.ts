import type Stripe from 'stripe';
import { day, plus } from '#shared/rules/dates.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { receive } from './inbox.ts';
import { asked } from './provider.ts';
import { concernsUs } from './provider-events.ts';
import { knownEvents, lastSeenBefore, parkEvent, strandedEvents } from './queries-events.ts';

/** Reaches back behind the newest event, so that two runs that failed leave no gap. In hours. */
const overlap = 3;
/** Where nothing was received yet. */
const firstLook = 3 * day;
/** A run stops after this; the next goes on. In milliseconds of real time. */
const budgetMs = 20_000;

/**
 * What a lost webhook left (decisions §6): the provider's own list of events is read since those we know of, and what is
 * missing goes the way of every event. Events whose job died are worked again, and after a day left to the administrator.
 */
export async function readMissedEvents(context: Context): Promise<void> {
  await reviveStranded(context);
  const since = (await lastSeenBefore(context.db, overlap)) ?? plus(context.now(), -firstLook);
  const until = realNow().getTime() + budgetMs;
  let after: string | undefined;
  let found = 0;
  do {
    const page: Stripe.ApiList<Stripe.Event> = await asked(context, (stripe) =>
      stripe.events.list({
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: 100,
        ...(after !== undefined && { starting_after: after }),
      }),
    );
    found += await receiveMissing(context, page.data);
    after = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (after !== undefined && realNow().getTime() < until);
  if (found > 0) context.log.warn({ found }, 'events of the provider had not arrived');
}

async function receiveMissing(context: Context, events: Stripe.Event[]): Promise<number> {
  const relevant = events.filter(({ type }) => concernsUs(type));
  if (relevant.length === 0) return 0;
  const known = await knownEvents(
    context.db,
    relevant.map(({ id }) => id),
  );
  const missing = relevant.filter(({ id }) => !known.has(id));
  for (const event of missing) await receive(context, event);
  return missing.length;
}

async function reviveStranded(context: Context): Promise<void> {
  for (const { id, old, lastError } of await strandedEvents(context.db)) {
    if (old) await parkEvent(context.db, id, lastError ?? 'no attempt came to an end within a day');
    else await context.queue.send(context.db, 'provider-event', { id }, { singletonKey: id });
  }
}
