/** What other parts of the product ask of billing. */
export { cardOf, makeDefaultCard } from './cards.ts';
export { customerChanged } from './customers.ts';
export { detachCards } from './detach-cards.ts';
export { eraseCustomer } from './erase-customer.ts';
export { copyInvoice } from './invoices.ts';
export { payInvoice, paymentProblemOf, secretOf, type PaymentProblem } from './open-invoice.ts';
export { idOf, isRefusal } from './provider.ts';
export {
  dropPendingCharges,
  hasUnpaidRenewal,
  periodOf,
  resumeProvider,
  scheduledEnd,
  scheduleProviderEnd,
  type Why,
} from './provider-end.ts';
export { nextBill, setProviderDiscounts, setProviderQuantity } from './provider-bill.ts';
export {
  clientSecretOf,
  createProviderSubscription,
  endProviderSubscription,
  readProviderSubscription,
  retrieveProviderSubscription,
} from './provider-subscriptions.ts';
export { columnsOf, payerFor, payerOf, teamPayer, userPayer, type Payer } from './payer.ts';
export { knownInvoiceStatus } from './queries-invoices.ts';
export { storeCard } from './queries-payer.ts';
