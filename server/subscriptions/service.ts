/** What the rooms above ask of subscriptions. */
export {
  cancelForPayer,
  cardForInvoice,
  extendTrial,
  forgiveOpenInvoice,
  longerTrial,
  outlookOf,
  type Outlook,
  retryCharge,
} from './change/by-administrator.ts';
export { endEverything, withdrawPurchases } from './change/end-all.ts';
export {
  type FreeMonthsOutlook,
  freeMonthsOutlook,
  type GivenMonths,
  giveFreeMonths,
  takeFreeMonthsBack,
} from './change/free-months.ts';
export { suspensionChanged } from './change/suspension.ts';
export { findAccess, openTools, subscriptionsOf, whyEnded } from './entitlements.ts';
export { chargeSentence, endingSentence, monthlyOf, nextCharge, refusalsFor } from './notices/sentences.ts';
export { announceToNewContact } from './price/announce.ts';
export { forecastFor, freeAccessChanges } from './price/forecast.ts';
export { couponsInUse, previewTiers, setTiers, withdrawTiers } from './price/volume.ts';
export { previewPrice, pricesOf, setToolPrice, withdrawToolPrice } from './price/tool-price.ts';
export {
  cardChanged,
  freeAccessChanged,
  membershipChanged,
  repriceTeamNow,
  teamSizeChanged,
} from './price/what-changes-prices.ts';
export { payableByCard } from './purchase/attempt.ts';
export { findRowOfInvoice, copyTrials, holdsSubscription, toolsPaidSince } from './queries.ts';
export { syncStripeSubscription } from './sync/sync.ts';
