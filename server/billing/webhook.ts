import type { RequestHandler } from 'express';
import type Stripe from 'stripe';
import { findPayerBy } from '#server/payers/service.ts';
import { askStripe, idOf } from '#server/stripe/ask.ts';
import { resumeCollection } from '#server/stripe/bill-subscription.ts';
import type { EventType } from '#server/stripe/event-types.ts';
import { invoiceOfPayment } from '#server/stripe/invoices.ts';
import { fromStripe } from '#server/subscriptions/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';
import { syncAdjustmentNotes } from './adjustment-notes.ts';
import { syncCard } from './cards.ts';
import { recordDispute } from './disputes.ts';
import { type InboxEvent, insertEvent, markEvent, type NewEvent } from './queries-events.ts';

/** The job that processes an event. */
export const eventJob = 'stripe-event';

/** How many seconds a signature's time may differ from the real time, either way. */
const tolerance = 300;

/**
 * `POST /api/webhooks/stripe`: stores the event before answering 200. What it says is not trusted; a job reads the object
 * from Stripe.
 */
export const stripeWebhook =
  (context: Context): RequestHandler =>
  async (req, res) => {
    await recordEvent(context, verifiedEvent(context, req.body, String(req.headers['stripe-signature'] ?? '')));
    res.json({ received: true });
  };

/** The event in a signed body, or 400. The SDK accepts signatures dated in the future; we do not. */
function verifiedEvent(context: Context, body: unknown, signature: string): Stripe.Event {
  try {
    const signedAt = Number(/(?:^|,)t=(\d+)(?:,|$)/.exec(signature)?.[1]);
    if (!(signedAt - realNow().getTime() / 1000 <= tolerance)) throw new Error('the signature is dated in the future');
    const { stripe, webhookSecret } = context.payments;
    return stripe.webhooks.constructEvent(body as Buffer, signature, webhookSecret, tolerance);
  } catch (error) {
    throw new AppError('malformed_request', { cause: error });
  }
}

/** Records an event once, with the job that processes it. */
export async function recordEvent(context: Context, event: Stripe.Event): Promise<void> {
  const row = inboxRow(event);
  await transaction(context.db, async (tx) => {
    const isNew = await insertEvent(tx, row);
    if (isNew && row.status !== 'ignored') await context.queue.send(tx, eventJob, { id: row.id });
  });
}

function inboxRow(event: Stripe.Event): NewEvent {
  const object = event.data.object as { id?: string; customer?: string | { id: string } | null };
  const before = event.data.previous_attributes as { customer?: string | null } | undefined;
  const customerId = event.type.startsWith('customer.') && !event.type.startsWith('customer.subscription.');
  return {
    id: event.id,
    type: event.type,
    objectId: object.id ?? null,
    subscriptionId: subscriptionOf(event),
    // A detached card no longer names its customer, but the event does.
    customerId: (customerId ? object.id : idOf(object.customer)) ?? before?.customer ?? null,
    occurredAt: new Date(event.created * 1000),
    ...(!concernsUs(event.type) && { status: 'ignored' as const, processedAt: realNow() }),
  };
}

function subscriptionOf(event: Stripe.Event): string | null {
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

/** Reads the event's object from Stripe, and calls `markDone` in the transaction of the effect. False where it is not ours. */
type EventHandler = (context: Context, event: InboxEvent, markDone: (tx: Db) => Promise<void>) => Promise<boolean>;

const subscription: EventHandler = async (context, { subscriptionId }, markDone) =>
  subscriptionId !== null && fromStripe.subscriptionChanged(context, subscriptionId, markDone);

/** One that ends by itself stops the collection of the payer's other invoices, like one that we end. */
const endedSubscription: EventHandler = async (context, event, markDone) => {
  if (event.customerId !== null) await resumeCollection(context, event.customerId);
  return subscription(context, event, markDone);
};

const invoice: EventHandler = async (context, { objectId }, markDone) =>
  objectId !== null && fromStripe.invoiceChanged(context, objectId, markDone);

const refund: EventHandler = async (context, { objectId }, markDone) => {
  const id = objectId === null ? null : await findRefundedInvoice(context, objectId);
  return id !== null && syncAdjustmentNotes(context, id, markDone);
};

/** The invoice of a credit note or a refund, told apart by their ids. */
async function findRefundedInvoice(context: Context, id: string): Promise<string | null> {
  if (id.startsWith('cn_'))
    return idOf((await askStripe(context, (stripe) => stripe.creditNotes.retrieve(id))).invoice);
  const { payment_intent: intent } = await askStripe(context, (stripe) => stripe.refunds.retrieve(id));
  const payment = idOf(intent);
  return payment && invoiceOfPayment(context, payment);
}

const card: EventHandler = async (context, { customerId }, markDone) => {
  const payer = customerId === null ? null : await findPayerBy(context.db, 'stripeCustomerId', customerId);
  if (!payer) return false;
  const kept = await syncCard(context, payer);
  await transaction(context.db, async (tx) => {
    if (kept?.alone === false) await context.queue.send(tx, 'spread-card', { payer });
    await markDone(tx);
  });
  return true;
};

const handlers: Record<EventType, EventHandler> = {
  'customer.subscription.created': subscription,
  'customer.subscription.updated': subscription,
  'customer.subscription.deleted': endedSubscription,
  'invoice.created': invoice,
  'invoice.updated': invoice,
  'invoice.finalized': invoice,
  'invoice.paid': invoice,
  'invoice.payment_failed': invoice,
  'invoice.voided': invoice,
  'credit_note.created': refund,
  'credit_note.voided': refund,
  'refund.created': refund,
  'refund.updated': refund,
  'refund.failed': refund,
  'charge.dispute.created': recordDispute,
  'charge.dispute.updated': recordDispute,
  'charge.dispute.closed': recordDispute,
  'customer.updated': card,
  'customer.deleted': card,
  'payment_method.detached': card,
  'payment_method.automatically_updated': card,
};
const findHandler = (type: string): EventHandler | null =>
  Object.hasOwn(handlers, type) ? handlers[type as EventType] : null;

/** Whether an event of this type can change anything of ours. */
const concernsUs = (type: string) => findHandler(type) !== null;

export async function applyEvent(context: Context, event: InboxEvent): Promise<void> {
  const handle = findHandler(event.type);
  const ours = await handle?.(context, event, (tx) => markEvent(tx, event.id, 'processed'));
  if (!ours) await markEvent(context.db, event.id, 'ignored');
}
