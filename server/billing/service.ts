/** What the rooms above ask of billing. */
export { cardOnFile, detachCardsGivenUntil, forecastWithCard } from './card-on-file.ts';
export { checkWebhook, dashboardSettings, setUpStripe } from './stripe-setup.ts';
export { replayEvent } from './jobs.ts';
export { parkedEvents, pendingEvents } from './queries-events.ts';
export { eventJob } from './webhook.ts';
export { readRefundable, refundInvoice, type Refundable } from './refund.ts';
