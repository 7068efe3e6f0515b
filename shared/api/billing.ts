import * as z from 'zod';
import { states } from '#shared/rules/australia.ts';
import { adjustmentCauses } from '#shared/rules/billing/bill-types.ts';
import { discountKinds } from '#shared/rules/billing/pricing.ts';
import { defineApi } from './endpoint.ts';
import { charge, confirmation } from './charge.ts';
import { cents, date, id, line, page, pagination, postcode, requiredLine, wholeText } from './fields.ts';

/** Without a team, the adviser; a team's owner may name the team. */
export const payer = z.strictObject({ teamId: id.optional() });

export const paymentMethod = z.object({
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
});
export type PaymentMethod = z.output<typeof paymentMethod>;

const addressParts = z.strictObject({
  line1: requiredLine(200, 'Street address is required'),
  line2: line(200),
  city: requiredLine(100, 'City is required'),
  state: z.enum(states, { error: 'State is required' }),
  postcode,
});
export const billingAddress = addressParts.extend({ line2: line(200).default('') });
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

/** A calendar day in Sydney, `2026-11-21`. */
const day = z.string();

/** One tool for one month: its base less its discounts. */
export const billLine = z.object({
  subscriptionId: z.string(),
  toolId: z.string(),
  toolName: z.string(),
  quantity: z.int(),
  unitCents: cents,
  baseCents: cents,
  discounts: z.array(
    z.object({
      kind: z.enum(discountKinds),
      label: z.string(),
      percent: z.number(),
      cents,
      endsAt: z.string().nullable(),
    }),
  ),
  cents,
  gstCents: z.int(),
  from: day,
  to: day,
});

/** Part of a month; a credit is negative. */
export const billPart = z.object({
  toolId: z.string(),
  toolName: z.string(),
  /** Whose seat it is for. */
  person: z.string().nullable(),
  cause: z.enum([...adjustmentCauses, 'purchase']),
  from: day,
  to: day,
  days: z.int(),
  cents: z.int(),
  gstCents: z.int(),
});

/** What a payer is charged at one instant. Lines and parts less the credit, and less what is carried, are the total. */
const bill = z.object({
  at: date,
  /** The Sydney day of it. */
  day,
  lines: z.array(billLine),
  parts: z.array(billPart),
  /** Credits that it can't take; they stay for the next one. */
  leftCents: cents,
  /** What the customer's balance at Stripe has left after it. */
  balanceLeftCents: cents,
  /** What earlier credit takes off; negative where something owed is added. */
  creditCents: z.int(),
  /** What the card is charged. */
  totalCents: cents,
  /** Too little to charge now; the next bill has it. */
  carriedCents: cents,
  gstCents: z.int(),
});

/** The first later bill whose month costs another amount. */
const later = z.object({ at: date, day, monthCents: cents, parts: z.array(billPart) });

export const ending = z.object({
  at: date,
  subscriptionId: z.string(),
  toolId: z.string(),
  toolName: z.string(),
  reason: z.enum(['cancelled', 'auto_renew_off', 'trial_without_card']),
  /** What a month would cost if it went on. */
  monthlyCents: cents,
});

export const forecast = z.object({
  /** The coming bill; null where none is coming. */
  bill: bill.nullable(),
  later: later.nullable(),
  /** What will end by itself. */
  endings: z.array(ending),
  /** How many paid tools the volume discount counts: today, and for the coming bill. */
  paidTools: z.object({ now: z.int(), next: z.int() }),
  /** The volume discounts of the coming bill. The release before answers without them. */
  nextTiers: z.array(z.object({ toolCount: z.int(), discountPercent: z.number() })).optional(),
  /** What is owed, in one payment: a bill that was not paid, or tools that cost again since free access ended (`tried` is false). */
  owed: z
    .object({
      dueCents: cents,
      reason: z.string(),
      needsAction: z.boolean(),
      tried: z.boolean(),
      /** The last moment to pay it. */
      until: date,
      lines: z.array(billLine),
      parts: z.array(billPart),
    })
    .nullable(),
  /** A bill that is being charged now. The release before answers without lines and parts. */
  charging: z
    .object({ at: date, totalCents: cents, lines: z.array(billLine).default([]), parts: z.array(billPart).default([]) })
    .nullable(),
  /** What closing the account or the team charges or refunds at once. */
  closing: z.object({ totalCents: cents, refundCents: cents }),
  /** The card that is charged; null where there is none. */
  card: paymentMethod.nullable(),
  /** Everybody with a seat in the team; 1 for an adviser. */
  members: z.int(),
});
export type Forecast = z.output<typeof forecast>;
export type ShownBill = z.output<typeof bill>;

/** The bill as a payer was told it, and the words. */
export const toldBill = z.object({
  id: z.string(),
  toldAt: date,
  kind: z.string(),
  billAt: date.nullable(),
  totalCents: cents.nullable(),
  lines: z.array(billLine),
  parts: z.array(billPart),
  later: z.object({ at: z.string(), monthCents: cents, parts: z.array(billPart).optional() }).nullable(),
  subject: z.string(),
  paragraphs: z.array(z.string()),
});
export type ToldBill = z.output<typeof toldBill>;
export const toldPage = z.object({ told: z.array(toldBill), pagination });

/** By the year in which it ends. */
const financialYear = wholeText(2000, 2100, 'Please choose a financial year');
export const ofYear = payer.extend({ financialYear });

export const billingApi = defineApi('member', {
  config: {
    route: 'GET /api/billing/config',
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
    route: 'GET /api/billing/address',
    summary: 'The billing address',
    query: payer,
    response: billingAddress.nullable(),
  },
  saveAddress: {
    route: 'PUT /api/billing/address',
    summary: 'Change the billing address; what is left out stays as it is stored',
    body: addressParts.partial().extend(payer.shape),
    response: billingAddress,
  },
  setupIntent: {
    route: 'POST /api/billing/setup-intent',
    summary: 'Begin to give a card',
    proof: 'team',
    body: payer,
    /** What is owed, and charged to the card as soon as it is saved. */
    response: z.object({ clientSecret: z.string(), owedCents: cents }),
  },
  paymentMethod: {
    route: 'GET /api/billing/payment-method',
    summary: 'The card on file',
    query: payer,
    response: paymentMethod.nullable(),
  },
  savePaymentMethod: {
    route: 'POST /api/billing/payment-method',
    summary: 'Make the card of a confirmed setup intent the one that pays everything',
    proof: 'team',
    body: payer.extend({
      setupIntentId: z.string().regex(/^seti_[A-Za-z0-9_]{1,100}$/, { error: 'Not a valid setup intent' }),
    }),
    /** How much of what was owed is now paid with it, and how much was refused. */
    response: paymentMethod.extend({ paidCents: cents, refusedCents: cents }),
  },
  forecast: {
    route: 'GET /api/billing/forecast',
    summary: 'The coming bill, what is owed, and what will end',
    query: payer,
    response: forecast,
  },
  pay: {
    route: 'POST /api/billing/pay',
    summary: 'Pay what is owed, with the card on file',
    body: payer.extend({ charge: charge.optional() }),
    response: confirmation.extend({ forecast }),
  },
  told: {
    route: 'GET /api/billing/told',
    summary: 'What the payer was told of their bills, newest first',
    query: payer.extend({ page }),
    response: toldPage,
  },
  invoices: {
    route: 'GET /api/billing/invoices',
    summary: 'Invoices and adjustment notes, newest first',
    query: payer.extend({ page, financialYear: financialYear.optional() }),
    /** `years`: the financial years that have any, newest first, by the year in which they end. */
    response: z.object({ invoices: z.array(invoice), years: z.array(z.int()), pagination }),
  },
  invoicesCsv: {
    route: 'GET /api/billing/invoices.csv',
    summary: 'The documents of a financial year as bills that Xero and MYOB import',
    query: ofYear,
    file: 'text/csv',
  },
  invoicesZip: {
    route: 'GET /api/billing/invoices.zip',
    summary: 'The PDFs of a financial year, in one file',
    query: ofYear,
    file: 'application/zip',
  },
  invoicePdf: {
    route: 'GET /api/billing/invoices/:id/pdf',
    summary: 'Tax invoice or adjustment note as a PDF',
    file: 'application/pdf',
  },
});
