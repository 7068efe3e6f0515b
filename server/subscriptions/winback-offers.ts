import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/index.ts';
import { day } from '#shared/rules/dates.ts';
import { overSince } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { daysSince, offerExpiresInDays, winBackOffers } from '#shared/rules/win-back.ts';
import { payerOf } from '#server/billing/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { sessionsDuring } from './queries-usage.ts';
import { offerFor, type Offer } from './quote.ts';
import { rightsOf, type SubscriptionWithRights } from './rights.ts';

type Offers = Reply<typeof contract.subscriptions.winBackOffers>;

const monthMs = (365 / 12) * day;

/** `GET /api/winback/offers`: what this adviser is offered to come back, per expired tool they pay for (B §4, §9). */
export async function winBackOffersFor(context: Context, actor: { id: string }): Promise<Offers> {
  const rows = await rightsOf(context, actor.id);
  const over = rows.filter((row) => row.canManage && !row.live && row.toolId !== lostMoneyTool);
  const offers = await Promise.all(over.map((row) => offersFor(context, row)));
  return offers.flatMap((offer) => offer ?? []);
}

async function offersFor(context: Context, row: SubscriptionWithRights): Promise<Offers[number] | null> {
  const expiredAt = row.expiredAt ?? overSince(row);
  const offer = expiredAt && (await purchasable(context, row));
  if (!offer) return null;
  const thenCents = offer.priceWith(null).totalCents;
  if (thenCents === 0) return null;
  const days = Math.max(0, daysSince(expiredAt, context.now()));
  const totalSessions = await sessionsDuring(context.db, payerOf(row), row.toolId, row.createdAt, expiredAt);
  const months = Math.max(1, (expiredAt.getTime() - row.createdAt.getTime()) / monthMs);
  return {
    toolId: row.toolId,
    teamId: row.teamId,
    toolName: row.toolName,
    daysSinceExpiry: days,
    totalSessions,
    averageMonthlyUsage: Math.round((totalSessions / months) * 10) / 10,
    expiresInDays: offerExpiresInDays(days),
    offers: winBackOffers(days).map(({ offerId, percent, months: discounted, mostPopular }) => ({
      offerId,
      discountPercentage: percent,
      months: discounted,
      mostPopular,
      monthlyCents: offer.priceWith({ percent, months: discounted }).totalCents,
      thenCents,
    })),
  };
}

/** What it would cost now; null for a tool that is not on sale any more. */
async function purchasable(context: Context, row: SubscriptionWithRights): Promise<Offer | null> {
  try {
    return await offerFor(context, payerOf(row), row.toolId);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'tool_not_found' || error.code === 'coming_soon')) return null;
    throw error;
  }
}
