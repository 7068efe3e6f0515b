/** What the rooms above ask of billing. */
export { detachCardsGivenUntil } from './cards.ts';
export { checkWebhook, dashboardSettings, setUpStripe } from './stripe-setup.ts';
export { replayEvent } from './jobs.ts';
export { parkedEvents, pendingEvents } from './queries-events.ts';
export { eventJob } from './webhook.ts';
export { readRefundable, refundInvoice, type Refundable } from './refund.ts';
