import type { Subscription } from '#shared/api/subscriptions.ts';
import { isLive, overSince } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { daysSince, winBackOffers, type WinBackOffer, type WinBackOfferId } from '#shared/rules/win-back.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { clientSecretOf, idOf, payerFor, payInvoice, type Payer } from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { consume } from '#server/platform/rate-limit.ts';
import type { Target } from './act.ts';
import { advance, withdraw } from './attempt.ts';
import { convergeBoth } from './converge.ts';
import { orderFor } from './order.ts';
import { openPlace } from './place.ts';
import { canReuse } from './purchase.ts';
import { newestExpired, redeemed, type SubscriptionRow } from './queries.ts';
import { offerFor, type Offer } from './quote.ts';
import { repriceNow } from './reprice.ts';
import { shownTo } from './rights.ts';
import { settle } from './settle.ts';

type Request = Target & { offerId: WinBackOfferId; discountPercentage: number };
type Resubscribed = {
  clientSecret: string | null;
  intent: 'payment' | 'setup' | 'none';
  subscription: Subscription | null;
};

const rounds = 5;

/**
 * `POST /api/resubscribe`: an expired subscription comes back with an offer, once per expiry. A card on file is charged at
 * once, else the payment form opens. What the offer gives is decided here, by the days since expiry (B §9).
 */
export async function resubscribe(context: Context, actor: ActorRow, request: Request): Promise<Resubscribed> {
  await consume(context, 'purchaseUser', actor.id);
  const payer = await payerFor(context, actor, request.teamId);
  for (let round = 1; round <= rounds; round += 1) {
    const done = await tryResubscribe(context, actor, payer, request);
    if (done) return done;
  }
  throw new AppError('conflict');
}

/** The offer as it stands today; 409 where the screen showed another. */
function standing(expired: SubscriptionRow, { offerId, discountPercentage }: Request, now: Date): WinBackOffer {
  const since = expired.expiredAt ?? overSince(expired);
  const days = since ? Math.max(0, daysSince(since, now)) : 0;
  const offer = winBackOffers(days).find((one) => one.offerId === offerId);
  if (!offer || offer.percent !== discountPercentage) throw new AppError('offer_changed');
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
  const offer = await offerFor(context, payer, toolId);
  const place = offer.places.find((row) => row.toolId === toolId) ?? null;
  if (place && place.status !== 'incomplete') {
    if (isLive({ ...place, cardOnFile: offer.facts.cardOnFile }, now)) throw new AppError('already_subscribed');
    return settle(context, place).then(() => null);
  }
  const expired = toolId === lostMoneyTool ? null : await newestExpired(context.db, payer, toolId);
  if (!expired) throw new AppError('subscription_not_found');
  const { offerId, percent, months } = standing(expired, request, now);
  // An open attempt of this very offer does not count as its redemption.
  if (await redeemed(context.db, expired.id, place?.id ?? null)) throw new AppError('offer_changed');

  const winBack = { offerId, percent, months };
  const priced: Offer = { ...offer, price: offer.priceWith(winBack) };
  const order = orderFor(priced, null);
  if (!order) throw new AppError('offer_changed');
  if (place && place.winBackOf === expired.id && canReuse(place, order, now))
    return finish(context, actor, payer, priced, place);
  if (place && !(await withdraw(context, place))) return null;
  // A volume discount that takes off more leaves nothing for the offer to do.
  const takes = priced.price.discounts.some(({ kind }) => kind === 'win_back');
  const row = await openPlace(context, {
    payer,
    toolId,
    actorId: actor.id,
    before: place,
    order,
    comeback: {
      of: expired.id,
      winBack: takes ? { ...winBack, endsAt: plusMonths(now, months).toISOString() } : null,
    },
    trialIdentity: offer.facts.trialIdentity,
  });
  return row && finish(context, actor, payer, priced, row);
}

/** Has the provider do its part and charges the card on file, where there is one. */
async function finish(
  context: Context,
  actor: ActorRow,
  payer: Payer,
  { facts, tool }: Offer,
  row: SubscriptionRow,
): Promise<Resubscribed | null> {
  const advanced = await advance(context, row);
  if (!advanced) return null;
  let { row: current, provider } = advanced;
  const invoiceId = idOf(provider.latest_invoice);
  if (facts.cardOnFile && current.status === 'incomplete' && invoiceId !== null) {
    await payInvoice(context, invoiceId);
    const both = await convergeBoth(context, current.id);
    if (!both.row || !both.provider) return null;
    current = both.row;
    provider = both.provider;
  }
  if (current.status === 'incomplete') return { ...clientSecretOf(provider), subscription: null };
  await repriceNow(context, payer);
  return { clientSecret: null, intent: 'none', subscription: await shownTo(context, actor.id, payer, tool.id) };
}
