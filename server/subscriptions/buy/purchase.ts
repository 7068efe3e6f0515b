import type { Charge, Confirmation } from '#shared/api/charge.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { Quote, subscriptionsApi } from '#shared/api/subscriptions.ts';
import { isLive } from '#shared/rules/billing/subscriptions.ts';
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
import { forecastFor } from '../bill/read.ts';
import { expireIfOver } from '../expire.ts';
import { joinFirst } from '../join/join.ts';
import { insertRow, type SubscriptionRow } from '../queries.ts';
import { findShownSubscription, includesFreeTool } from '../rights.ts';
import { refuseDisallowed, refuseUnpaid } from './agreed.ts';
import { continueAttempt, type WriteRows } from './attempt.ts';
import { findCode, offerOfCode, redeemCode, refuseCode } from './codes.ts';
import { buy } from './order.ts';
import { type PricedTool, priceTool } from './quote.ts';
import { columnsFor, makeWay, startFree, startTrial } from './trial.ts';

type Request = {
  toolId: string;
  trial: boolean;
  teamId?: string | undefined;
  charge?: Charge | undefined;
  /** A discount code. */
  code?: string | undefined;
};
type Purchased = Reply<typeof subscriptionsApi.create>;

/**
 * `POST /api/create-subscription`: starts a purchase or continues the open one, starts a trial, or adds what is free. The card on
 * file is charged if the request agrees to that; else the payment form opens.
 */
export async function purchase(context: Context, actor: ActorRow, request: Request): Promise<Purchased> {
  await consume(context, 'purchaseUser', actor.id);
  const payer = await payerFor(context, actor, request.teamId);
  await joinFirst(context, payer);
  await refuseDisallowed(context, actor, request.toolId);
  const code = request.code === undefined ? null : await findCode(context, actor, request.code);
  return retryOnConflict(() => tryPurchase(context, actor, payer, request, code));
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
  const answer = answerFor(context, actor, priced);
  const isFree = priced.quote.totalCents === 0;
  if (!isFree) await refuseUnpaid(context, priced.reading);
  if (!isFree && !request.trial) {
    const { reading, sale } = priced;
    const bought = await buy(context, {
      payer,
      reading,
      sale,
      write: newRow(priced, { code }),
      charge: request.charge,
    });
    return bought && answer(bought.confirmation, bought.started);
  }
  if (!(await makeWay(context, priced))) return null;
  const row = isFree ? await startFree(context, priced) : await startTrial(context, priced, code);
  if (!row) return null;
  await mirrorNow(context, payer);
  return answer(nothingToConfirm, true, row.status === 'trial' ? await startedTrial(context, priced, row) : undefined);
}

/** Refuses what the payer has. Ends what is over by the clock, and answers whether anything was. */
export async function endOver(context: Context, { slot, reading, tool }: PricedTool): Promise<boolean> {
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
export const newRow =
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

const answerFor =
  (context: Context, actor: ActorRow, { tool, reading, quote }: PricedTool) =>
  async (confirmation: Confirmation, started: boolean, now: Quote = quote): Promise<Purchased> => ({
    ...confirmation,
    includesLostMoney: tool.id !== lostMoneyTool && !reading.slots.some(({ toolId }) => toolId === lostMoneyTool),
    subscription: started ? await findShownSubscription(context, actor.id, reading.payer, tool.id) : null,
    quote: now,
  });

/** This quote, with nothing due today and no second trial. */
async function startedTrial(context: Context, { quote, reading }: PricedTool, row: SubscriptionRow): Promise<Quote> {
  const { bill } = await forecastFor(context, reading.payer);
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
