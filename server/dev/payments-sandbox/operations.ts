/** What the sandbox answers, as `Resource.method` of the stripe SDK: the schema is derived for these and no others. */
export const operations = {
  Customers: [
    'create',
    'retrieve',
    'update',
    'del',
    'list',
    'createBalanceTransaction',
    'retrieveBalanceTransaction',
    'listBalanceTransactions',
    'createTaxId',
    'retrieveTaxId',
    'listTaxIds',
    'deleteTaxId',
    'listPaymentMethods',
    'retrievePaymentMethod',
  ],
  Products: ['create', 'retrieve', 'update', 'list'],
  Prices: ['create', 'retrieve', 'update', 'list'],
  TaxRates: ['create', 'retrieve', 'list'],
  Coupons: ['create', 'retrieve', 'list'],
  Subscriptions: ['create', 'retrieve', 'update', 'cancel', 'list'],
  Invoices: ['retrieve', 'list', 'listLineItems', 'pay', 'voidInvoice', 'createPreview'],
  InvoiceItems: ['retrieve', 'list', 'del'],
  InvoicePayments: ['retrieve', 'list'],
  PaymentIntents: ['retrieve', 'list', 'confirm', 'cancel'],
  SetupIntents: ['create', 'retrieve', 'list', 'confirm', 'cancel'],
  PaymentMethods: ['retrieve', 'list', 'attach', 'detach'],
  Charges: ['retrieve', 'list'],
  Refunds: ['create', 'retrieve', 'list'],
  CreditNotes: ['create', 'retrieve', 'list', 'listLineItems'],
  Disputes: ['retrieve', 'list'],
  Events: ['retrieve', 'list'],
} as const;

type Resource = keyof typeof operations;
export type Operation = { [R in Resource]: `${R}.${(typeof operations)[R][number]}` }[Resource];
