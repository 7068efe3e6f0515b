import type { Charge } from '#shared/api/charge.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { subscriptionsApi } from '#shared/api/subscriptions.ts';
import { overSince } from '#shared/rules/billing/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { daysSince, winBackOffers, type WinBackOffer, type WinBackOfferId } from '#shared/rules/billing/win-back.ts';
import { type Payer, payerFor } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { retryOnConflict } from '#server/platform/data/database.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { advanceNow } from '../bill/advance.ts';
import { joinFirst } from '../join/join.ts';
import { findNewest, isRedeemed, type SubscriptionRow } from '../queries.ts';
import { findShownSubscription } from '../rights.ts';
import { refuseDisallowed, refuseUnpaid } from './agreed.ts';
import { buy } from './order.ts';
import { endOver, newRow } from './purchase.ts';
import { priceTool } from './quote.ts';

type Request = {
  toolId: string;
  teamId?: string | undefined;
  offerId: WinBackOfferId;
  discountPercentage: number;
  months?: number | undefined;
  charge?: Charge | undefined;
};
type Resubscribed = Reply<typeof subscriptionsApi.resubscribe>;

/**
 * `POST /api/resubscribe`: an expired subscription comes back with an offer, once per expiry. The card on file is charged,
 * if the request agrees to that; else the payment form opens. The offer's discount is decided here, by the days since expiry.
 */
export async function resubscribe(context: Context, actor: ActorRow, request: Request): Promise<Resubscribed> {
  await consume(context, 'purchaseUser', actor.id);
  const payer = await payerFor(context, actor, request.teamId);
  await joinFirst(context, payer);
  await refuseDisallowed(context, actor, request.toolId);
  return retryOnConflict(() => tryResubscribe(context, actor, payer, request));
}

/** The chosen offer as it is today; 409 where the screen showed a different one. */
function currentOffer(
  expired: SubscriptionRow,
  { offerId, discountPercentage, months }: Request,
  now: Date,
): WinBackOffer {
  const since = expired.expiredAt ?? overSince(expired);
  const days = since ? Math.max(0, daysSince(since, now)) : 0;
  const offer = winBackOffers(days).find((one) => one.offerId === offerId);
  if (!offer || offer.percent !== discountPercentage || offer.months !== (months ?? offer.months))
    throw new AppError('offer_changed');
  return offer;
}

async function tryResubscribe(
  context: Context,
  actor: ActorRow,
  payer: Payer,
  request: Request,
): Promise<Resubscribed | null> {
  const { toolId, charge } = request;
  const before = await priceTool(context, payer, toolId, null, advanceNow);
  if (await endOver(context, before)) return null;
  const expired = toolId === lostMoneyTool ? null : await findNewest(context.db, payer, toolId, 'expired');
  if (!expired) throw new AppError('subscription_not_found');
  const { offerId, percent, months } = currentOffer(expired, request, context.now());
  // An open attempt for this offer does not count as taken.
  if (await isRedeemed(context.db, expired.id, before.slot?.id ?? null)) throw new AppError('offer_changed');
  const priced = await priceTool(context, payer, toolId, { offerId, percent, months });
  const { reading, sale, quote } = priced;
  if (quote.totalCents === 0) throw new AppError('offer_changed');
  await refuseUnpaid(context, reading);
  const write = newRow(priced, { winBackOf: expired.id });
  const bought = await buy(context, { payer, reading, sale, write, charge });
  if (!bought) return null;
  const subscription = bought.started ? await findShownSubscription(context, actor.id, payer, toolId) : null;
  return { ...bought.confirmation, subscription };
}
