import type Stripe from 'stripe';
import * as account from './account.ts';
import * as customers from './customers.ts';
import { SandboxError, unsupported } from './http/error.ts';
import { listing, listingOfCustomer, retrieving, type Handler } from './http/handler.ts';
import * as creditNotes from './invoices/credit-notes.ts';
import { createPreview } from './invoices/draft.ts';
import * as invoices from './invoices/requests.ts';
import { createRefund } from './payments/charges.ts';
import * as intents from './payments/intents.ts';
import * as methods from './payments/payment-methods.ts';
import type { Filter } from './store/store.ts';
import * as subscriptions from './subscriptions/requests.ts';

/** Without a status, cancelled ones are left out, as at Stripe. */
function ofSubscriptions({ customer, status }: Stripe.SubscriptionListParams): Filter {
  if (status === 'ended') throw unsupported('status=ended', 'status');
  if (status && status !== 'all') return { equal: { customer, status } };
  return { equal: { customer }, ...(!status && { noneOf: ['status', ['canceled']] }) };
}

const ofInvoices = ({ customer, subscription, status }: Stripe.InvoiceListParams): Filter => ({
  equal: { customer, status, parent: subscription && { subscription_details: { subscription } } },
});

const ofInvoicePayments = ({ invoice, payment }: Stripe.InvoicePaymentListParams): Filter => ({
  equal: { invoice, payment: payment && { payment_intent: payment.payment_intent } },
});

function ofEvents({ type, types = type ? [type] : undefined, created }: Stripe.EventListParams): Filter {
  if (types && types.length > 20)
    throw new SandboxError('Array types has too many elements (at most 20).', { param: 'types' });
  const since = typeof created === 'object' ? created.gte : undefined;
  if (created !== undefined && (since === undefined || Object.keys(created).length > 1))
    throw unsupported('created with anything but gte', 'created');
  return { since, ...(types && { oneOf: ['type', types] }) };
}

/**
 * Every call that the sandbox answers, as `Resource.method` of the stripe SDK. The schema is derived for these. Where the paths of two
 * are alike, the one without an id comes first.
 */
export const operations = {
  'Accounts.retrieveCurrent': account.retrieveAccount,
  'WebhookEndpoints.create': account.createEndpoint,
  'WebhookEndpoints.update': account.updateEndpoint,
  'WebhookEndpoints.list': listing('webhook_endpoint'),
  'Customers.create': customers.create,
  'Customers.retrieve': retrieving('customer'),
  'Customers.update': customers.update,
  'Customers.del': customers.del,
  'Customers.list': listing<Stripe.CustomerListParams>('customer', ['email'], ({ email }) => ({
    equal: { email },
    noneOf: ['deleted', ['true']],
  })),
  'Customers.createBalanceTransaction': customers.createBalanceTransaction,
  'Customers.listBalanceTransactions': listingOfCustomer('customer_balance_transaction'),
  'Customers.createTaxId': customers.createTaxId,
  'Customers.listTaxIds': listingOfCustomer('tax_id'),
  'Customers.deleteTaxId': customers.deleteTaxId,
  'Customers.listPaymentMethods': listingOfCustomer('payment_method'),
  'Products.create': account.createProduct,
  'Products.update': account.updateProduct,
  'Products.retrieve': retrieving('product'),
  'TaxRates.create': account.createTaxRate,
  'TaxRates.update': account.updateTaxRate,
  'TaxRates.list': listing('tax_rate', ['active', 'inclusive']),
  'Subscriptions.create': subscriptions.create,
  'Subscriptions.retrieve': retrieving('subscription'),
  'Subscriptions.update': subscriptions.update,
  'Subscriptions.cancel': subscriptions.cancel,
  'Subscriptions.list': listing('subscription', ['customer', 'status'], ofSubscriptions),
  'Invoices.createPreview': createPreview,
  'Invoices.create': invoices.create,
  'Invoices.retrieve': retrieving('invoice'),
  'Invoices.list': listing('invoice', ['customer', 'subscription', 'status'], ofInvoices),
  'Invoices.update': invoices.update,
  'Invoices.listLineItems': invoices.listLines,
  'Invoices.pay': invoices.pay,
  'Invoices.finalizeInvoice': invoices.finalize,
  'Invoices.voidInvoice': invoices.voidOpen,
  'InvoiceItems.create': invoices.createItem,
  'InvoiceItems.list': listing<Stripe.InvoiceItemListParams>(
    'invoiceitem',
    ['customer', 'pending'],
    ({ customer, pending }) => ({ equal: { customer, ...(pending && { invoice: null }) } }),
  ),
  'InvoiceItems.del': invoices.deleteItem,
  'InvoicePayments.list': listing('invoice_payment', ['invoice', 'payment'], ofInvoicePayments),
  'PaymentIntents.retrieve': retrieving('payment_intent', 'intent'),
  'PaymentIntents.confirm': intents.confirmPayment,
  'SetupIntents.create': intents.createSetupIntent,
  'SetupIntents.retrieve': retrieving('setup_intent', 'intent'),
  'SetupIntents.confirm': intents.confirmSetup,
  'PaymentMethods.retrieve': retrieving('payment_method'),
  'PaymentMethods.attach': methods.attach,
  'PaymentMethods.detach': methods.detach,
  'Charges.retrieve': retrieving('charge'),
  'Charges.list': listing('charge', ['customer']),
  'Refunds.create': createRefund,
  'Refunds.retrieve': retrieving('refund'),
  'Refunds.list': listing('refund', ['payment_intent']),
  'CreditNotes.create': creditNotes.create,
  'CreditNotes.retrieve': retrieving('credit_note'),
  'CreditNotes.list': listing('credit_note', ['customer', 'invoice']),
  'Disputes.retrieve': retrieving('dispute'),
  'Disputes.list': listing('dispute', ['payment_intent']),
  'Events.list': listing('event', ['type', 'types', 'created'], ofEvents),
} satisfies Record<string, Handler>;

export type Operation = keyof typeof operations;
