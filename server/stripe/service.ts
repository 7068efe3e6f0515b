/** The calls to Stripe, which answer Stripe's own objects. */
export {
  askStripe,
  askStripeIfThere,
  askStripeUnlessRefused,
  idOf,
  isRefusal,
  isReusedKey,
  unlessRefused,
} from './ask.ts';
export { askOnce } from './ask-once.ts';
export {
  createBillSubscription,
  endsWithPeriod,
  endStripeSubscription,
  findStripeSubscription,
  isOver,
  itemsOf,
  moveStart,
  periodOf,
  requireStripeSubscription,
  type StripeLine,
  writeItems,
} from './bill-subscription.ts';
export { resumeCollection } from './collection.ts';
export { creditOpenInvoice, refundByLines } from './credit-notes.ts';
export {
  cardOf,
  customerChanged,
  detachCards,
  ensureCustomer,
  eraseCustomer,
  findCardAndCredit,
  findCustomer,
  keepNewestCard,
  letCustomersCardPay,
  refreshCustomer,
  setDefaultCard,
} from './customers.ts';
export { type EventType, eventTypes, listedTypes } from './event-types.ts';
export { addInvoiceItem, deleteInvoiceItem, type ItemWanted, pendingItems } from './invoice-items.ts';
export {
  confirmationOf,
  createInvoice,
  findInvoice,
  findMonthInvoice,
  isProcessing,
  lineKey,
  nothingToConfirm,
  payInvoice,
  previewBill,
  problemOf,
  subscriptionOf,
  switchCollection,
  voidDraft,
  voidInvoice,
} from './invoices.ts';
export { checkMode, modeOf, OtherStripeMode } from './mode.ts';
export { ensureGst, ensureProduct, findGst, nameProduct, productId } from './products.ts';
export { findEventReading, hasBegunToJoin, noteJoinBegun, writeEventReading } from './queries.ts';
