import { convergeProviderSubscription } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';
import { refreshCustomer } from './customers.ts';
import type { Payer } from './payer.ts';
import { eventById, markEvent, noteFailedEvent } from './queries.ts';
import { spreadCard } from './spread-card.ts';

/** The jobs that requests and webhooks send. */
export async function defineBillingJobs(context: Context): Promise<void> {
  const { queue } = context;
  await queue.define<{ id: string }>(
    'provider-event',
    { retryLimit: 8, retryDelaySeconds: 2, retryBackoff: true },
    (data, attempt) => processProviderEvent(context, data.id, attempt),
  );
  const patient = { retryLimit: 8, retryDelaySeconds: 10, expireInSeconds: 120 };
  await queue.define<{ payer: Payer }>('customer-details', patient, ({ payer }) => refreshCustomer(context, payer));
  await queue.define<{ payer: Payer }>('spread-card', patient, ({ payer }) => spreadCard(context, payer));
}

/**
 * Works one event of the inbox: the subscription it speaks of is read again, and the event is marked in the transaction
 * of the effect. Coming twice, late or out of order makes no difference. The last failure parks it (decisions §6).
 */
export async function processProviderEvent(
  context: Context,
  id: string,
  { lastAttempt }: { lastAttempt: boolean },
): Promise<void> {
  const event = await eventById(context.db, id);
  if (!event || event.status === 'processed' || event.status === 'ignored') return;
  try {
    const ours =
      event.subscriptionId !== null &&
      (await convergeProviderSubscription(context, event.subscriptionId, (tx) => markEvent(tx, id, 'processed')));
    if (!ours) await markEvent(context.db, id, 'ignored');
  } catch (error) {
    await noteFailedEvent(context.db, id, error instanceof Error ? error.message : 'unknown fault', lastAttempt);
    throw error;
  }
}
