import type Stripe from 'stripe';
import type { Reply } from '#shared/api/endpoint.ts';
import type { Charge, Quote, subscriptionsApi } from '#shared/api/subscriptions.ts';
import { attemptReuseMs, isLive } from '#shared/rules/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools.ts';
import { type DiscountCodeRow, findTool } from '#server/catalogue/service.ts';
import { type Payer, payerFor, payerOf } from '#server/payers/service.ts';
import {
  confirmationOf,
  createStripeSubscription,
  endStripeSubscription,
  findStripeSubscription,
  isRefusal,
  nothingToConfirm,
  requireStripeSubscription,
} from '#server/stripe/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { retryOnConflict, transaction } from '#server/platform/database.ts';
import { consume } from '#server/platform/rate-limit.ts';
import { findShownSubscription, includesFreeTool } from '../entitlements.ts';
import { findCode, offerOfCode, refuseCode } from '../price/codes.ts';
import { asksTheSame, type Order, orderFor, type PricedTool, priceTool, trialDaysOf } from '../price/quote.ts';
import { repriceNow } from '../price/reprice.ts';
import { deleteRow, findNewest, findSubscription, type SlotRow, type SubscriptionRow } from '../queries.ts';
import { expireIfOver } from '../sync/expire.ts';
import { syncRow, syncSubscription, writeRow } from '../sync/sync.ts';
import {
  chargeFirstInvoice,
  claimSlot,
  type Due,
  dueForPeriod,
  dueFromForm,
  findAgain,
  refuseDisallowed,
  takenFrom,
} from './attempt.ts';

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
  const priced = await priceTool(context, payer, request.toolId, code && offerOfCode(code));
  const { cardOnFile, trialIdentities } = priced.payerFacts;
  const slot = priced.slots.find((row) => row.toolId === request.toolId) ?? null;
  if (slot && slot.status !== 'incomplete') {
    if (isLive({ ...slot, cardOnFile }, context.now()) && !(await isLeftOver(context, slot)))
      throw new AppError('already_subscribed');
    if (slot.stripeSubscriptionId) return expireIfOver(context, slot).then(() => null);
  }
  await refuseUnlessAllowed(context, actor, payer, priced, request);
  if (code) await refuseCode(context, code, payer, priced);

  const order = orderFor(priced, request.trial ? trialDaysOf(payer) : null);
  const { trial, charge } = request;
  const cents = trial ? 0 : (order?.totalCents ?? 0);
  const due =
    charge && !trial ? await dueForPeriod(context, payer, charge, cents) : await dueFromForm(context, payer, cents);
  const open = slot?.status === 'incomplete' ? slot : null;
  if (open && order && open.winBackOf === null && canReuse(open, order, context.now()))
    return finish(context, actor, priced, open, due);
  if (open && !(await withdrawAttempt(context, open))) return null;
  if (order && !slot && (await findAgain(context, payer, request.toolId))) return null;
  const row = await claimSlot(context, {
    payer,
    toolId: priced.tool.id,
    before: slot,
    order,
    offer: code && { winBack: takenFrom(offerOfCode(code), order, context.now()), code },
    trialIdentities,
  });
  return row && finish(context, actor, priced, row, due);
}

/** The free tool's row may outlive the subscription that included it by a moment. */
const isLeftOver = async (context: Context, slot: SlotRow) =>
  slot.toolId === lostMoneyTool && !(await includesFreeTool(context, payerOf(slot)));

async function refuseUnlessAllowed(
  context: Context,
  actor: ActorRow,
  payer: Payer,
  { tool, trialUsed, price }: PricedTool,
  { trial }: Request,
): Promise<void> {
  if (tool.id === lostMoneyTool && !(await includesFreeTool(context, payer))) throw new AppError('lost_money_gate');
  if (!trial) return;
  if (price.totalCents === 0) throw new AppError('trial_not_needed');
  if (!actor.emailVerified) throw new AppError('email_unverified');
  if (trialUsed) throw new AppError('trial_used');
}

/** Whether the open attempt can go on: it asks for the same, and won't expire while the adviser is paying. */
export const canReuse = (open: SubscriptionRow, order: Order, now: Date): boolean =>
  open.purchase !== null &&
  now.getTime() - open.createdAt.getTime() <= attemptReuseMs &&
  asksTheSame(open.purchase, order);

type Continued = { row: SubscriptionRow; stripeSubscription: Stripe.Subscription };

/**
 * The Stripe subscription of an open attempt. Where the row has none yet it is created under the attempt's idempotency key,
 * which answers what an interrupted call made. A refusal ends the attempt and frees the slot. Null where another attempt is
 * needed: its price is gone, or the subscription that the row names was made in another account.
 */
async function createOrRead(context: Context, row: SubscriptionRow): Promise<Stripe.Subscription | null> {
  const { id: rowId, toolId, purchase, stripeSubscriptionId } = row;
  if (stripeSubscriptionId) return findStripeSubscription(context, stripeSubscriptionId);
  if (!purchase) throw new Error(`subscription ${rowId} is no purchase`);
  try {
    return await createStripeSubscription(context, { rowId, payer: payerOf(row), toolId, purchase });
  } catch (error) {
    if (isRefusal(error)) await transaction(context.db, (tx) => deleteRow(tx, row));
    throw error;
  }
}

/**
 * Continues an open attempt until Stripe and row agree, then charges what is due, if anything. Null where another attempt has
 * replaced it, or has to.
 */
export async function continueAttempt(
  context: Context,
  open: SubscriptionRow,
  due: Due | null = null,
): Promise<Continued | null> {
  const opened = await openAtStripe(context, open);
  if (!opened || !(await chargeFirstInvoice(context, opened.stripeSubscription, due))) return opened;
  const { row, stripeSubscription } = await syncSubscription(context, open.id);
  return row && stripeSubscription && { row, stripeSubscription };
}

async function openAtStripe(context: Context, open: SubscriptionRow): Promise<Continued | null> {
  let row = open;
  for (let round = 1; round <= 3; round += 1) {
    const stripeSubscription = await createOrRead(context, row);
    if (!stripeSubscription) {
      await transaction(context.db, (tx) => deleteRow(tx, row));
      return null;
    }
    const written = await writeRow(context, row, stripeSubscription);
    if (written) return written.row && { row: written.row, stripeSubscription };
    const current = await findSubscription(context.db, row.id);
    if (!current || !belongsTo(current, row, stripeSubscription.id)) {
      await endStripeSubscription(context, stripeSubscription.id);
      return null;
    }
    if (current.status !== 'incomplete') return { row: current, stripeSubscription };
    row = current;
  }
  throw new AppError('conflict');
}

/** Whether this Stripe subscription is still the row's, or the one its running attempt is about to store. */
const belongsTo = (current: SubscriptionRow, read: SubscriptionRow, stripeId: string) =>
  current.stripeSubscriptionId === stripeId ||
  (current.stripeSubscriptionId === null && current.purchase?.attempt === read.purchase?.attempt);

/**
 * Withdraws an open attempt at Stripe, so that another can replace it. False where it turned out to be paid; the row then
 * says so.
 */
export async function withdrawAttempt(context: Context, row: SubscriptionRow): Promise<boolean> {
  const known = await createOrRead(context, row);
  if (!known) return true;
  // An answer repeated under an idempotency key is as old as the first one, so it is read again before it is cancelled.
  const stripeSubscription = row.stripeSubscriptionId ? known : await requireStripeSubscription(context, known.id);
  const { status } = stripeSubscription;
  if (status === 'canceled' || status === 'incomplete_expired') return true;
  // A trial that is stored has begun, though its state was not read since it was adopted; of one that isn't, nobody has heard.
  if (status === 'incomplete' || (status === 'trialing' && !row.stripeSubscriptionId)) {
    await endStripeSubscription(context, stripeSubscription.id);
    return true;
  }
  await writeRow(context, row, stripeSubscription);
  return false;
}

/** Continues at Stripe, unless the tool is free, and answers. */
async function finish(
  context: Context,
  actor: ActorRow,
  priced: PricedTool,
  row: SubscriptionRow,
  due: Due | null,
): Promise<Purchased | null> {
  const continued =
    row.status === 'incomplete' ? await continueAttempt(context, row, due) : { row, stripeSubscription: null };
  if (!continued) return null;
  const started = continued.row.status !== 'incomplete';
  const payer = payerOf(row);
  if (started) await repriceNow(context, payer);
  const hadFreeTool = priced.slots.some((slot) => slot.toolId === lostMoneyTool);
  return {
    ...(continued.stripeSubscription ? confirmationOf(continued.stripeSubscription) : nothingToConfirm),
    includesLostMoney: priced.tool.id !== lostMoneyTool && !hadFreeTool,
    subscription: started ? await findShownSubscription(context, actor.id, payer, priced.tool.id) : null,
    quote: continued.row.status === 'trial' ? startedTrial(priced.quote, continued.row) : priced.quote,
  };
}

/** The same quote, with nothing due today and no second trial. */
const startedTrial = (quote: Quote, { trialEndDate, monthlyCents }: SubscriptionRow): Quote => ({
  ...quote,
  trialDays: null,
  dueTodayCents: 0,
  nextChargeAt: trialEndDate,
  nextChargeCents: monthlyCents,
});

/** `POST /api/subscriptions/{toolId}/sync`: syncs with Stripe after the browser has confirmed the card. */
export async function syncTool(context: Context, actor: ActorRow, toolId: string, teamId?: string) {
  const payer = await payerFor(context, actor, teamId);
  const row = await findNewest(context.db, payer, toolId);
  if (!row && !(await findTool(context.db, toolId))) throw new AppError('tool_not_found');
  if (row?.isActive && row.stripeSubscriptionId) {
    await syncRow(context, row.id);
    await repriceNow(context, payer);
  }
  return findShownSubscription(context, actor.id, payer, toolId);
}
