import * as z from 'zod';
import { discountKinds } from '#shared/rules/pricing.ts';
import { listedStatuses } from '#shared/rules/subscriptions.ts';
import { defineApi } from './endpoint.ts';
import { cancellationReasons } from '#shared/rules/cancellation.ts';
import { winBackOfferIds } from '#shared/rules/win-back.ts';
import { cents, date, decimalString, id, multiline, toolId } from './fields.ts';

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
  /** Members paid for; 1 for an adviser. */
  quantity: z.int(),
  /** Unit price × quantity, before the discounts below; what remains is `monthlyCents`, the next invoice's total. */
  baseCents: cents,
  discounts: z.array(z.object({ kind: z.enum(discountKinds), label: z.string(), percent: z.number(), cents })),
  monthlyCents: cents,
  /** An offer in force and when its price ends. */
  winBack: z.object({ percent: z.number(), months: z.int(), endsAt: date.nullable() }).nullable(),
  /** Why the last charge failed and what is owed, while it is. */
  paymentProblem: z.object({ amountCents: cents, reason: z.string(), needsAction: z.boolean() }).nullable(),
  /** The payer has a card, so that a trial converts. */
  cardOnFile: z.boolean(),
  createdAt: date,
  endDate: date.nullable(),
  gracePeriodEnd: date.nullable(),
  trialEndDate: date.nullable(),
  cancelledAt: date.nullable(),
  /** A cancelled one is taken back at no cost until here; null where a new period would be charged. */
  paidUntil: date.nullable(),
  /** Whether a launch would be granted now. */
  hasAccess: z.boolean(),
  /** Whether the reader is its payer: members see a team's subscriptions without billing controls. */
  canManage: z.boolean(),
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

const payerAndTool = z.strictObject({ toolId, teamId: id.optional() });
/** The row as it is now; with a clientSecret the card must act in the browser, then call sync. */
const acted = z.object({ subscription, clientSecret: z.string().nullable() });

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
    summary: 'What a tool would cost this adviser, or their team',
    query: z.strictObject({ toolId, teamId: id.optional() }),
    response: quote,
  },
  create: {
    method: 'POST',
    path: '/api/create-subscription',
    access: 'member',
    summary: 'Open or reuse a purchase, or start a trial',
    body: z.strictObject({ toolId, teamId: id.optional(), trial: z.boolean().default(false) }),
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
    body: z.strictObject({ teamId: id.optional() }),
    response: subscription.nullable(),
  },
  cancel: {
    method: 'POST',
    path: '/api/cancel-subscription',
    access: 'member',
    summary: 'Cancel at the end of the paid period, or now',
    body: z.strictObject({
      toolId,
      teamId: id.optional(),
      reason: z.enum(cancellationReasons).optional(),
      details: multiline(2000).optional(),
      cancelImmediately: z.boolean().default(false),
    }),
    response: z.object({ endDate: date, gracePeriodEnd: date, subscription }),
  },
  reactivate: {
    method: 'POST',
    path: '/api/reactivate-subscription',
    access: 'member',
    summary: 'Undo a cancellation, or pay what is owed',
    body: payerAndTool,
    response: acted,
  },
  autoRenew: {
    method: 'PATCH',
    path: '/api/subscriptions/:toolId/auto-renew',
    access: 'member',
    summary: 'Stop or resume the renewal',
    params: z.strictObject({ toolId }),
    body: z.strictObject({ autoRenew: z.boolean(), teamId: id.optional() }),
    response: acted,
  },
  pay: {
    method: 'POST',
    path: '/api/subscriptions/:toolId/pay',
    access: 'member',
    summary: 'Pay the open invoice with the card on file',
    params: z.strictObject({ toolId }),
    body: z.strictObject({ teamId: id.optional() }),
    response: acted,
  },
  winBackOffers: {
    method: 'GET',
    path: '/api/winback/offers',
    access: 'member',
    summary: 'Offers to come back, per expired tool',
    response: z.array(
      z.object({
        toolId: z.string(),
        teamId: z.string().nullable(),
        toolName: z.string(),
        daysSinceExpiry: z.int(),
        totalSessions: z.int(),
        averageMonthlyUsage: z.number(),
        expiresInDays: z.int(),
        offers: z.array(
          z.object({
            offerId: z.enum(winBackOfferIds),
            discountPercentage: z.number(),
            months: z.int(),
            mostPopular: z.boolean(),
            /** What a month costs while the offer lasts, and after it. */
            monthlyCents: cents,
            thenCents: cents,
          }),
        ),
      }),
    ),
  },
  resubscribe: {
    method: 'POST',
    path: '/api/resubscribe',
    access: 'member',
    summary: 'Come back with an offer',
    body: z.strictObject({
      toolId,
      teamId: id.optional(),
      offerId: z.enum(winBackOfferIds, { error: 'Please select an offer' }),
      discountPercentage: z.number({ error: 'Please select an offer' }),
    }),
    response: z.object({
      /** Present when a card must be given or confirmed in the browser, then call sync. */
      clientSecret: z.string().nullable(),
      intent: z.enum(['payment', 'setup', 'none']),
      subscription: subscription.nullable(),
    }),
  },
});
