import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/index.ts';
import { day } from '#shared/rules/dates.ts';
import { overSince, toolRefusal } from '#shared/rules/billing/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { comebackChange, daysSince, offerExpiresInDays, winBackOffers } from '#shared/rules/billing/win-back.ts';
import { payerOf, practices } from '#server/payers/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { countSessions } from '#server/usage/service.ts';
import type { SubscriptionRow } from '../queries.ts';
import { entitlementsOf, type Entitlement } from '../rights.ts';
import { priceTool } from './quote.ts';

type Offers = Reply<typeof contract.subscriptions.winBackOffers>;

const monthMs = (365 / 12) * day;

/** `GET /api/winback/offers`: what this adviser is offered to come back, per expired tool they pay for and may use. */
export async function winBackOffersFor(context: Context, actor: { id: string }): Promise<Offers> {
  const rows = await entitlementsOf(context, actor.id);
  const rules = await practices.toolRulesFor(context.db, actor.id);
  const expired = rows.filter(
    (row) => row.canManage && !row.live && row.toolId !== lostMoneyTool && !toolRefusal(rules, row.toolId),
  );
  if (expired.length === 0) return [];
  const offers = await Promise.all(expired.map((row) => offersFor(context, row)));
  return offers.flatMap((offer) => offer ?? []);
}

async function offersFor(context: Context, row: Entitlement): Promise<Offers[number] | null> {
  const lost = await findLost(context, row);
  if (!lost) return null;
  const { expiredAt, days, thenCents } = lost;
  const offers = worthwhile(lost);
  if (offers.length === 0) return null;
  const people = await practices.peopleOf(context.db, payerOf(row));
  const totalSessions = await countSessions(context.db, people, row.toolId, row.createdAt, expiredAt);
  const months = Math.max(1, (expiredAt.getTime() - row.createdAt.getTime()) / monthMs);
  return {
    toolId: row.toolId,
    teamId: row.teamId,
    toolName: row.toolName,
    daysSinceExpiry: days,
    totalSessions,
    averageMonthlyUsage: Math.round((totalSessions / months) * 10) / 10,
    expiresInDays: offerExpiresInDays(days),
    changes: comebackChange(expiredAt, context.now()),
    offers: offers.map(({ offerId, percent, months: discounted, mostPopular, quote, monthlyCents }) => {
      const offer = { offerId, discountPercentage: percent, months: discounted, mostPopular };
      return { ...quote, ...offer, monthlyCents, thenCents };
    }),
  };
}

/** The offers that cost less than coming back without one: a volume discount may already give as much. */
const worthwhile = ({ days, priced, thenCents }: NonNullable<Awaited<ReturnType<typeof findLost>>>) =>
  winBackOffers(days)
    .map((offer) => {
      const { price, quote } = priced.withOffer(offer);
      return { ...offer, quote, monthlyCents: price.totalCents };
    })
    .filter(({ monthlyCents }) => monthlyCents < thenCents);

/** What coming back to what has just ended costs, with each offer and after it. Null for what costs nothing or is no longer on sale. */
export async function comebackTo(context: Context, row: SubscriptionRow) {
  const lost = row.toolId === lostMoneyTool ? null : await findLost(context, row);
  if (!lost) return null;
  const offers = worthwhile(lost);
  if (offers.length === 0) return null;
  return { offers, thenCents: lost.thenCents, change: comebackChange(lost.expiredAt, context.now()) };
}

const notOnSale = new Set(['tool_not_found', 'coming_soon', 'tool_closed']);

/** What has ended, and what it would cost now; null where that is nothing, or the tool is no longer on sale. */
async function findLost(context: Context, row: SubscriptionRow) {
  const expiredAt = row.expiredAt ?? overSince(row);
  if (!expiredAt) return null;
  try {
    const priced = await priceTool(context, payerOf(row), row.toolId);
    const thenCents = priced.price.totalCents;
    return thenCents === 0
      ? null
      : { expiredAt, days: Math.max(0, daysSince(expiredAt, context.now())), priced, thenCents };
  } catch (error) {
    if (error instanceof AppError && notOnSale.has(error.code)) return null;
    throw error;
  }
}
