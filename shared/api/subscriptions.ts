import * as z from 'zod';
import { listedStatuses } from '#shared/rules/subscriptions.ts';
import { defineApi } from './endpoint.ts';
import { cents, date, decimalString, toolId } from './fields.ts';

export const subscription = z.object({
  id: z.string(),
  toolId: z.string(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  tool: z.object({ name: z.string(), description: z.string().nullable(), basePrice: decimalString }),
  /** What the clock says, not only what the last job wrote. */
  status: z.enum(listedStatuses),
  subscriptionType: z.enum(['individual', 'team']),
  autoRenew: z.boolean(),
  monthlyCents: cents,
  createdAt: date,
  endDate: date.nullable(),
  gracePeriodEnd: date.nullable(),
  trialEndDate: date.nullable(),
  cancelledAt: date.nullable(),
  /** Whether a launch would be granted now. */
  hasAccess: z.boolean(),
});
export type Subscription = z.output<typeof subscription>;

export const quote = z.object({
  toolId: z.string(),
  baseCents: cents,
  lines: z.array(z.object({ label: z.string(), cents })),
  totalCents: cents,
  discountPercent: z.int(),
  /** Days of the card-free trial on offer, or null. */
  trialDays: z.int().nullable(),
  dueTodayCents: cents,
  nextChargeAt: date.nullable(),
  nextTier: z.object({ toolCount: z.int(), percent: z.number(), monthlySavingCents: cents }).nullable(),
});
export type Quote = z.output<typeof quote>;

export const discountTier = z.object({
  id: z.string(),
  toolCount: z.int(),
  discountPercent: decimalString,
  description: z.string().nullable(),
});

const list = { method: 'GET', access: 'member', response: z.array(subscription) } as const;

export const subscriptionsApi = defineApi({
  list: { ...list, path: '/api/user/subscriptions', summary: 'Own and team subscriptions, newest per payer and tool' },
  listAll: { ...list, path: '/api/subscriptions', summary: 'The same as /api/user/subscriptions' },
  tiers: {
    method: 'GET',
    path: '/api/discounts/tiers',
    access: 'public',
    summary: 'Volume discounts',
    response: z.array(discountTier),
  },
  quote: {
    method: 'GET',
    path: '/api/pricing/quote',
    access: 'member',
    summary: 'What a tool would cost this adviser',
    query: z.strictObject({ toolId }),
    response: quote,
  },
  create: {
    method: 'POST',
    path: '/api/create-subscription',
    access: 'member',
    summary: 'Open or reuse a purchase, or start a trial',
    body: z.strictObject({ toolId, trial: z.boolean().default(false) }),
    response: z.object({
      clientSecret: z.string().nullable(),
      includesLostMoney: z.boolean(),
      intent: z.enum(['payment', 'setup', 'none']),
      /** Null while the first payment is not confirmed: such a row is never listed. */
      subscription: subscription.nullable(),
      quote,
    }),
  },
  sync: {
    method: 'POST',
    path: '/api/subscriptions/:toolId/sync',
    access: 'member',
    summary: 'Re-read the provider after the card was confirmed',
    params: z.strictObject({ toolId }),
    response: subscription.nullable(),
  },
});
