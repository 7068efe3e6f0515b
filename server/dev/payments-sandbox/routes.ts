import * as balance from './balance.ts';
import * as catalogue from './catalogue.ts';
import * as charges from './charges.ts';
import * as coupons from './coupons.ts';
import * as creditNotes from './credit-notes.ts';
import * as customers from './customers.ts';
import * as disputes from './disputes.ts';
import * as events from './events.ts';
import type { Handler } from './handler.ts';
import * as intents from './intents.ts';
import * as invoices from './invoices.ts';
import type { Operation } from './operations.ts';
import * as methods from './payment-methods.ts';
import { createPreview } from './previews.ts';
import * as refunds from './refunds.ts';
import * as setups from './setup-intents.ts';
import { create as createSubscription } from './subscription-create.ts';
import { update as updateSubscription } from './subscription-update.ts';
import * as subscriptions from './subscriptions.ts';

/** Every call the sandbox answers. */
export const handlers: Record<Operation, Handler> = {
  'Customers.create': customers.create,
  'Customers.retrieve': customers.retrieve,
  'Customers.update': customers.update,
  'Customers.del': customers.del,
  'Customers.list': customers.list,
  'Customers.createBalanceTransaction': balance.create,
  'Customers.retrieveBalanceTransaction': balance.retrieve,
  'Customers.listBalanceTransactions': balance.list,
  'Customers.createTaxId': customers.createTaxId,
  'Customers.retrieveTaxId': customers.retrieveTaxId,
  'Customers.listTaxIds': customers.listTaxIds,
  'Customers.deleteTaxId': customers.deleteTaxId,
  'Customers.listPaymentMethods': methods.listOfCustomer,
  'Customers.retrievePaymentMethod': methods.retrieveOfCustomer,
  'Products.create': catalogue.createProduct,
  'Products.retrieve': catalogue.retrieveProduct,
  'Products.update': catalogue.updateProduct,
  'Products.list': catalogue.listProducts,
  'Prices.create': catalogue.createPrice,
  'Prices.retrieve': catalogue.retrievePrice,
  'Prices.update': catalogue.updatePrice,
  'Prices.list': catalogue.listPrices,
  'TaxRates.create': coupons.createTaxRate,
  'TaxRates.retrieve': coupons.retrieveTaxRate,
  'TaxRates.list': coupons.listTaxRates,
  'Coupons.create': coupons.createCoupon,
  'Coupons.retrieve': coupons.retrieveCoupon,
  'Coupons.list': coupons.listCoupons,
  'Subscriptions.create': createSubscription,
  'Subscriptions.retrieve': subscriptions.retrieve,
  'Subscriptions.update': updateSubscription,
  'Subscriptions.cancel': subscriptions.cancel,
  'Subscriptions.list': subscriptions.list,
  'Invoices.retrieve': invoices.retrieve,
  'Invoices.list': invoices.list,
  'Invoices.listLineItems': invoices.listLines,
  'Invoices.pay': invoices.pay,
  'Invoices.voidInvoice': invoices.voidOpen,
  'Invoices.createPreview': createPreview,
  'InvoiceItems.retrieve': invoices.retrieveItem,
  'InvoiceItems.list': invoices.listItems,
  'InvoiceItems.del': invoices.deleteItem,
  'InvoicePayments.retrieve': invoices.retrievePayment,
  'InvoicePayments.list': invoices.listPayments,
  'PaymentIntents.retrieve': intents.retrieve,
  'PaymentIntents.list': intents.list,
  'PaymentIntents.confirm': intents.confirm,
  'PaymentIntents.cancel': intents.cancel,
  'SetupIntents.create': setups.create,
  'SetupIntents.retrieve': setups.retrieve,
  'SetupIntents.list': setups.list,
  'SetupIntents.confirm': setups.confirm,
  'SetupIntents.cancel': setups.cancel,
  'PaymentMethods.retrieve': methods.retrieve,
  'PaymentMethods.list': methods.list,
  'PaymentMethods.attach': methods.attach,
  'PaymentMethods.detach': methods.detach,
  'Charges.retrieve': charges.retrieve,
  'Charges.list': charges.list,
  'Refunds.create': refunds.create,
  'Refunds.retrieve': refunds.retrieve,
  'Refunds.list': refunds.list,
  'CreditNotes.create': creditNotes.create,
  'CreditNotes.retrieve': creditNotes.retrieve,
  'CreditNotes.list': creditNotes.list,
  'CreditNotes.listLineItems': creditNotes.listLines,
  'Disputes.retrieve': disputes.retrieve,
  'Disputes.list': disputes.list,
  'Events.retrieve': events.retrieve,
  'Events.list': events.list,
};
