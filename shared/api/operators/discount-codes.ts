import * as z from 'zod';
import { codePattern } from '../../rules/billing/code-text.ts';
import { mostCodeMonths, mostCodePercent, mostCodeRedemptions } from '../../rules/billing/discount-codes.ts';
import { defineAdminApi } from '../endpoint.ts';
import { code as typedCode, date, page, pagination, reason, toolId, whole } from '../fields.ts';

const code = z.object({
  id: z.string(),
  code: z.string(),
  percent: z.int(),
  months: z.int(),
  /** Null: all tools. */
  toolIds: z.array(z.string()).nullable(),
  startsAt: date.nullable(),
  /** The moment after the last day on which it can be redeemed. */
  endsAt: date,
  mostRedemptions: z.int(),
  /** How often it was redeemed, and how many of those purchases are not paid yet. */
  redeemed: z.int(),
  open: z.int(),
  reason: z.string(),
  madeBy: z.string(),
  createdAt: date,
  ended: z.object({ at: date, by: z.string(), reason: z.string() }).nullable(),
});
export type DiscountCode = z.output<typeof code>;

export const codesApi = defineAdminApi({
  list: {
    route: 'GET /api/admin/codes',
    summary: 'The discount codes, newest first, and how often each was redeemed',
    response: z.array(code),
  },
  redemptions: {
    route: 'GET /api/admin/codes/:codeId/redemptions',
    summary: 'Who redeemed a discount code, newest first',
    query: z.strictObject({ page }),
    response: z.object({
      redemptions: z.array(
        z.object({
          id: z.string(),
          userId: z.string().nullable(),
          teamId: z.string().nullable(),
          payer: z.string(),
          tool: z.string(),
          /** The purchase is not paid yet; if it never is, the code can be used again. */
          isOpen: z.boolean(),
          createdAt: date,
        }),
      ),
      pagination,
    }),
  },
  make: {
    route: 'POST /api/admin/codes',
    summary: 'Make a discount code',
    body: z.strictObject({
      code: typedCode('Please enter a code')
        .toUpperCase()
        .regex(codePattern, { error: 'Please use 3 to 20 letters and digits' }),
      percent: whole(1, mostCodePercent, `Please enter a whole percentage from 1 to ${mostCodePercent}`),
      months: whole(1, mostCodeMonths, `Please enter 1 to ${mostCodeMonths} months`),
      /** Null: all tools. */
      toolIds: z.array(toolId).min(1, { error: 'Please choose a tool' }).max(200).nullable(),
      /** Days in Sydney; without the first, at once. */
      startsOn: z.iso.date({ error: 'Please choose a day' }).optional(),
      lastDay: z.iso.date({ error: 'Please choose a day' }),
      mostRedemptions: whole(
        1,
        mostCodeRedemptions,
        `Please enter a number from 1 to ${mostCodeRedemptions.toLocaleString('en-AU')}`,
      ),
      reason,
    }),
  },
  end: {
    route: 'POST /api/admin/codes/:codeId/end',
    summary: 'End a discount code early; those who redeemed it keep it',
    body: z.strictObject({ reason }),
  },
});
