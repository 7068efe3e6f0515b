import * as z from 'zod';
import { csrf } from './csrf.ts';
import { ofTool } from './developers.ts';
import { defineApi } from './endpoint.ts';
import { cents, date, message, requiredLine } from './fields.ts';

const priceCents = z
  .int({ error: 'Please enter a price from $1.00 to $10,000.00' })
  .min(100, { error: 'Please enter a price from $1.00 to $10,000.00' })
  .max(1_000_000, { error: 'Please enter a price from $1.00 to $10,000.00' });
const reason = requiredLine(300, 'Please give a reason');

/** A price that was set; with a number, those who had the tool were told. */
const toolPrice = z.object({
  id: z.string(),
  number: z.int().nullable(),
  unitCents: cents,
  beforeCents: cents,
  startsAt: date.nullable(),
  withdraws: z.int().nullable(),
  reason: z.string(),
  createdAt: date,
  isWithdrawn: z.boolean(),
  mayWithdraw: z.boolean(),
});
export type ToolPrice = z.output<typeof toolPrice>;

/** What administrators set of the catalogue. */
export const catalogueApi = defineApi({
  prices: {
    method: 'GET',
    path: '/api/admin/tools/:toolId/prices',
    access: 'admin',
    summary: 'A tool’s price, and those that were set, the newest first',
    params: ofTool,
    response: z.object({ id: z.string(), name: z.string(), unitCents: cents, prices: z.array(toolPrice) }),
  },
  previewPrice: {
    method: 'GET',
    path: '/api/admin/tools/:toolId/price-preview',
    access: 'admin',
    summary: 'Whom another price of a tool would reach',
    params: ofTool,
    query: z.strictObject({ priceCents: z.coerce.number({ error: 'Please enter a price' }).pipe(priceCents) }),
    response: z.object({
      beforeCents: cents,
      /** Subscriptions that go on: at a dearer, a cheaper or the same price. Of those that change, trials and unpaid ones. */
      dearer: z.int(),
      cheaper: z.int(),
      same: z.int(),
      trials: z.int(),
      unpaid: z.int(),
      /** There are more than were counted. */
      more: z.boolean(),
    }),
  },
  setPrice: {
    method: 'POST',
    path: '/api/admin/tools/:toolId/price',
    access: 'admin',
    proof: 'always',
    summary: 'Set what a tool costs new subscribers, and from which day those who have it',
    params: ofTool,
    body: z.strictObject({
      priceCents,
      /** The price that was on the page. */
      currentCents: cents,
      /** A day in Sydney; left out, those who have the tool keep their price. */
      startsOn: z.iso.date({ error: 'Please choose a day' }).optional(),
      reason,
      ...csrf,
    }),
    response: message,
  },
  withdrawPrice: {
    method: 'POST',
    path: '/api/admin/tools/:toolId/price/withdraw',
    access: 'admin',
    proof: 'always',
    summary: 'Take back a higher price that was announced and has not begun',
    params: ofTool,
    body: z.strictObject({ number: z.int().min(1), reason, ...csrf }),
    response: message,
  },
});
