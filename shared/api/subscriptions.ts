import * as z from 'zod';
import { codePattern, codeUnknown } from '#shared/rules/billing/code-text.ts';
import { discountKinds } from '#shared/rules/billing/pricing.ts';
import { listedStatuses } from '#shared/rules/billing/subscriptions.ts';
import { winBackOfferIds } from '#shared/rules/billing/win-back.ts';
import { mostToolUsers } from '#shared/rules/people/teams.ts';
import { defineApi } from './endpoint.ts';
import { cancellationReasons } from '#shared/rules/billing/cancellation.ts';
import { billPart, ending } from './billing.ts';
import { charge, confirmation } from './charge.ts';
import { cents, code, date, decimalString, id, multiline, toolId } from './fields.ts';
import { priceChange, restRows } from './price-change.ts';

export const subscription = z.object({
  id: z.string(),
  toolId: z.string(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  tool: z.object({ name: z.string(), description: z.string().nullable(), basePrice: decimalString }),
  /** By the clock, not only by what the last job wrote. */
  status: z.enum(listedStatuses),
  subscriptionType: z.enum(['individual', 'team']),
  autoRenew: z.boolean(),
  /** Members paid for; 1 for an adviser. */
  quantity: z.int(),
  /** Unit price × quantity. Less the discounts, it is `monthlyCents`: its line on the next bill that has it, else what a month of it costs now. */
  baseCents: cents,
  discounts: z.array(z.object({ kind: z.enum(discountKinds), label: z.string(), percent: z.number(), cents })),
  monthlyCents: cents,
  /** When that bill is due; null where none will have it. */
  nextBillAt: date.nullable(),
  /** What a month of it cost on the bill of the running month; null where none had it. */
  paidMonthCents: cents.nullable(),
  /** An offer or discount code in force, and when its price ends. */
  winBack: z
    .object({ percent: z.number(), months: z.int(), endsAt: date.nullable(), code: z.string().optional() })
    .nullable(),
  /** What a month costs once that offer or code is over; null where none is in force. */
  afterOfferCents: cents.nullable(),
  /** Free months that an administrator gave: no bill before that day charges for it. */
  freeUntil: date.nullable(),
  /** The unit price that was announced, and the first bill that asks for it. */
  nextPrice: z.object({ unitCents: cents, beforeCents: cents, from: date }).nullable(),
  /** Why it is unpaid and what paying it costs; null when it isn't. `tried` is false where free access ended: no charge was attempted. */
  paymentProblem: z
    .object({ amountCents: cents, reason: z.string(), needsAction: z.boolean(), tried: z.boolean() })
    .nullable(),
  /** The payer has a card, so that a trial converts. */
  cardOnFile: z.boolean(),
  createdAt: date,
  endDate: date.nullable(),
  gracePeriodEnd: date.nullable(),
  trialEndDate: date.nullable(),
  cancelledAt: date.nullable(),
  /** Until when reactivating costs nothing; null where a new period would be charged. */
  paidUntil: date.nullable(),
  /** Whether a launch would be granted now. */
  hasAccess: z.boolean(),
  /** Whether its practice asks at each launch for a client reference and a purpose. */
  needsClient: z.boolean(),
  /** Whether the reader pays for it: members see a team's subscriptions without billing controls. */
  canManage: z.boolean(),
});
export type Subscription = z.output<typeof subscription>;

/** From which charge on the full price applies, and what a month costs then. */
const fullPrice = z.object({ from: date, cents });

/** What buying a tool charges today, and what the payer's bills are then. */
const due = z.object({
  /** What is charged today: the first month, or the days until the bill; less the payer's credit. */
  dueTodayCents: cents,
  /** The days that are charged today; null where it is a whole month. */
  part: billPart.nullable(),
  /** Too little to charge today: the next bill has it. */
  carriedCents: cents,
  /** The end of what is charged today. */
  until: date,
  /** The payer's next bill once it is bought, with everything on it. */
  nextBill: z.object({ at: date, totalCents: cents }).nullable(),
  /** The first bill that has the tool, once it is bought: a month of everything on it, and of the tool. */
  wholeMonth: z.object({ at: date, monthCents: cents, priceCents: cents }).nullable(),
});
export type Due = z.output<typeof due>;

export const quote = due.extend({
  toolId: z.string(),
  baseCents: cents,
  lines: z.array(z.object({ label: z.string(), cents })),
  totalCents: cents,
  discountPercent: z.int(),
  /** Days of the card-free trial on offer, or null. */
  trialDays: z.int().nullable(),
  /** The bill that has the tool first after the trial on offer: its total, what the tool costs of it, and what a month of the tool and of all tools costs then. */
  afterTrial: z
    .object({ at: date, totalCents: cents, priceCents: cents, monthCents: cents, allMonthCents: cents })
    .nullable(),
  /** The discount code that was entered, and the full price after its months, if they begin today and if they begin after the trial. */
  code: z
    .object({
      code: z.string(),
      percent: z.number(),
      months: z.int(),
      full: fullPrice,
      fullAfterTrial: fullPrice.nullable(),
    })
    .nullable(),
  /** For how many months a code or an offer to come back lowers the price, and what a month costs after them. */
  offer: z.object({ months: z.int(), thenCents: cents }).nullable(),
  /** What buying it does to the prices of the payer's other tools. */
  changes: z.array(priceChange),
  nextTier: z.object({ toolCount: z.int(), percent: z.number(), monthlySavingCents: cents }).nullable(),
});
export type Quote = z.output<typeof quote>;

export const discountTier = z.object({
  id: z.string(),
  toolCount: z.int(),
  discountPercent: decimalString,
  description: z.string().nullable(),
});

/** As an adviser types it. */
const discountCode = code(codeUnknown).toUpperCase().regex(codePattern, { error: codeUnknown });

const payerAndTool = z.strictObject({ toolId, teamId: id.optional(), charge: charge.optional() });

const acted = confirmation.extend({ subscription });

const list = { access: 'member', response: z.array(subscription) } as const;

export const subscriptionsApi = defineApi('member', {
  list: {
    ...list,
    route: 'GET /api/user/subscriptions',
    summary: 'Own and team subscriptions, newest per payer and tool',
  },
  listAll: { ...list, route: 'GET /api/subscriptions', summary: 'Answers like /api/user/subscriptions' },
  tiers: {
    route: 'GET /api/discounts/tiers',
    access: 'public',
    summary: 'Bulk discounts',
    response: z.array(discountTier),
  },
  quote: {
    route: 'GET /api/pricing/quote',
    summary: 'What a tool would cost this adviser, or their team',
    query: z.strictObject({ toolId, teamId: id.optional(), code: discountCode.optional() }),
    response: quote,
  },
  changes: {
    route: 'GET /api/pricing/changes',
    summary:
      'What cancelling a tool, joining or leaving, choosing who uses a tool, or handing the team over would do to the next bill',
    query: z.strictObject({
      teamId: id.optional(),
      cancel: toolId.optional(),
      immediately: z.stringbool().default(false),
      /** One more member joins the team today. */
      joins: z.stringbool().default(false),
      /** The member who leaves it today. */
      leaves: id.optional(),
      /** The tool of the team that only `users` use from today, their ids with commas between; without them, everybody. */
      choose: toolId.optional(),
      users: z
        .string()
        .transform((text) => text.split(','))
        .pipe(z.array(id).max(mostToolUsers))
        .optional(),
      /** The card is removed, as at a hand-over. */
      withoutCard: z.stringbool().default(false),
    }),
    response: z.object({
      changes: z.array(priceChange),
      /** How much dearer a month of the next bill gets; negative where it gets cheaper. */
      moreCents: z.int(),
      /** What the bill has for the days of who joins or leaves; negative where they are taken off. */
      seatCents: z.int(),
      /** What ends by itself then. */
      endings: z.array(ending),
      /** The payer's next bill then; without lines (`isLast`) it is the last one, and takes what is left. */
      bill: z.object({ at: date, totalCents: cents, leftCents: cents, isLast: z.boolean(), rest: restRows }).nullable(),
    }),
  },
  create: {
    route: 'POST /api/create-subscription',
    summary: 'Open or reuse a purchase and charge the card on file for it, or start a trial',
    body: payerAndTool.extend({ trial: z.boolean().default(false), code: discountCode.optional() }),
    response: confirmation.extend({
      includesLostMoney: z.boolean(),
      /** Null while the first payment is not confirmed. */
      subscription: subscription.nullable(),
      quote,
    }),
  },
  sync: {
    route: 'POST /api/subscriptions/:toolId/sync',
    summary: 'Read the subscription again from Stripe, after the card was confirmed',
    body: z.strictObject({ teamId: id.optional() }),
    response: subscription.nullable(),
  },
  cancel: {
    route: 'POST /api/cancel-subscription',
    summary: 'Cancel at the end of the paid period, or now',
    body: z.strictObject({
      toolId,
      teamId: id.optional(),
      reason: z.enum(cancellationReasons, { error: 'Please choose a reason from the list' }).optional(),
      details: multiline(2000).optional(),
      cancelImmediately: z.boolean().default(false),
    }),
    response: z.object({ endDate: date, gracePeriodEnd: date, subscription }),
  },
  reactivate: {
    route: 'POST /api/reactivate-subscription',
    summary: 'Undo a cancellation, or pay what is owed',
    body: payerAndTool,
    response: acted,
  },
  autoRenew: {
    route: 'PATCH /api/subscriptions/:toolId/auto-renew',
    summary: 'Stop or resume the renewal',
    body: z.strictObject({ autoRenew: z.boolean(), teamId: id.optional() }),
    response: acted,
  },
  winBackOffers: {
    route: 'GET /api/winback/offers',
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
        /** When the comeback special next gets smaller, and its percentage then; null once it stays the same. */
        changes: z.object({ at: date, percent: z.number() }).nullable(),
        offers: z.array(
          due.extend({
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
    route: 'POST /api/resubscribe',
    summary: 'Come back with an offer',
    body: payerAndTool.extend({
      offerId: z.enum(winBackOfferIds, { error: 'Please select an offer' }),
      discountPercentage: z.number({ error: 'Please select an offer' }),
      /** For how many months, where the screen said so. */
      months: z.int({ error: 'Please select an offer' }).optional(),
    }),
    response: confirmation.extend({ subscription: subscription.nullable() }),
  },
});

/** Who of a team uses which of its tools. */
export const toolUsersApi = defineApi('member', {
  list: {
    route: 'GET /api/teams/:teamId/tools',
    summary: 'The tools that the team pays for by seat, with who uses them',
    response: z.array(
      z.object({
        toolId: z.string(),
        toolName: z.string(),
        /** Null: everybody with a seat. */
        userIds: z.array(z.string()).nullable(),
      }),
    ),
  },
  choose: {
    route: 'PUT /api/teams/:teamId/tools/:toolId/users',
    summary: 'Choose who uses a tool, and is paid for; days of the running month that come or go are on the next bill',
    body: z.strictObject({
      /** Null: everybody with a seat, and whoever joins. */
      userIds: z
        .array(id)
        .min(1, { error: 'Please choose somebody. To stop paying for the tool, cancel it.' })
        .max(mostToolUsers)
        .nullable(),
    }),
  },
});
