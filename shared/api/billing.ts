import * as z from 'zod';
import { states } from '#shared/rules/australia.ts';
import { discountKinds } from '#shared/rules/pricing.ts';
import { defineApi, file } from './endpoint.ts';
import { cents, date, id, page, pagination, requiredLine, line } from './fields.ts';

/** Without a team, the adviser; a team's owner may name the team. */
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
  /** A refund is listed as a note of its own. */
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

const forecastLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('price'), label: z.string(), quantity: z.int(), unitCents: cents, cents }),
  z.object({
    kind: z.literal('discount'),
    discount: z.enum(discountKinds),
    label: z.string(),
    percent: z.number(),
    cents: z.int(),
    endsAt: date.nullable(),
  }),
  z.object({ kind: z.enum(['proration', 'credit']), label: z.string(), cents: z.int() }),
]);

export const forecast = z.object({
  /** Invoices to come, earliest first; their lines add up to the total, unless a credit is larger. */
  charges: z.array(
    z.object({
      at: date,
      subscriptionId: z.string(),
      toolId: z.string(),
      toolName: z.string(),
      reason: z.enum(['renewal', 'trial_end']),
      lines: z.array(forecastLine),
      /** What the card is charged. */
      totalCents: cents,
      gstCents: z.int(),
      /** The first later charge of a different amount. */
      after: z.object({ at: date, totalCents: cents }).nullable(),
    }),
  ),
  /** What will end by itself. */
  endings: z.array(
    z.object({
      at: date,
      subscriptionId: z.string(),
      toolId: z.string(),
      toolName: z.string(),
      reason: z.enum(['cancelled', 'auto_renew_off', 'trial_without_card']),
      /** What a month would cost if it went on. */
      monthlyCents: cents,
    }),
  ),
  /** The earliest charge, together with all others on the same day where the payer lives. */
  next: z.object({ at: date, totalCents: cents }).nullable(),
  /** The card that is charged; null where there is none. */
  card: paymentMethod.nullable(),
});
export type Forecast = z.output<typeof forecast>;

export const billingApi = defineApi({
  config: {
    method: 'GET',
    path: '/api/billing/config',
    access: 'signedIn',
    summary: 'How the browser reaches Stripe',
    response: z.object({
      mode: z.enum(['stripe', 'sandbox']),
      publishableKey: z.string(),
      /** The sandbox's stand-in for Stripe.js; null with real keys. */
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
    proof: 'team',
    body: payer,
    /** What is owed, and charged to the card as soon as it is saved. */
    response: z.object({ clientSecret: z.string(), owedCents: cents }),
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
    proof: 'team',
    body: z.strictObject({
      setupIntentId: z.string().regex(/^seti_[A-Za-z0-9_]{1,100}$/, { error: 'Not a valid setup intent' }),
      teamId: id.optional(),
    }),
    /** How much of what was owed is now paid with it, and how much was refused. */
    response: paymentMethod.extend({ paidCents: cents, refusedCents: cents }),
  },
  forecast: {
    method: 'GET',
    path: '/api/billing/forecast',
    access: 'member',
    summary: 'What will be charged when, and what will end',
    query: payer,
    response: forecast,
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
