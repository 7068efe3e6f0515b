/** The calls to Stripe, which answer Stripe's own objects. */
export { askStripe, askStripeIfThere, askStripeUnlessRefused, idOf, isRefusal, isReusedKey } from './ask.ts';
export {
  cardOf,
  detachCards,
  findCardAndCredit,
  keepNewestCard,
  letCustomersCardPay,
  setDefaultCard,
} from './cards.ts';
export { allCoupons, codeOfCoupon, couponFor, couponWithId, couponName, discountKindOf } from './coupons.ts';
export { customerChanged, ensureCustomer, eraseCustomer, findCustomer, refreshCustomer } from './customers.ts';
export {
  confirmationOf,
  findConfirmation,
  findInvoice,
  findPaymentProblem,
  nothingToConfirm,
  payInvoice,
  type PaymentProblem,
  voidInvoice,
} from './open-invoice.ts';
export { type EventType, eventTypes } from './event-types.ts';
export { checkMode, modeOf, OtherStripeMode } from './mode.ts';
export {
  draftInvoiceOf,
  nextInvoiceOf,
  previewNextInvoice,
  prorationLabel,
  setStripeDiscounts,
  setStripePrice,
  setStripeQuantity,
} from './next-invoice.ts';
export { pauseAtStripe } from './pause.ts';
export {
  type CancellationFeedback,
  createStripeSubscription,
  dropPendingCharges,
  endStripeSubscription,
  findStripeSubscription,
  hasUnpaidRenewal,
  moveTrialEnd,
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
