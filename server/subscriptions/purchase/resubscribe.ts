import type { Reply } from '#shared/api/endpoint.ts';
import type { Charge, subscriptionsApi } from '#shared/api/subscriptions.ts';
import { isLive, overSince } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import {
  daysSince,
  winBackOffers,
  type WinBackOffer,
  type WinBackOfferId,
  type WinBackSettings,
} from '#shared/rules/win-back.ts';
import { winBackSettings } from '#server/catalogue/service.ts';
import { type Payer, payerFor } from '#server/payers/service.ts';
import { confirmationOf, nothingToConfirm } from '#server/stripe/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { consume } from '#server/platform/rate-limit.ts';
import { retryOnConflict } from '#server/platform/database.ts';
import type { Target } from '../change/change.ts';
import { claimSlot, type Due, dueForPeriod, dueFromForm, findAgain, refuseDisallowed, takenFrom } from './attempt.ts';
import { canReuse, continueAttempt, withdrawAttempt } from './purchase.ts';
import { orderFor, type PricedTool, priceTool } from '../price/quote.ts';
import { findNewestExpired, isRedeemed, type SubscriptionRow } from '../queries.ts';
import { repriceNow } from '../price/reprice.ts';
import { findShownSubscription } from '../entitlements.ts';
import { expireIfOver } from '../sync/expire.ts';

type Request = Target & {
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
  await refuseDisallowed(context, actor, request.toolId);
  return retryOnConflict(() => tryResubscribe(context, actor, payer, request));
}

/** The chosen offer as it is today; 409 where the screen showed a different one. */
function currentOffer(
  expired: SubscriptionRow,
  { offerId, discountPercentage, months }: Request,
  settings: WinBackSettings,
  now: Date,
): WinBackOffer {
  const since = expired.expiredAt ?? overSince(expired);
  const days = since ? Math.max(0, daysSince(since, now)) : 0;
  const offer = winBackOffers(settings, days).find((one) => one.offerId === offerId);
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
  const { toolId } = request;
  const now = context.now();
  const priced = await priceTool(context, payer, toolId);
  const slot = priced.slots.find((row) => row.toolId === toolId) ?? null;
  if (slot && slot.status !== 'incomplete') {
    if (isLive({ ...slot, cardOnFile: priced.payerFacts.cardOnFile }, now)) throw new AppError('already_subscribed');
    return expireIfOver(context, slot).then(() => null);
  }
  const expired = toolId === lostMoneyTool ? null : await findNewestExpired(context.db, payer, toolId);
  if (!expired) throw new AppError('subscription_not_found');
  const { offerId, percent, months } = currentOffer(expired, request, await winBackSettings(context), now);
  // An open attempt for this offer does not count as taken.
  if (await isRedeemed(context.db, expired.id, slot?.id ?? null)) throw new AppError('offer_changed');

  const winBack = { offerId, percent, months };
  const pricedWithOffer: PricedTool = { ...priced, price: priced.priceWith(winBack) };
  const order = orderFor(pricedWithOffer, null);
  if (!order) throw new AppError('offer_changed');
  const due = request.charge
    ? await dueForPeriod(context, payer, request.charge, order.totalCents)
    : await dueFromForm(context, payer, order.totalCents);
  if (slot && slot.winBackOf === expired.id && canReuse(slot, order, now))
    return finish(context, actor, payer, slot, due);
  if (slot && !(await withdrawAttempt(context, slot))) return null;
  if (!slot && (await findAgain(context, payer, toolId))) return null;
  // Where the volume discount is larger, the offer has no effect.
  const offerApplies = pricedWithOffer.price.discounts.some(({ kind }) => kind === 'win_back');
  const row = await claimSlot(context, {
    payer,
    toolId,
    before: slot,
    order,
    offer: {
      of: expired.id,
      winBack: offerApplies ? { ...winBack, ...takenFrom(winBack, order, now) } : null,
    },
    trialIdentities: priced.payerFacts.trialIdentities,
  });
  return row && finish(context, actor, payer, row, due);
}

/** Continues at Stripe, and charges the card where one was chosen. */
async function finish(
  context: Context,
  actor: ActorRow,
  payer: Payer,
  row: SubscriptionRow,
  due: Due | null,
): Promise<Resubscribed | null> {
  const continued = await continueAttempt(context, row, due);
  if (!continued) return null;
  if (continued.row.status === 'incomplete')
    return { ...confirmationOf(continued.stripeSubscription), subscription: null };
  await repriceNow(context, payer);
  return { ...nothingToConfirm, subscription: await findShownSubscription(context, actor.id, payer, row.toolId) };
}
