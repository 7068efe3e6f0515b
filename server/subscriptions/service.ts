/** What the rooms above ask of subscriptions. */
export { billingForecast, forecastWithoutCard, readBill } from './bill/read.ts';
export { payBill } from './bill/grace.ts';
export { withdrawPurchases } from './buy/attempt.ts';
export * as administratorActs from './change/by-administrator.ts';
export { endEverything } from './change/end.ts';
export * as freeAccess from './change/free-access.ts';
export * as seats from './change/seats.ts';
export { suspensionChanged } from './jobs.ts';
export { queueMirror } from './effects.ts';
export * as forAdministrators from './queries-administrators.ts';
export { copyTrials, holdsSubscription, subscriptionIdsOf, toolsPaidSince } from './queries.ts';
export * as rights from './rights.ts';
export * as fromStripe from './follow-stripe.ts';
export { tellClosed } from './tell/events.ts';
export * as toldBills from './tell/tell.ts';
