/** What other parts of the product ask of billing. */
export { cardOf, makeDefaultCard } from './cards.ts';
export { eraseCustomer } from './erase-customer.ts';
export { copyInvoice } from './invoices.ts';
export { isRefusal } from './provider.ts';
export {
  clientSecretOf,
  createProviderSubscription,
  endProviderSubscription,
  readProviderSubscription,
  setProviderDiscounts,
  retrieveProviderSubscription,
} from './provider-subscriptions.ts';
export { storeCard } from './queries.ts';
