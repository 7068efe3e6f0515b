import type { Subscription } from '#shared/api/subscriptions.ts';
import { isFreeAt } from '#shared/rules/pricing.ts';
import { afterCredit, centsOf, percentOf } from '#shared/rules/money.ts';
import { nextStep } from '#shared/rules/own-price.ts';
import { hasAccess, isLive, shownStatus } from '#shared/rules/subscriptions.ts';
import { type EndReason, lostMoneyTool } from '#shared/rules/tools.ts';
import { columnsOf, findPayerFacts, type Payer } from '#server/payers/service.ts';
import { discountKindOf } from '#server/stripe/service.ts';
import type { Context } from '#server/platform/context.ts';
import { slotsOf, subscriptionRowsOf, type ListedRow } from './queries.ts';
import { type RightsRow, rightsRowsOf } from './queries-rights.ts';

export type Entitlement = ListedRow & {
  live: boolean;
  access: boolean;
  /** Whether this adviser decides about it: their own, or that of a team they own. */
  canManage: boolean;
};

/** Whether `other` keeps the free tool alive: for an adviser's, any of their tools; for a team's, the same team's. */
const keepsAlive = (other: RightsRow, free: RightsRow) =>
  other.toolId !== lostMoneyTool && (free.teamId === null || other.teamId === free.teamId);

/**
 * What each of somebody's rows gives by the clock. The free tool lives as long as another subscription does, even where a late job
 * has not updated its row.
 */
const withRights = <Row extends RightsRow>(rows: Row[], now: Date) =>
  rows.map((row) => {
    const counts = row.toolId !== lostMoneyTool || rows.some((other) => keepsAlive(other, row) && isLive(other, now));
    return { ...row, live: counts && isLive(row, now), access: counts && hasAccess(row, now) };
  });

/** Own and team subscriptions with what they allow now, newest first. */
export async function entitlementsOf(context: Context, userId: string): Promise<Entitlement[]> {
  const rows = withRights(await subscriptionRowsOf(context.db, userId), context.now());
  return rows.map((row) => ({ ...row, canManage: row.userId !== null || row.teamOwnerId === userId }));
}

/** Whether this payer has a live subscription that includes the free tool; an adviser's may be their team's. */
export async function includesFreeTool(context: Context, payer: Payer): Promise<boolean> {
  if (payer.kind === 'user')
    return (await entitlementsOf(context, payer.userId)).some((row) => row.live && row.toolId !== lostMoneyTool);
  const facts = await findPayerFacts(context.db, payer);
  const slots = await slotsOf(context.db, payer);
  const cardOnFile = facts?.cardOnFile ?? false;
  return slots.some((row) => row.toolId !== lostMoneyTool && isLive({ ...row, cardOnFile }, context.now()));
}

/** What `GET /api/user/subscriptions` answers. */
export async function subscriptionsOf(context: Context, userId: string): Promise<Subscription[]> {
  const rows = await entitlementsOf(context, userId);
  const now = context.now();
  return rows.map((row) => present(row, now));
}

/** The ids of the tools that are open to this adviser now. */
export const openTools = async (context: Context, userId: string): Promise<string[]> => [
  ...new Set((await entitlementsOf(context, userId)).filter((row) => row.access).map((row) => row.toolId)),
];

/** The subscription that opens the tool for this adviser now, their own before a team's, or null. */
export async function findAccess(context: Context, userId: string, toolId: string): Promise<RightsRow | null> {
  const rows = withRights(await rightsRowsOf(context.db, userId), context.now());
  const open = rows.filter((row) => row.toolId === toolId && row.access);
  return open.find((row) => row.userId !== null) ?? open[0] ?? null;
}

/** Why a subscription to the tool no longer gives this person access. */
export async function whyEnded(context: Context, userId: string, toolId: string): Promise<EndReason> {
  const row = (await subscriptionRowsOf(context.db, userId)).find((one) => one.toolId === toolId);
  if (row?.cancelledAt) return 'cancelled';
  return row?.gracePeriodEnd ? 'payment_failed' : 'ended';
}

/** A payer's subscription to a tool, as this adviser may see it; null where there is none to list. */
export async function findShownSubscription(
  context: Context,
  userId: string,
  payer: Payer,
  toolId: string,
): Promise<Subscription | null> {
  const { teamId } = columnsOf(payer);
  const listed = (await entitlementsOf(context, userId)).find((row) => row.toolId === toolId && row.teamId === teamId);
  return listed ? present(listed, context.now()) : null;
}

/** A row as it is sent, with its status by the clock. Only the owner sees what a team pays. */
export function present(row: Entitlement, now: Date): Subscription {
  const status = row.live ? shownStatus(row, now) : 'expired';
  if (status === 'incomplete') throw new Error(`subscription ${row.id} is not confirmed and can't be shown`);
  const { winBack, canManage } = row;
  return {
    ...row,
    status,
    tool: { name: row.toolName, description: row.toolDescription, basePrice: row.basePrice },
    hasAccess: row.access,
    winBack: winBack && { ...winBack, endsAt: winBack.endsAt === null ? null : new Date(winBack.endsAt) },
    ...(canManage
      ? {
          ...billOf(row),
          nextPrice: nextPriceOf(row, now),
          freeUntil: isFreeAt(row.freeMonths, row.endDate) ? new Date(row.freeMonths!.until) : null,
          paymentProblem: status === 'grace_period' ? problemOf(row) : null,
        }
      : {
          baseCents: row.monthlyCents,
          discounts: [],
          nextPrice: null,
          freeUntil: null,
          paymentProblem: null,
          winBack: null,
        }),
  };
}

function problemOf({ paymentProblem: problem, creditCents }: Entitlement): Subscription['paymentProblem'] {
  if (!problem || problem.invoiceId !== '') return problem && { ...problem, tried: true };
  // There is no invoice yet; the credit will come off it.
  return { ...problem, amountCents: afterCredit(problem.amountCents, creditCents).cents, tried: false };
}

/** The next unit price, as its payer was told; null where none is coming, or it will not be charged. */
function nextPriceOf({ purchase, status, autoRenew, endDate }: Entitlement, now: Date): Subscription['nextPrice'] {
  const goesOn = autoRenew && (status === 'trial' || status === 'active' || status === 'grace_period');
  const step = purchase && goesOn ? nextStep(purchase, now, endDate) : null;
  return step && { unitCents: step.unitCents, beforeCents: step.beforeCents, from: new Date(step.from) };
}

/** The row's bill: the base price, less the coupons it has at Stripe. */
function billOf({ purchase, basePrice, quantity, monthlyCents }: Entitlement) {
  const baseCents = (purchase?.unitCents ?? centsOf(basePrice)) * quantity;
  let left = baseCents;
  const discounts: Subscription['discounts'] = (purchase?.coupons ?? []).map(({ id, name, percent }) => {
    const cents = percentOf(left, percent);
    left -= cents;
    return { kind: discountKindOf(id), label: name, percent, cents };
  });
  if (left > 0 && monthlyCents === 0)
    discounts.push({ kind: 'free', label: '100% Free Access Granted', percent: 100, cents: left });
  return { baseCents, discounts };
}
