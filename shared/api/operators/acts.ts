import * as z from 'zod';
import { sentences, trialExtension } from '#shared/rules/operators/admin.ts';
import { freeMonthsRange } from '#shared/rules/billing/pricing.ts';
import { defineAdminApi } from '../endpoint.ts';
import { billLine, billPart, toldBill } from '../billing.ts';
import { cents, date, email, requiredLine, wholeText } from '../fields.ts';
import { charge } from '../charge.ts';

/** The person concerned reads it. */
export const reason = requiredLine(300, sentences.reason);
const withReason = { reason };

const days = wholeText(trialExtension.min, trialExtension.max, sentences.trialDays);
const months = wholeText(freeMonthsRange.min, freeMonthsRange.max, sentences.freeMonths);

/** What an act would do, in sentences. */
const preview = z.array(z.string());

const administered = z.object({
  id: z.string(),
  number: z.string().nullable(),
  description: z.string(),
  status: z.string(),
  totalCents: cents,
  refundedCents: cents,
  /** Why nothing of it can be refunded, as far as our copy says; null where something can. */
  whyNoRefund: z.string().nullable(),
  dueCents: cents,
  issuedAt: date,
  /** The bank has the money until the dispute is decided. */
  dispute: z.object({ answerBy: date.nullable() }).nullable(),
});
export type AdministeredInvoice = z.output<typeof administered>;

/** One invoice with all that answers "why was I charged this?". */
const openedInvoice = z.object({
  number: z.string().nullable(),
  totalCents: cents,
  /** As the bill was stored when it was fixed; null for what an older release billed, whose lines stand in the PDF. */
  bill: z
    .object({
      lines: z.array(billLine),
      parts: z.array(billPart),
      totalCents: cents,
      /** What it differs in from the payer's bill before, in sentences; the first says by how much. */
      difference: z.array(z.string()),
    })
    .nullable(),
  /** What the payer was told last before it was issued. */
  toldBefore: toldBill.nullable(),
  /** What a note gave back, or took off the invoice before it was paid (`isRefund`, which the release before does not say). */
  notes: z.array(
    z.object({
      id: z.string(),
      number: z.string(),
      totalCents: cents,
      issuedAt: date,
      isRefund: z.boolean().default(true),
    }),
  ),
});
export type OpenedInvoice = z.output<typeof openedInvoice>;

/** What administrators do for a person or a team on the phone, each with a reason. */
export const actsApi = defineAdminApi({
  sendVerification: {
    route: 'POST /api/admin/users/:id/verification',
    summary: 'Send a user another link to verify their address',
    body: z.strictObject(withReason),
  },
  makeAdministrator: {
    route: 'POST /api/admin/users/:id/administrator',
    summary: 'Make a user an administrator; where four eyes are demanded, once a second one approves',
    body: z.strictObject(withReason),
  },
  changeEmail: {
    route: 'POST /api/admin/users/:id/email',
    summary: 'Give a user’s account another address; where four eyes are demanded, once a second one approves',
    body: z.strictObject({ email, ...withReason }),
  },
  invoices: {
    route: 'GET /api/admin/users/:id/invoices',
    summary: 'A user’s newest invoices, with what was refunded of each',
    response: z.array(administered),
  },
  teamInvoices: {
    route: 'GET /api/admin/teams/:id/invoices',
    summary: 'A team’s newest invoices, with what was refunded of each',
    response: z.array(administered),
  },
  invoice: {
    route: 'GET /api/admin/invoices/:id',
    summary: 'An invoice with its lines, what was told before, and how it differs from the bill before',
    response: openedInvoice,
  },
  invoicePdf: {
    route: 'GET /api/admin/invoices/:id/pdf',
    summary: 'Anybody’s tax invoice or adjustment note as a PDF',
    file: 'application/pdf',
  },
  invoiceOutlook: {
    route: 'GET /api/admin/invoices/:id/outlook',
    summary: 'What Stripe says of an invoice’s money, and what refunding, charging or voiding would do',
    response: z.object({
      leftCents: cents,
      refund: preview,
      /** Null where nothing is owed. */
      open: z
        .object({
          dueCents: cents,
          /** The card on file. */
          last4: z.string().nullable(),
          retry: preview,
          void: preview,
        })
        .nullable(),
    }),
  },
  refund: {
    route: 'POST /api/admin/invoices/:id/refund',
    summary: 'Send a part or all of a paid invoice back to the card; an adjustment note follows',
    body: z.strictObject({
      cents: z.int({ error: sentences.refundCents }).min(1, { error: sentences.refundCents }).max(100_000_00),
      /** What was left when it was decided; if that has changed, nothing happens, so that two at once refund once. */
      leftCents: cents,
      ...withReason,
    }),
  },
  retryCharge: {
    route: 'POST /api/admin/invoices/:id/retry',
    summary: 'Charge an open invoice to the card on file',
    body: z.strictObject({ charge, ...withReason }),
  },
  voidInvoice: {
    route: 'POST /api/admin/invoices/:id/void',
    summary: 'Have an open invoice never be charged; the subscription goes on',
    body: z.strictObject({ dueCents: cents, ...withReason }),
  },
  subscriptionOutlook: {
    route: 'GET /api/admin/subscriptions/:id/outlook',
    summary: 'What cancelling a subscription, or extending its trial, would do',
    query: z.strictObject({ days: days.default(trialExtension.usual) }),
    response: z.object({
      /** Null where it can't be cancelled. */
      cancel: z.object({ atPeriodEnd: preview, now: preview }).nullable(),
      /** Null where it can't be extended by so many days. */
      trial: z.object({ from: date, until: date, preview }).nullable(),
    }),
  },
  freeMonthsOutlook: {
    route: 'GET /api/admin/subscriptions/:id/free-months',
    summary: 'What months free of a tool, or of all of its payer’s, would do',
    query: z.strictObject({ months: months.default(freeMonthsRange.usual), all: z.stringbool().default(false) }),
    response: z.object({
      /** What would not be charged, in total; null where no month can be given. */
      savedCents: cents.nullable(),
      preview,
    }),
  },
  giveFreeMonths: {
    route: 'POST /api/admin/subscriptions/:id/free-months',
    summary: 'Give months free, which can be undone for 24 hours',
    body: z.strictObject({
      months,
      /** All subscriptions of this one's payer. */
      all: z.boolean(),
      /** What was to be saved when it was decided; if that has changed, nothing happens. */
      savedCents: cents,
      ...withReason,
    }),
  },
  cancel: {
    route: 'POST /api/admin/subscriptions/:id/cancel',
    summary: 'Cancel a subscription for whoever pays it',
    body: z.strictObject({ cancelImmediately: z.boolean().default(false), ...withReason }),
  },
  extendTrial: {
    route: 'POST /api/admin/subscriptions/:id/extend-trial',
    summary: 'Have a running trial end later, here and at Stripe',
    body: z.strictObject({ days, from: date, ...withReason }),
  },
});
