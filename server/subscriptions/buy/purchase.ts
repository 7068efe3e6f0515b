import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { Quote, subscriptionsApi } from '#shared/api/subscriptions.ts';
import { forecastOf } from '#shared/rules/billing/forecast.ts';
import { isLive, overSince } from '#shared/rules/billing/subscriptions.ts';
import { daysSince, winBackOffers } from '#shared/rules/billing/win-back.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { type DiscountCodeRow, findTool } from '#server/catalogue/service.ts';
import { type Payer, payerFor } from '#server/payers/service.ts';
import { nothingToConfirm } from '#server/stripe/invoices.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { retryOnConflict } from '#server/platform/data/database.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { advanceNow } from '../bill/advance.ts';
import { unpaidBills } from '../bill/grace.ts';
import { mirrorNow } from '../bill/mirror.ts';
import { findAttempt } from '../bill/queries-bills.ts';
import { readBill } from '../bill/read.ts';
import { expireIfOver } from '../change/end.ts';
import { joinFirst } from '../join/join.ts';
import { findNewest, insertRow, isRedeemed, type SubscriptionRow } from '../queries.ts';
import { findShownSubscription, includesFreeTool } from '../rights.ts';
import { refuseDisallowed, refuseUnpaid } from './agreed.ts';
import { type Bought, continueAttempt, withdrawAttempt, type WriteRows } from './attempt.ts';
import { findCode, offerOfCode, redeemCode, refuseCode } from './codes.ts';
import { buy, columnsFor, startFree, startTrial } from './order.ts';
import { type PricedTool, priceTool } from './quote.ts';

type Request = Input<typeof subscriptionsApi.create>['body'];
type Purchased = Reply<typeof subscriptionsApi.create>;

/**
 * `POST /api/create-subscription`: starts a purchase or continues the open one, starts a trial, or adds what is free. The card on
 * file is charged if the request agrees to that; else the payment form opens.
 */
export async function purchase(context: Context, actor: ActorRow, request: Request): Promise<Purchased> {
  const payer = await buyerFor(context, actor, request);
  const code = request.code === undefined ? null : await findCode(context, actor, request.code);
  return retryOnConflict(() => tryPurchase(context, actor, payer, request, code));
}

/** Who pays; what an older release sold them is on their bill by then. Refuses what their practice doesn't allow. */
async function buyerFor(
  context: Context,
  actor: ActorRow,
  { toolId, teamId }: { toolId: string; teamId?: string | undefined },
): Promise<Payer> {
  await consume(context, 'purchaseUser', actor.id);
  const payer = await payerFor(context, actor, teamId);
  await joinFirst(context, payer);
  await refuseDisallowed(context, actor, toolId);
  return payer;
}

/** One try; null where the rows have changed meanwhile. */
async function tryPurchase(
  context: Context,
  actor: ActorRow,
  payer: Payer,
  request: Request,
  code: DiscountCodeRow | null,
): Promise<Purchased | null> {
  const priced = await priceTool(context, payer, request.toolId, code && offerOfCode(code), advanceNow);
  if (await endOver(context, priced)) return null;
  await refuseUnlessAllowed(context, actor, priced, request);
  if (code) await refuseCode(context, code, payer, priced);
  const { reading, tool, sale, quote } = priced;
  const startsNow = request.trial || quote.totalCents === 0;
  const bought: Started | null = startsNow
    ? await startNow(context, priced, code)
    : await buy(context, { reading, sale, write: newRow(priced, { code }) }, request.charge);
  if (!bought) return null;
  return {
    ...bought.confirmation,
    includesLostMoney: tool.id !== lostMoneyTool && !reading.slots.some(({ toolId }) => toolId === lostMoneyTool),
    subscription: bought.started ? await findShownSubscription(context, actor.id, payer, tool.id) : null,
    quote: bought.quote ?? quote,
  };
}

type Started = Bought & { quote?: Quote };

/** Adds what is free, or starts a trial, in place of an open purchase of the tool. Null where that is paid, or the slot is taken. */
async function startNow(context: Context, priced: PricedTool, code: DiscountCodeRow | null): Promise<Started | null> {
  const { reading, tool, quote } = priced;
  const isFree = quote.totalCents === 0;
  if (!isFree) await refuseUnpaid(context, reading);
  const open = await findAttempt(context.db, reading.payer);
  const isOfTool = open && [...open.lines, ...open.parts].some(({ toolId }) => toolId === tool.id);
  if (isOfTool && !(await withdrawAttempt(context, open))) return null;
  const row = isFree ? await startFree(context, priced) : await startTrial(context, priced, code);
  if (!row) return null;
  await mirrorNow(context, reading.payer);
  const started = { confirmation: nothingToConfirm, started: true };
  return isFree ? started : { ...started, quote: await startedTrial(context, priced, row) };
}

/** Refuses what the payer has. Ends what is over by the clock, and answers whether anything was. */
async function endOver(context: Context, { slot, reading, tool }: PricedTool): Promise<boolean> {
  if (!slot || slot.status === 'incomplete') return false;
  const { payer, facts } = reading;
  // The free tool's row may outlive the subscription that included it by a moment.
  if (tool.id === lostMoneyTool && !(await includesFreeTool(context, payer))) return false;
  if (isLive({ ...slot, cardOnFile: facts.cardOnFile }, context.now())) throw new AppError('already_subscribed');
  // It hangs on an unpaid bill until that is void.
  if (slot.paymentProblem !== null) await refuseUnpaid(context, reading);
  await expireIfOver(context, slot);
  return true;
}

async function refuseUnlessAllowed(
  context: Context,
  actor: ActorRow,
  { tool, trialUsed, price, reading }: PricedTool,
  { trial }: Request,
): Promise<void> {
  if (tool.id === lostMoneyTool && !(await includesFreeTool(context, reading.payer)))
    throw new AppError('lost_money_gate');
  if (!trial) return;
  if (price.totalCents === 0) throw new AppError('trial_not_needed');
  if (!actor.emailVerified) throw new AppError('email_unverified');
  if (trialUsed) throw new AppError('trial_used');
}

type Offered = { code?: DiscountCodeRow | null; winBackOf?: string };

/** Takes the payer's slot for the tool, with the code or the offer that it is bought with. */
const newRow =
  (priced: PricedTool, { code = null, winBackOf }: Offered): WriteRows =>
  async ({ db, now }, { months }, { payer }) => {
    const { row, tool, price } = priced;
    // Where the volume discount is larger, an offer has no effect.
    const applies = price.discounts.some(({ kind }) => kind === 'win_back' || kind === 'code');
    const made = await insertRow(db, {
      ...columnsFor(priced, now()),
      status: 'incomplete',
      monthlyCents: months[0]!.cents,
      winBack: applies ? row.offer : null,
      winBackOf: winBackOf ?? null,
    });
    if (!made) return null;
    await redeemCode(db, { payer, toolId: tool.id, subscriptionId: made.id, code }, now());
    return [made];
  };

/** This quote, with nothing due today and no second trial. */
async function startedTrial(context: Context, { quote, reading }: PricedTool, row: SubscriptionRow): Promise<Quote> {
  const { input } = await readBill(context, reading.payer);
  const { bill } = forecastOf(input);
  return {
    ...quote,
    trialDays: null,
    dueTodayCents: 0,
    part: null,
    carriedCents: 0,
    until: row.trialEndDate!,
    nextBill: bill && { at: bill.at, totalCents: bill.totalCents },
    wholeMonth: null,
  };
}

/** `POST /api/subscriptions/{toolId}/sync`: reads at Stripe what is under way or owed, after the browser has confirmed the card. */
export async function syncTool(context: Context, actor: ActorRow, toolId: string, teamId?: string) {
  const payer = await payerFor(context, actor, teamId);
  if (!(await findTool(context.db, toolId))) throw new AppError('tool_not_found');
  const open = await findAttempt(context.db, payer);
  if (open && open.kind !== 'month') await continueAttempt(context, open);
  await unpaidBills(context, payer);
  await mirrorNow(context, payer);
  return findShownSubscription(context, actor.id, payer, toolId);
}

type Resubscribe = Input<typeof subscriptionsApi.resubscribe>['body'];
type Resubscribed = Reply<typeof subscriptionsApi.resubscribe>;

/**
 * `POST /api/resubscribe`: an expired subscription comes back with an offer, once per expiry. The card on file is charged,
 * if the request agrees to that; else the payment form opens. The offer's discount is decided here, by the days since expiry.
 */
export async function resubscribe(context: Context, actor: ActorRow, request: Resubscribe): Promise<Resubscribed> {
  const payer = await buyerFor(context, actor, request);
  return retryOnConflict(() => tryResubscribe(context, actor, payer, request));
}

async function tryResubscribe(
  context: Context,
  actor: ActorRow,
  payer: Payer,
  request: Resubscribe,
): Promise<Resubscribed | null> {
  const { toolId, charge } = request;
  const plain = await priceTool(context, payer, toolId, null, advanceNow);
  if (await endOver(context, plain)) return null;
  const expired = toolId === lostMoneyTool ? null : await findNewest(context.db, payer, toolId, 'expired');
  if (!expired) throw new AppError('subscription_not_found');
  const priced = plain.withOffer(currentOffer(expired, request, context.now()));
  // An open attempt for this offer does not count as taken.
  const isTaken = await isRedeemed(context.db, expired.id, plain.slot?.id ?? null);
  if (isTaken || priced.quote.totalCents === 0) throw new AppError('offer_changed');
  const { reading, sale } = priced;
  const bought = await buy(context, { reading, sale, write: newRow(priced, { winBackOf: expired.id }) }, charge);
  if (!bought) return null;
  const subscription = bought.started ? await findShownSubscription(context, actor.id, payer, toolId) : null;
  return { ...bought.confirmation, subscription };
}

/** The chosen offer as it is today; 409 where the screen showed a different one. */
function currentOffer(expired: SubscriptionRow, asked: Resubscribe, now: Date) {
  const since = expired.expiredAt ?? overSince(expired);
  const days = since ? Math.max(0, daysSince(since, now)) : 0;
  const offer = winBackOffers(days).find(({ offerId }) => offerId === asked.offerId);
  if (!offer || offer.percent !== asked.discountPercentage || offer.months !== (asked.months ?? offer.months))
    throw new AppError('offer_changed');
  const { offerId, percent, months } = offer;
  return { offerId, percent, months };
}
