/** The calls to Stripe, which answer Stripe's own objects. */
export { askStripe, askStripeIfThere, askStripeUnlessRefused, idOf, isRefusal, isReusedKey } from './ask.ts';
export { allCoupons, codeOfCoupon, couponFor, couponWithId, couponName, discountKindOf } from './coupons.ts';
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
export {
  confirmationOf,
  draftInvoiceOf,
  findConfirmation,
  findInvoice,
  findPaymentProblem,
  nextInvoiceOf,
  nothingToConfirm,
  payInvoice,
  type PaymentProblem,
  previewNextInvoice,
  prorationLabel,
  setStripeDiscounts,
  setStripePrice,
  setStripeQuantity,
  voidInvoice,
} from './invoices.ts';
export { type EventType, eventTypes } from './event-types.ts';
export { checkMode, modeOf, OtherStripeMode } from './mode.ts';
export {
  type CancellationFeedback,
  createStripeSubscription,
  dropPendingCharges,
  endStripeSubscription,
  findStripeSubscription,
  hasUnpaidRenewal,
  moveTrialEnd,
  pauseAtStripe,
  periodOf,
  requireStripeSubscription,
  resumeAtStripe,
  scheduledEnd,
  scheduleStripeEnd,
} from './subscriptions.ts';
export { findEventReading, writeEventReading } from './queries.ts';
export {
  couponFault,
  ensureCoupon,
  ensureGst,
  ensurePrice,
  nameProduct,
  findGst,
  findPrice,
  priceFault,
  priceKey,
  productId,
} from './products.ts';
