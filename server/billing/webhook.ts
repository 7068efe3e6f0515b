import type { RequestHandler } from 'express';
import type Stripe from 'stripe';
import { AppError } from '#server/platform/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { insertEvent, type NewEvent } from './queries.ts';

/** Seconds a signature may be away from the real time, in the past or in the future. */
const tolerance = 300;

/** The event behind a signed body, or 400. The SDK accepts signatures dated in the future; we do not. */
function verified(context: Context, body: unknown, signature: string): Stripe.Event {
  try {
    const signedAt = Number(/(?:^|,)t=(\d+)(?:,|$)/.exec(signature)?.[1]);
    if (!(signedAt - realNow().getTime() / 1000 <= tolerance)) throw new Error('the signature is dated in the future');
    const { stripe, webhookSecret } = context.payments;
    return stripe.webhooks.constructEvent(body as Buffer, signature, webhookSecret, tolerance);
  } catch (error) {
    throw new AppError('malformed_request', { cause: error });
  }
}

const idOf = (reference: string | { id: string } | null | undefined) =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** The subscription an event is about; null for events that change nothing of ours. */
export function subscriptionOf(event: Stripe.Event): string | null {
  const { object } = event.data;
  if (!('object' in object)) return null;
  switch (object.object) {
    case 'subscription':
      return object.id;
    case 'invoice':
      return idOf(object.parent?.subscription_details?.subscription);
    default:
      return null;
  }
}

function inboxRow(event: Stripe.Event): NewEvent {
  const object = event.data.object as { id?: string; customer?: string | { id: string } | null };
  const subscriptionId = subscriptionOf(event);
  return {
    id: event.id,
    type: event.type,
    objectId: object.id ?? null,
    subscriptionId,
    customerId: idOf(object.customer),
    occurredAt: new Date(event.created * 1000),
    ...(subscriptionId === null && { status: 'ignored' as const, processedAt: realNow() }),
  };
}

/**
 * `POST /api/webhooks/stripe`: the event is recorded once, with its job, before the 200; what it says is not believed,
 * the object is read again by the job (decisions §6).
 */
export const stripeWebhook =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const row = inboxRow(verified(context, req.body, String(req.headers['stripe-signature'] ?? '')));
    await transaction(context.db, async (tx) => {
      const isNew = await insertEvent(tx, row);
      if (isNew && row.status !== 'ignored') await context.queue.send(tx, 'provider-event', { id: row.id });
    });
    res.json({ received: true });
  };
