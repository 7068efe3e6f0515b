export { detachCardsGivenUntil } from './cards.ts';
export { checkWebhook, dashboardSettings, setUpStripe } from './stripe-setup.ts';
export { replayEvent } from './jobs.ts';
export { parkedEvents, statusesOfEvents } from './queries-events.ts';
export { eventJob, eventTypes, sayEvent } from './webhook.ts';
export { readRefundable, refundInvoice, type Refundable } from './money-back.ts';
