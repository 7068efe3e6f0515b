import * as z from 'zod';
import { sentences, trialExtension } from '#shared/rules/operators/admin.ts';
import { freeMonthsRange } from '#shared/rules/billing/pricing.ts';
import { csrf } from './csrf.ts';
import { defineApi } from './endpoint.ts';
import { cents, date, email, id, message, requiredLine, wholeText } from './fields.ts';
import { charge } from './charge.ts';

/** The person concerned reads it. */
export const reason = requiredLine(300, sentences.reason);
const withReason = { reason, ...csrf };
const params = z.strictObject({ id });

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
});
export type AdministeredInvoice = z.output<typeof administered>;

/** What administrators do for a person or a team on the phone, each with a reason. */
export const actsApi = defineApi({
  sendVerification: {
    method: 'POST',
    path: '/api/admin/users/:id/verification',
    access: 'admin',
    proof: 'always',
    summary: 'Send a user another link to verify their address',
    params,
    body: z.strictObject(withReason),
    response: message,
  },
  sendResetLink: {
    method: 'POST',
    path: '/api/admin/users/:id/reset-link',
    access: 'admin',
    proof: 'always',
    summary: 'Send a user a link to choose a new password',
    params,
    body: z.strictObject(withReason),
    response: message,
  },
  makeAdministrator: {
    method: 'POST',
    path: '/api/admin/users/:id/administrator',
    access: 'admin',
    proof: 'always',
    summary: 'Make a user an administrator; where four eyes are demanded, once a second one approves',
    params,
    body: z.strictObject(withReason),
    response: message,
  },
  changeEmail: {
    method: 'POST',
    path: '/api/admin/users/:id/email',
    access: 'admin',
    proof: 'always',
    summary: 'Give a user’s account another address; where four eyes are demanded, once a second one approves',
    params,
    body: z.strictObject({ email, ...withReason }),
    response: message,
  },
  invoices: {
    method: 'GET',
    path: '/api/admin/users/:id/invoices',
    access: 'admin',
    summary: 'A user’s newest invoices, with what was refunded of each',
    params,
    response: z.array(administered),
  },
  teamInvoices: {
    method: 'GET',
    path: '/api/admin/teams/:id/invoices',
    access: 'admin',
    summary: 'A team’s newest invoices, with what was refunded of each',
    params,
    response: z.array(administered),
  },
  invoiceOutlook: {
    method: 'GET',
    path: '/api/admin/invoices/:id/outlook',
    access: 'admin',
    summary: 'What Stripe says of an invoice’s money, and what refunding, charging or voiding would do',
    params,
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
    method: 'POST',
    path: '/api/admin/invoices/:id/refund',
    access: 'admin',
    proof: 'always',
    summary: 'Send a part or all of a paid invoice back to the card; an adjustment note follows',
    params,
    body: z.strictObject({
      cents: z.int({ error: sentences.refundCents }).min(1, { error: sentences.refundCents }).max(100_000_00),
      /** What was left when it was decided; if that has changed, nothing happens, so that two at once refund once. */
      leftCents: cents,
      ...withReason,
    }),
    response: message,
  },
  retryCharge: {
    method: 'POST',
    path: '/api/admin/invoices/:id/retry',
    access: 'admin',
    proof: 'always',
    summary: 'Charge an open invoice to the card on file',
    params,
    body: z.strictObject({ charge, ...withReason }),
    response: message,
  },
  voidInvoice: {
    method: 'POST',
    path: '/api/admin/invoices/:id/void',
    access: 'admin',
    proof: 'always',
    summary: 'Have an open invoice never be charged; the subscription goes on',
    params,
    body: z.strictObject({ dueCents: cents, ...withReason }),
    response: message,
  },
  subscriptionOutlook: {
    method: 'GET',
    path: '/api/admin/subscriptions/:id/outlook',
    access: 'admin',
    summary: 'What cancelling a subscription, or extending its trial, would do',
    params,
    query: z.strictObject({ days: days.default(trialExtension.usual) }),
    response: z.object({
      /** Null where it can't be cancelled. */
      cancel: z.object({ atPeriodEnd: preview, now: preview }).nullable(),
      /** Null where it can't be extended by so many days. */
      trial: z.object({ from: date, until: date, preview }).nullable(),
    }),
  },
  freeMonthsOutlook: {
    method: 'GET',
    path: '/api/admin/subscriptions/:id/free-months',
    access: 'admin',
    summary: 'What months free of a tool, or of all of its payer’s, would do',
    params,
    query: z.strictObject({ months: months.default(freeMonthsRange.usual), all: z.stringbool().default(false) }),
    response: z.object({
      /** What would not be charged, in total; null where no month can be given. */
      savedCents: cents.nullable(),
      preview,
    }),
  },
  giveFreeMonths: {
    method: 'POST',
    path: '/api/admin/subscriptions/:id/free-months',
    access: 'admin',
    proof: 'always',
    summary: 'Give months free, which can be undone for 24 hours',
    params,
    body: z.strictObject({
      months,
      /** All subscriptions of this one's payer. */
      all: z.boolean(),
      /** What was to be saved when it was decided; if that has changed, nothing happens. */
      savedCents: cents,
      ...withReason,
    }),
    response: message,
  },
  cancel: {
    method: 'POST',
    path: '/api/admin/subscriptions/:id/cancel',
    access: 'admin',
    proof: 'always',
    summary: 'Cancel a subscription for whoever pays it',
    params,
    body: z.strictObject({ cancelImmediately: z.boolean().default(false), ...withReason }),
    response: message,
  },
  extendTrial: {
    method: 'POST',
    path: '/api/admin/subscriptions/:id/extend-trial',
    access: 'admin',
    proof: 'always',
    summary: 'Have a running trial end later, here and at Stripe',
    params,
    body: z.strictObject({ days, from: date, ...withReason }),
    response: message,
  },
});
