import type Stripe from 'stripe';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { idOf } from './provider.ts';
import { concernsUs } from './provider-events.ts';
import { insertEvent, type NewEvent } from './queries-events.ts';

/** Records an event once, with its job; what it says is not believed, the job reads the object again (decisions §6). */
export async function receive(context: Context, event: Stripe.Event): Promise<void> {
  const row = inboxRow(event);
  await transaction(context.db, async (tx) => {
    const isNew = await insertEvent(tx, row);
    if (isNew && row.status !== 'ignored') await context.queue.send(tx, 'provider-event', { id: row.id });
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
    // A detached card has forgotten whose it was; the event remembers.
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
