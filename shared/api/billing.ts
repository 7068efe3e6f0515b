import * as z from 'zod';
import { states } from '#shared/rules/australia.ts';
import { defineApi, file } from './endpoint.ts';
import { cents, date, id, page, pagination, requiredLine, line } from './fields.ts';

/** Absent: the adviser's own; else a team's, for its owner only (decisions §7). */
const payer = z.strictObject({ teamId: id.optional() });

export const paymentMethod = z.object({
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
});
export type PaymentMethod = z.output<typeof paymentMethod>;

export const billingAddress = z.strictObject({
  line1: requiredLine(200, 'Street address is required'),
  line2: line(200).default(''),
  city: requiredLine(100, 'City is required'),
  state: z.enum(states, { error: 'State is required' }),
  postcode: z
    .string({ error: 'Postcode is required' })
    .trim()
    .regex(/^\d{4}$/, { error: 'Postcode must be 4 digits' }),
});
export type BillingAddress = z.output<typeof billingAddress>;

export const invoice = z.object({
  id: z.string(),
  number: z.string().nullable(),
  /** A refund shows as a note of its own, with the amount it gives back. */
  kind: z.enum(['invoice', 'adjustment_note']),
  date,
  amount: cents,
  gst: cents,
  status: z.enum(['paid', 'open', 'void', 'uncollectible', 'refunded', 'issued']),
  description: z.string(),
  /** The PDF. */
  invoiceUrl: z.string(),
});
export type Invoice = z.output<typeof invoice>;

export const billingApi = defineApi({
  config: {
    method: 'GET',
    path: '/api/billing/config',
    access: 'signedIn',
    summary: 'How the browser reaches the payment provider',
    response: z.object({
      mode: z.enum(['stripe', 'sandbox']),
      publishableKey: z.string(),
      /** Script to load instead of the provider's own; null with real keys. */
      stripeJsUrl: z.string().nullable(),
      apiBase: z.string(),
    }),
  },
  address: {
    method: 'GET',
    path: '/api/billing/address',
    access: 'member',
    summary: 'The billing address',
    query: payer,
    response: billingAddress.nullable(),
  },
  saveAddress: {
    method: 'PUT',
    path: '/api/billing/address',
    access: 'member',
    summary: 'Change the billing address',
    body: billingAddress.extend({ teamId: id.optional() }),
    response: billingAddress,
  },
  setupIntent: {
    method: 'POST',
    path: '/api/billing/setup-intent',
    access: 'member',
    summary: 'Begin to give a card',
    body: payer,
    response: z.object({ clientSecret: z.string() }),
  },
  paymentMethod: {
    method: 'GET',
    path: '/api/billing/payment-method',
    access: 'member',
    summary: 'The card on file',
    query: payer,
    response: paymentMethod.nullable(),
  },
  savePaymentMethod: {
    method: 'POST',
    path: '/api/billing/payment-method',
    access: 'member',
    summary: 'Make the card of a confirmed setup intent the one that pays everything',
    body: z.strictObject({
      setupIntentId: z.string().regex(/^seti_[A-Za-z0-9_]{1,100}$/, { error: 'Not a valid setup intent' }),
      teamId: id.optional(),
    }),
    response: paymentMethod,
  },
  invoices: {
    method: 'GET',
    path: '/api/billing/invoices',
    access: 'member',
    summary: 'Invoices and adjustment notes, newest first',
    query: z.strictObject({ page, teamId: id.optional() }),
    response: z.object({ invoices: z.array(invoice), pagination }),
  },
  invoicePdf: {
    method: 'GET',
    path: '/api/billing/invoices/:id/pdf',
    access: 'member',
    summary: 'Tax invoice or adjustment note as a PDF',
    params: z.strictObject({ id }),
    file: 'application/pdf',
    response: file,
  },
});
