import type { RequestHandler } from 'express';
import type Stripe from 'stripe';
import { findPayerBy } from '#server/payers/service.ts';
import { askStripe, idOf } from '#server/stripe/ask.ts';
import { resumeCollection } from '#server/stripe/bill-subscription.ts';
import { invoiceOfPayment, subscriptionOf } from '#server/stripe/invoices.ts';
import { fromStripe } from '#server/subscriptions/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import { type Context, within } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';
import { syncCard } from './cards.ts';
import { tellFailedRefund } from './failed-refund.ts';
import { recordDispute, syncAdjustmentNotes } from './money-back.ts';
import {
  type EventOfObject,
  type InboxEvent,
  insertEvent,
  markEvents,
  type NewEvent,
  waitingAbout,
} from './queries-events.ts';

export const eventJob = 'stripe-event';

/** How many seconds a signature's time may differ from the real time, either way. */
const tolerance = 300;

/** `POST /api/webhooks/stripe`: stores the event, then answers 200. A job reads the object from Stripe, whatever the event says. */
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
  const object = event.data.object as { object?: string; id?: string; customer?: string | { id: string } | null };
  const before = event.data.previous_attributes as { customer?: string | null } | undefined;
  const idOfKind = (kind: string) => (object.object === kind ? (object.id ?? null) : null);
  return {
    id: event.id,
    type: event.type,
    objectId: object.id ?? null,
    subscriptionId: idOfKind('invoice') ? subscriptionOf(object as Stripe.Invoice) : idOfKind('subscription'),
    // A detached card no longer names its customer, but the event does.
    customerId: idOfKind('customer') ?? idOf(object.customer) ?? before?.customer ?? null,
    occurredAt: new Date(event.created * 1000),
    ...(!isOurs(event.type) && { status: 'ignored' as const, processedAt: realNow() }),
  };
}

/** Reads the event's object from Stripe, and calls `markDone` in the transaction of the effect. False where it is not ours. */
type EventHandler = (context: Context, event: EventOfObject, markDone: (tx: Db) => Promise<void>) => Promise<boolean>;

const subscription: EventHandler = async (context, { type, subscriptionId, customerId }, markDone) => {
  if (type === 'customer.subscription.deleted' && customerId !== null) await resumeCollection(context, customerId);
  return subscriptionId !== null && fromStripe.subscriptionChanged(context, subscriptionId, markDone);
};

const invoice: EventHandler = (context, { objectId }, markDone) =>
  fromStripe.invoiceChanged(context, objectId, markDone);

const refund: EventHandler = async (context, { objectId }, markDone) => {
  const { id, failed } = await findRefundedInvoice(context, objectId);
  if (id === null) return false;
  return syncAdjustmentNotes(context, id, async (tx) => {
    if (failed) await tellFailedRefund(within(context, tx), id, failed);
    await markDone(tx);
  });
};

type Refunded = { id: string | null; failed?: Stripe.Refund | null };

/** The invoice of a credit note or a refund, told apart by their ids; and the refund, where it has failed. */
async function findRefundedInvoice(context: Context, id: string): Promise<Refunded> {
  if (id.startsWith('cn_'))
    return { id: idOf((await askStripe(context, (stripe) => stripe.creditNotes.retrieve(id))).invoice) };
  const refunded = await askStripe(context, (stripe) => stripe.refunds.retrieve(id));
  const payment = idOf(refunded.payment_intent);
  const failed = refunded.status === 'failed' ? refunded : null;
  return { id: payment && (await invoiceOfPayment(context, payment)), failed };
}

const card: EventHandler = async (context, { customerId }, markDone) => {
  const payer = await findPayerBy(context.db, 'stripeCustomerId', customerId);
  if (!payer) return false;
  const kept = await syncCard(context, payer);
  await transaction(context.db, async (tx) => {
    if (kept?.alone === false) await context.queue.send(tx, 'spread-card', { payer });
    await markDone(tx);
  });
  return true;
};

/** The events that can change anything of ours, and what each says. The endpoint asks for exactly these; any other is ignored. */
const events = {
  'customer.subscription.created': [subscription, 'a subscription began'],
  'customer.subscription.updated': [subscription, 'a subscription changed'],
  'customer.subscription.deleted': [subscription, 'a subscription ended'],
  'invoice.created': [invoice, 'an invoice was drafted'],
  'invoice.updated': [invoice, 'an invoice changed'],
  'invoice.finalized': [invoice, 'an invoice was issued'],
  'invoice.paid': [invoice, 'an invoice was paid'],
  'invoice.payment_failed': [invoice, 'a payment failed'],
  'invoice.voided': [invoice, 'an invoice was cancelled'],
  'credit_note.created': [refund, 'an invoice was credited'],
  'credit_note.voided': [refund, 'a credit was withdrawn'],
  'refund.created': [refund, 'money was sent back'],
  'refund.updated': [refund, 'a refund changed'],
  'refund.failed': [refund, 'a refund failed'],
  'charge.dispute.created': [recordDispute, 'a payment was disputed at the bank'],
  'charge.dispute.updated': [recordDispute, 'a dispute went on'],
  'charge.dispute.closed': [recordDispute, 'a dispute was decided'],
  'customer.updated': [card, 'the customer’s card, credit or address changed'],
  'customer.deleted': [card, 'the customer was deleted'],
  'payment_method.detached': [card, 'a card was removed'],
  'payment_method.automatically_updated': [card, 'the bank renewed a card'],
} satisfies Record<string, [EventHandler, string]>;
type EventType = keyof typeof events;

export const eventTypes = Object.keys(events) as EventType[];

const isOurs = (type: string): type is EventType => Object.hasOwn(events, type);

/** What an event of this type says; null where it changes nothing of ours. */
export const sayEvent = (type: string): string | null => (isOurs(type) ? events[type][1] : null);

/** Each of these says something of its own: a subscription's end, and every step of a dispute. */
const saysMore = /^customer\.subscription\.deleted$|^charge\.dispute/;

/** Follows an event, and with it those of its kind that came before and wait: the object is read at Stripe once, after all of them. */
export async function applyEvent(context: Context, event: InboxEvent): Promise<void> {
  const { id, type, objectId } = event;
  const handle = isOurs(type) ? events[type][0] : null;
  const alike = eventTypes.filter((other) => events[other][0] === handle && !saysMore.test(other));
  const others = objectId && alike.length > 0 ? await waitingAbout(context.db, { ...event, objectId }, alike) : [];
  const markDone = (tx: Db) => markEvents(tx, [id, ...others], 'processed');
  const done = handle !== null && objectId !== null && (await handle(context, { ...event, objectId }, markDone));
  if (!done) await markEvents(context.db, [id], 'ignored');
}
