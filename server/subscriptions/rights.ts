import type { Subscription } from '#shared/api/subscriptions.ts';
import { hasAccess, isLive, shownStatus } from '#shared/rules/billing/subscriptions.ts';
import { type EndReason, lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { columnsOf, findPayerFacts, type Payer, payerKey, payerOf } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { type Money, moneyOf, readMoney } from './bill/read.ts';
import { type RightsRow, rightsRowsOf, slotsOf, subscriptionRowsOf } from './queries.ts';

/** Whether `other` keeps the free tool alive: for an adviser's, any of their tools; for a team's, the same team's. */
const keepsAlive = (other: RightsRow, free: RightsRow) =>
  other.toolId !== lostMoneyTool && (free.teamId === null || other.teamId === free.teamId);

/** What each of somebody's rows gives by the clock. The free tool lives as long as another subscription, however late jobs are. */
const withRights = <Row extends RightsRow>(rows: Row[], now: Date) =>
  rows.map((row) => {
    const counts = row.toolId !== lostMoneyTool || rows.some((other) => keepsAlive(other, row) && isLive(other, now));
    return { ...row, live: counts && isLive(row, now), access: counts && row.uses && hasAccess(row, now) };
  });

/** Own and team subscriptions with what they allow now, newest first; also a team's tools that others in it use. */
export async function entitlementsOf(context: Context, userId: string) {
  const rows = withRights(await subscriptionRowsOf(context.db, userId), context.now());
  // Their own, or that of a team they own.
  return rows.map((row) => ({ ...row, canManage: row.userId !== null || row.teamOwnerId === userId }));
}
export type Entitlement = Awaited<ReturnType<typeof entitlementsOf>>[number];

/** Whether this payer has a live subscription that includes the free tool; an adviser's may be their team's. */
export async function includesFreeTool(context: Context, payer: Payer): Promise<boolean> {
  if (payer.kind === 'user')
    return (await entitlementsOf(context, payer.userId)).some((row) => row.live && row.toolId !== lostMoneyTool);
  const facts = await findPayerFacts(context.db, payer);
  const slots = await slotsOf(context.db, payer);
  const cardOnFile = facts?.cardOnFile ?? false;
  return slots.some((row) => row.toolId !== lostMoneyTool && isLive({ ...row, cardOnFile }, context.now()));
}

export async function subscriptionsOf(context: Context, userId: string): Promise<Subscription[]> {
  return presentAll(context, (await entitlementsOf(context, userId)).filter(concerns));
}

/** A team's tool that others in it use is of no concern to those who don't pay for it. */
const concerns = ({ uses, canManage }: Entitlement) => uses || canManage;

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
  // It goes on for others.
  if (row && !row.uses && hasAccess(row, context.now())) return 'ended';
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
  const rows = await entitlementsOf(context, userId);
  const own = rows.filter((row) => row.toolId === toolId && row.teamId === teamId && concerns(row));
  return (await presentAll(context, own))[0] ?? null;
}

/** The rows as they are sent; what a payer pays is read once for all rows that this adviser pays for. */
async function presentAll(context: Context, rows: readonly Entitlement[]): Promise<Subscription[]> {
  const payers = new Map(rows.filter((row) => row.canManage).map((row) => [payerKey(payerOf(row)), payerOf(row)]));
  const read = await Promise.all(
    [...payers].map(async ([key, payer]) => [key, await readMoney(context, payer)] as const),
  );
  const known = new Map(read);
  return rows.map((row) => {
    const money = row.canManage ? known.get(payerKey(payerOf(row))) : undefined;
    return present(row, money ? moneyOf(row, money) : null, context.now());
  });
}

/** What a member of a team sees of its money: nothing. */
const noMoney: Omit<Money, 'quantity'> = {
  baseCents: 0,
  discounts: [],
  monthlyCents: 0,
  nextBillAt: null,
  paidMonthCents: null,
  afterOfferCents: null,
  nextPrice: null,
  freeUntil: null,
  paymentProblem: null,
};

/** A row as it is sent, with its status by the clock. */
function present(row: Entitlement, money: Money | null, now: Date): Subscription {
  const status = row.live ? shownStatus(row, now) : 'expired';
  if (status === 'incomplete') throw new Error(`subscription ${row.id} is not confirmed and can't be shown`);
  const winBack = money && row.winBack;
  return {
    ...row,
    status,
    tool: { name: row.toolName, description: row.toolDescription, basePrice: row.basePrice },
    hasAccess: row.access,
    winBack: winBack && { ...winBack, endsAt: winBack.endsAt === null ? null : new Date(winBack.endsAt) },
    ...(money ?? noMoney),
    paymentProblem: status === 'grace_period' && money ? money.paymentProblem : null,
  };
}
