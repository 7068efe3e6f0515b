import type { Payer } from '#server/payers/service.ts';
import { inTime } from '#server/stripe/ask.ts';
import { refreshCustomer } from '#server/stripe/customers.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { applyEvent, eventJob } from './webhook.ts';
import { findEvent, noteFailedEvent, unparkEvent } from './queries-events.ts';
import { spreadCard } from './cards.ts';

export { readMissedEvents } from './missed-events.ts';
export { checkStripeAccount } from './stripe-setup.ts';

/** The longest an event may take, in milliseconds: less than its job may, so that every failure is recorded. */
const deadlineMs = 60_000;
/** This many attempts, within half a minute, let a purchase under way be written; after them only a person can say whose money it is. */
const unclaimedAfter = 4;

/** The jobs that requests and webhooks send. */
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
  const outcome = await unparkEvent(context.db, id);
  if (outcome === 'unparked') await context.queue.send(context.db, eventJob, { id });
  return outcome;
}
