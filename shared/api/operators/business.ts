import * as z from 'zod';
import { plans } from '#shared/rules/operators/business.ts';
import { toolIdPattern } from '#shared/rules/tools/tools.ts';
import { defineAdminApi } from '../endpoint.ts';
import { date } from '../fields.ts';

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'A month looks like 2026-11' });
/** Integer cents that may be negative. */
const amount = z.int();
const count = z.int();
const money = z.object({ count, cents: amount });

/** Why recurring revenue changed, and by how much. */
const movedBy = {
  openingCents: amount,
  newCents: amount,
  expandedCents: amount,
  contractedCents: amount,
  churnedCents: amount,
  reactivatedCents: amount,
};

const businessMonth = z.object({
  month,
  /** At the end of the month; as of now, where it is not over. */
  mrrCents: amount,
  subscriptions: count,
  ...movedBy,
  trialsStarted: count,
  trialsConverted: count,
  winBacks: count,
  failed: money,
  recovered: money,
  lost: money,
  invoicedCents: amount,
  adjustedCents: amount,
  /** GST on the invoices, less that on the adjustment notes. */
  gstCents: amount,
  /** When a late invoice or adjustment note changed it after it was over. */
  recountedAt: date.nullable(),
});
export type BusinessMonth = z.output<typeof businessMonth>;

/** Everything that changed recurring revenue in the twelve months; `movedCents` is what payers took with them from or to other plans. */
const movementCents = { ...movedBy, movedCents: amount };

/** Revenue is net of GST; recurring revenue is what people pay, GST included. */
const share = z.object({ mrrCents: amount, subscriptions: count, revenueCents: amount });
const quarter = z.object({
  /** `2027-Q2`: the financial year that ends in 2027. */
  id: z.string(),
  first: month,
  last: month,
  invoicedCents: amount,
  adjustedCents: amount,
  gstInvoicedCents: amount,
  gstAdjustedCents: amount,
  /** The quarter is not over. */
  running: z.boolean(),
});
export type BusinessQuarter = z.output<typeof quarter>;
const cohort = z.object({
  month,
  begun: count,
  /** How many pay at the end of that month, and of each after it. */
  left: z.array(count),
});

const slice = {
  tool: z.string().regex(toolIdPattern, { error: 'Not a tool' }).optional(),
  plan: z.enum(plans, { error: 'Not a plan' }).optional(),
};

/** How the business is going, for administrators, from sums that a job refreshes. */
export const businessApi = defineAdminApi({
  show: {
    route: 'GET /api/admin/business',
    summary: 'Recurring revenue, trials, payments and GST: twelve months to the one named, or to this one',
    query: z.strictObject({ ...slice, until: month.optional() }),
    response: z.object({
      months: z.array(businessMonth),
      tools: z.array(share.extend({ toolId: z.string(), name: z.string() })),
      plans: z.array(share.extend({ plan: z.enum(plans), ...movementCents })),
      cohorts: z.array(cohort),
      /** Of all tools and plans. */
      quarters: z.array(quarter),
      /** This month, in Sydney. */
      now: month,
      /** Since when changes of recurring revenue are known; null: always. */
      knownSince: month.nullable(),
    }),
  },
  csv: {
    route: 'GET /api/admin/business.csv',
    summary: 'Every month by tool and plan, the GST quarters, or the cohorts, for a spreadsheet',
    query: z.strictObject({ table: z.enum(['months', 'quarters', 'cohorts']).default('months') }),
    file: 'text/csv',
  },
});
