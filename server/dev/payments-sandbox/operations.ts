import type Stripe from 'stripe';
import * as account from './account.ts';
import * as balance from './customers/balance.ts';
import * as customers from './customers/customers.ts';
import { SandboxError, unsupported } from './http/error.ts';
import type { Handler } from './http/handler.ts';
import { listing, listingOfCustomer, retrieving } from './http/lists.ts';
import * as creditNotes from './invoices/credit-notes.ts';
import { createPreview } from './invoices/draft.ts';
import * as invoices from './invoices/invoices.ts';
import * as invoiceItems from './invoices/items.ts';
import * as paymentIntents from './payments/payment-intents.ts';
import * as methods from './payments/payment-methods.ts';
import * as refunds from './payments/refunds.ts';
import * as setupIntents from './payments/setup-intents.ts';
import { cancel as cancelSubscription } from './subscriptions/cancel.ts';
import { create as createSubscription } from './subscriptions/create.ts';
import type { Filter } from './store/queries.ts';
import { listFilter as subscriptionFilter } from './subscriptions/subscriptions.ts';
import { update as updateSubscription } from './subscriptions/update.ts';

function eventFilter({ type, types = type ? [type] : undefined, created }: Stripe.EventListParams): Filter {
  if (types && types.length > 20)
    throw new SandboxError('Array types has too many elements (at most 20).', { param: 'types' });
  const since = typeof created === 'object' ? created.gte : undefined;
  if (created !== undefined && (since === undefined || Object.keys(created).length > 1))
    throw unsupported('created with anything but gte', 'created');
  return { since, ...(types && { oneOf: ['type', types] }) };
}

/** Every call that the sandbox answers, as `Resource.method` of the stripe SDK. The schema is derived for these. */
export const operations = {
  'Accounts.retrieveCurrent': account.retrieveAccount,
  'WebhookEndpoints.create': account.createEndpoint,
  'WebhookEndpoints.update': account.updateEndpoint,
  'WebhookEndpoints.list': listing('webhook_endpoint', '/v1/webhook_endpoints'),
  'Customers.create': customers.create,
  'Customers.retrieve': customers.retrieve,
  'Customers.update': customers.update,
  'Customers.del': customers.del,
  'Customers.list': listing<Stripe.CustomerListParams>('customer', '/v1/customers', ['email'], ({ email }) => ({
    equal: { email },
    noneOf: ['deleted', ['true']],
  })),
  'Customers.createBalanceTransaction': balance.create,
  'Customers.listBalanceTransactions': listingOfCustomer('customer_balance_transaction', 'balance_transactions'),
  'Customers.createTaxId': customers.createTaxId,
  'Customers.listTaxIds': listingOfCustomer('tax_id', 'tax_ids'),
  'Customers.deleteTaxId': customers.deleteTaxId,
  'Customers.listPaymentMethods': listingOfCustomer('payment_method', 'payment_methods'),
  'Products.create': account.createProduct,
  'Products.update': account.updateProduct,
  'Products.retrieve': retrieving('product'),
  'TaxRates.create': account.createTaxRate,
  'TaxRates.list': listing('tax_rate', '/v1/tax_rates', ['active', 'inclusive']),
  'Subscriptions.create': createSubscription,
  'Subscriptions.retrieve': retrieving('subscription'),
  'Subscriptions.update': updateSubscription,
  'Subscriptions.cancel': cancelSubscription,
  'Subscriptions.list': listing<Stripe.SubscriptionListParams>(
    'subscription',
    '/v1/subscriptions',
    ['customer', 'status'],
    subscriptionFilter,
  ),
  'Invoices.create': invoices.create,
  'Invoices.retrieve': retrieving('invoice'),
  'Invoices.list': listing<Stripe.InvoiceListParams>(
    'invoice',
    '/v1/invoices',
    ['customer', 'subscription', 'status'],
    ({ customer, subscription, status }) => ({
      equal: { customer, status, parent: subscription && { subscription_details: { subscription } } },
    }),
  ),
  'Invoices.update': invoices.update,
  'Invoices.listLineItems': invoices.listLines,
  'Invoices.pay': invoices.pay,
  'Invoices.finalizeInvoice': invoices.finalize,
  'Invoices.voidInvoice': invoices.voidOpen,
  'Invoices.createPreview': createPreview,
  'InvoiceItems.create': invoiceItems.create,
  'InvoiceItems.list': listing<Stripe.InvoiceItemListParams>(
    'invoiceitem',
    '/v1/invoiceitems',
    ['customer', 'invoice', 'pending'],
    ({ customer, invoice, pending }) => ({ equal: { customer, invoice: pending ? null : invoice } }),
  ),
  'InvoiceItems.del': invoiceItems.del,
  'InvoicePayments.list': listing<Stripe.InvoicePaymentListParams>(
    'invoice_payment',
    '/v1/invoice_payments',
    ['invoice', 'payment'],
    ({ invoice, payment }) => ({
      equal: { invoice, payment: payment && { payment_intent: payment.payment_intent } },
    }),
  ),
  'PaymentIntents.retrieve': retrieving('payment_intent', 'intent'),
  'PaymentIntents.confirm': paymentIntents.confirm,
  'SetupIntents.create': setupIntents.create,
  'SetupIntents.retrieve': retrieving('setup_intent', 'intent'),
  'SetupIntents.confirm': setupIntents.confirm,
  'PaymentMethods.retrieve': retrieving('payment_method'),
  'PaymentMethods.attach': methods.attach,
  'PaymentMethods.detach': methods.detach,
  'Charges.retrieve': retrieving('charge'),
  'Charges.list': listing('charge', '/v1/charges', ['customer']),
  'Refunds.create': refunds.create,
  'Refunds.retrieve': retrieving('refund'),
  'Refunds.list': listing('refund', '/v1/refunds', ['payment_intent']),
  'CreditNotes.create': creditNotes.create,
  'CreditNotes.retrieve': retrieving('credit_note'),
  'CreditNotes.list': listing('credit_note', '/v1/credit_notes', ['customer', 'invoice']),
  'Disputes.retrieve': retrieving('dispute'),
  'Disputes.list': listing('dispute', '/v1/disputes', ['payment_intent']),
  'Events.list': listing<Stripe.EventListParams>('event', '/v1/events', ['type', 'types', 'created'], eventFilter),
} satisfies Record<string, Handler>;

export type Operation = keyof typeof operations;
