import * as z from 'zod';
import type { Shows } from './account-export-shows.ts';
import { billLine, billPart, toldBill } from './billing.ts';
import { cents, date } from './fields.ts';

const text = z.string().nullable();
const time = date.nullable();

/** What the export of an account holds of subscriptions, bills and invoices. */
export const moneySections = {
  subscriptions: z.array(
    z.object({
      toolId: z.string(),
      status: z.string(),
      monthlyCents: cents,
      autoRenew: z.boolean(),
      /** The offer or discount code in force. */
      winBack: z.object({ percent: z.number(), endsAt: text }).nullable(),
      freeMonths: z.object({ months: z.int(), from: z.string(), until: z.string() }).nullable(),
      paymentProblem: z.object({ amountCents: cents, reason: z.string() }).nullable(),
      cancellationReason: text,
      cancellationDetails: text,
      createdAt: date,
      trialEndDate: time,
      paidUntil: time,
      endDate: time,
      gracePeriodEnd: time,
      cancelledAt: time,
      expiredAt: time,
    }) satisfies Shows<'toolSubscriptions'>,
  ),
  trialsTaken: z.array(z.object({ toolId: z.string(), createdAt: date }) satisfies Shows<'trialUses'>),
  codesRedeemed: z.array(
    z.object({ code: z.string(), toolId: z.string(), createdAt: date }) satisfies Shows<'codeRedemptions'>,
  ),
  bills: z.array(
    z.object({
      kind: z.string(),
      status: z.string(),
      at: date,
      until: date,
      lines: z.array(billLine),
      parts: z.array(billPart),
      totalCents: cents,
      creditCents: z.int(),
      gstCents: z.int(),
    }) satisfies Shows<'bills'>,
  ),
  /** The adviser's own, and those for their seat in a team. */
  adjustments: z.array(
    z.object({
      toolName: z.string(),
      cause: z.string(),
      from: z.string(),
      to: z.string(),
      days: z.int(),
      /** Null for a seat: its team pays. */
      cents: z.int().nullable(),
      state: z.string(),
      createdAt: date,
    }) satisfies Shows<'adjustments'>,
  ),
  toldBills: z.array(toldBill.omit({ id: true }).extend({ tellsBill: z.boolean() }) satisfies Shows<'toldBills'>),
  invoices: z.array(
    z.object({
      number: text,
      status: z.string(),
      description: z.string(),
      totalCents: cents,
      gstCents: cents,
      amountPaidCents: cents,
      dueCents: cents,
      lines: z.array(z.object({ description: z.string(), quantity: z.number(), cents })),
      /** As it stood on the day of issue. */
      buyer: z
        .object({ name: z.string(), business: text, abn: text, email: z.string(), address: z.array(z.string()) })
        .nullable(),
      issuedAt: date,
      paidAt: time,
    }) satisfies Shows<'invoices'>,
  ),
  /** What was refunded or credited. */
  adjustmentNotes: z.array(
    z.object({
      number: z.string(),
      totalCents: cents,
      gstCents: cents,
      reason: text,
      issuedAt: date,
    }) satisfies Shows<'adjustmentNotes'>,
  ),
  /** Its sums are those of `usage`; when something was last stated is in `statements`. */
};
