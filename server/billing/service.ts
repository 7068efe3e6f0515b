/** What other parts of the product ask of billing. */
export { cardOf, makeDefaultCard } from './cards.ts';
export { eraseCustomer } from './erase-customer.ts';
export { copyInvoice } from './invoices.ts';
export { isRefusal } from './provider.ts';
export { nextBill, setProviderDiscounts, setProviderQuantity } from './provider-bill.ts';
export {
  clientSecretOf,
  createProviderSubscription,
  endProviderSubscription,
  readProviderSubscription,
  retrieveProviderSubscription,
} from './provider-subscriptions.ts';
export { columnsOf, payerFor, payerOf, teamPayer, userPayer, type Payer } from './payer.ts';
export { storeCard } from './queries-payer.ts';
