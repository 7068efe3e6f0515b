import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

/** What the sandbox keeps, by the name each object carries in its `object` field. Coupons and discounts are an older release's. */
export type Objects = {
  customer: Stripe.Customer;
  tax_id: Stripe.TaxId;
  product: Stripe.Product;
  tax_rate: Stripe.TaxRate;
  coupon: Stripe.Coupon;
  discount: Stripe.Discount;
  subscription: Stripe.Subscription;
  invoice: Stripe.Invoice;
  /** what waits for an invoice, or is on one */
  invoiceitem: Stripe.InvoiceItem;
  customer_balance_transaction: Stripe.CustomerBalanceTransaction;
  invoice_payment: Stripe.InvoicePayment;
  payment_intent: Stripe.PaymentIntent;
  setup_intent: Stripe.SetupIntent;
  payment_method: Stripe.PaymentMethod;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  credit_note: Stripe.CreditNote;
  dispute: Stripe.Dispute;
  event: Stripe.Event;
  webhook_endpoint: Stripe.WebhookEndpoint;
};
export type Kind = keyof Objects;
export type AnyObject = Objects[Kind];
/** Those, and what only ever exists as part of one. */
export type Made = Objects & {
  subscription_item: Stripe.SubscriptionItem;
  plan: Stripe.Plan;
  price: Stripe.Price;
  line_item: Stripe.InvoiceLineItem;
  credit_note_line_item: Stripe.CreditNoteLineItem;
};

/** What the sandbox must remember about an object that Stripe never shows. */
export type Hidden = {
  /** payment_method: which test card it stands for. The number itself is never stored. */
  card?: string;
  /** payment_method: the cardholder has passed the challenge once. */
  authenticated?: boolean;
  /** customer: how many of the next charges are declined, whatever the card. */
  failCharges?: number;
  /** invoice: seconds of the first failed automatic charge; retries count from it. */
  firstFailedAt?: number;
  /** credit_note: it was sent to the customer by email, as it is unless the request says otherwise. */
  mailed?: boolean;
};

/** How ids begin. A coupon has one of its seller's own choosing. */
export const prefixes: Record<Exclude<keyof Made, 'coupon'>, string> = {
  customer: 'cus',
  tax_id: 'txi',
  product: 'prod',
  price: 'price',
  plan: 'plan',
  tax_rate: 'txr',
  discount: 'di',
  subscription: 'sub',
  subscription_item: 'si',
  invoice: 'in',
  line_item: 'il',
  invoiceitem: 'ii',
  customer_balance_transaction: 'cbtxn',
  invoice_payment: 'inpay',
  payment_intent: 'pi',
  setup_intent: 'seti',
  payment_method: 'pm',
  charge: 'ch',
  refund: 're',
  credit_note: 'cn',
  credit_note_line_item: 'cnli',
  dispute: 'dp',
  event: 'evt',
  webhook_endpoint: 'we',
};
const letters = () => randomBytes(12).toString('hex');

export const newId = (kind: keyof typeof prefixes): string => `${prefixes[kind]}_${letters()}`;
export const newRequestId = (): string => `req_${letters()}`;
export const newClientSecret = (intentId: string): string => `${intentId}_secret_${letters()}`;

/** A field that may hold an id or, expanded, the object: stored rows always hold the id. */
export const idOf = (value: string | { id: string }): string => (typeof value === 'string' ? value : value.id);
export const idOrNull = (value: string | { id: string } | null | undefined): string | null =>
  value ? idOf(value) : null;

export function mergeMetadata(
  current: Stripe.Metadata | null,
  change: Stripe.Emptyable<Stripe.MetadataParam> | undefined,
): Stripe.Metadata {
  if (change === undefined) return current ?? {};
  if (change === '') return {};
  const merged = Object.entries({ ...current, ...change }).filter(([, value]) => value !== '' && value !== null);
  return Object.fromEntries(merged.map(([name, value]) => [name, String(value)]));
}

export const listOf = <T>(data: T[], url: string, has_more = false) => ({
  object: 'list' as const,
  data,
  has_more,
  url,
});

/** An invoice that is sent carries this many of its lines; all of them are listed. */
const EMBEDDED_LINES = 10;

/** An object as an answer or an event carries it, with the invoices inside it. */
export const asSent = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_name, part: Partial<Stripe.Invoice> | null) => {
    if (part?.object !== 'invoice' || !part.lines) return part;
    const { data, url } = part.lines;
    return { ...part, lines: listOf(data.slice(0, EMBEDDED_LINES), url, data.length > EMBEDDED_LINES) };
  }) as T;
