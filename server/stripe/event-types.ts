/**
 * The events that can change anything of ours: exactly these are asked of the webhook endpoint. Anything else that Stripe sends is
 * stored and ignored.
 */
export const eventTypes = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.created',
  'invoice.updated',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'credit_note.created',
  'credit_note.voided',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'customer.updated',
  'customer.deleted',
  'payment_method.detached',
  'payment_method.automatically_updated',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Those that are looked for in the list of missed events, which takes twenty: beside a new draft there is always another one. */
export const listedTypes = eventTypes.filter((type) => type !== 'invoice.created');
