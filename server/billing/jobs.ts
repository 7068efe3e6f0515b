import type { Context } from '#server/platform/context.ts';
import { refreshCustomer } from './customers.ts';
import type { Payer } from './payer.ts';
import { workEvent } from './provider-events.ts';
import { eventById, noteFailedEvent } from './queries-events.ts';
import { spreadCard } from './spread-card.ts';

export { readMissedEvents } from './missed-events.ts';

/** Longest an event is worked, in milliseconds: less than its job lives, so that every failure is noted by whoever had it. */
const deadlineMs = 60_000;

/** The jobs that requests and webhooks send. */
export async function defineBillingJobs(context: Context): Promise<void> {
  const { queue } = context;
  await queue.define<{ id: string }>(
    'provider-event',
    { retryLimit: 8, retryDelaySeconds: 2, retryBackoff: true, expireInSeconds: 90 },
    (data, attempt) => processProviderEvent(context, data.id, attempt),
  );
  const patient = { retryLimit: 8, retryDelaySeconds: 10, expireInSeconds: 120 };
  await queue.define<{ payer: Payer }>('customer-details', patient, ({ payer }) => refreshCustomer(context, payer));
  await queue.define<{ payer: Payer }>('spread-card', patient, ({ payer }) => spreadCard(context, payer));
}

/**
 * Works one event of the inbox: what it speaks of is read again, and the event is marked in the transaction of the effect.
 * Coming twice, late or out of order makes no difference. The last failure parks it (decisions §6).
 */
export async function processProviderEvent(
  context: Context,
  id: string,
  { lastAttempt }: { lastAttempt: boolean },
): Promise<void> {
  const event = await eventById(context.db, id);
  if (!event || event.status === 'processed' || event.status === 'ignored') return;
  try {
    await inTime(workEvent(context, event));
  } catch (error) {
    await noteFailedEvent(context.db, id, error instanceof Error ? error.message : 'unknown fault', lastAttempt);
    throw error;
  }
}

/** What goes on behind the deadline does no harm: it converges, as the next attempt does. */
async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the provider was too slow for this event')), deadlineMs);
  });
  try {
    await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
