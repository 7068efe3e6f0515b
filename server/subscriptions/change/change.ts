import type { Charge, Confirmation } from '#shared/api/charge.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { type BillRow, billOf, goOnAfter, withRow } from '#shared/rules/billing/bill.ts';
import { type CancellationReason, cancellationTerms } from '#shared/rules/billing/cancellation.ts';
import { subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import { revokeTokens } from '#server/access-tokens/service.ts';
import { findTool } from '#server/catalogue/service.ts';
import { type Payer, payerFor, payerOf, practices } from '#server/payers/service.ts';
import {
  endStripeSubscription,
  findStripeSubscription,
  isOver,
  periodOf,
  requireStripeSubscription,
  writeItems,
} from '#server/stripe/bill-subscription.ts';
import { nothingToConfirm, stopInvoice } from '#server/stripe/invoices.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { retryOnConflict } from '#server/platform/data/database.ts';
import { advance, advanceNow } from '../bill/advance.ts';
import { creditLine, payOwed, unpaidBillOf, unpaidBills } from '../bill/grace.ts';
import { linesFor, mirrorNow } from '../bill/mirror.ts';
import { closeAdjustments, findAttempt } from '../bill/queries-bills.ts';
import type { BillReading } from '../bill/read.ts';
import { refuseDisallowed } from '../buy/agreed.ts';
import { continueBegin } from '../buy/begin.ts';
import { purchaseRow } from '../buy/order.ts';
import { changeRow } from '../effects.ts';
import { joinFirst } from '../join/join.ts';
import { findNewest, notCancelled, type SlotRow, type SubscriptionRow } from '../queries.ts';
import { entitlementsOf, findShownSubscription } from '../rights.ts';
import { tellAutoRenew, tellCancelled, tellReactivated } from '../tell/changed.ts';
import { seatsOfAbsence } from './seats.ts';

/** The tool, and the team that subscribes to it; without a team the adviser's own subscription. */
type Target = { toolId: string; teamId?: string | undefined };

/** A payer's subscription, with the bill brought to now; `slot` is null where the row is history. */
export type Current = { payer: Payer; reading: BillReading; row: SubscriptionRow; slot: SlotRow | null };

/** What the browser has to confirm after a step; usually nothing. */
type StepResult = Partial<Confirmation>;
type Changed = Confirmation & { subscription: Subscription };

/** Changes a subscription. Where the step answers null because the row has changed meanwhile, everything is done again. */
const changeSubscription = async (
  context: Context,
  actor: ActorRow,
  { toolId, teamId }: Target,
  step: Step,
): Promise<Changed> => changeFor(context, await payerFor(context, actor, teamId), actor.id, toolId, step);

type Step = (current: Current) => Promise<StepResult | null>;

/** Does it for a payer; the answer is as `viewerId` sees it. */
export async function changeFor(
  context: Context,
  payer: Payer,
  viewerId: string,
  toolId: string,
  step: Step,
): Promise<Changed> {
  await joinFirst(context, payer);
  return retryOnConflict(async () => {
    const reading = await advanceNow(context, payer);
    const row = await findNewest(context.db, payer, toolId);
    if (!row && !(await findTool(context.db, toolId))) throw new AppError('tool_not_found');
    if (!row || row.status === 'incomplete') throw new AppError('subscription_not_found');
    const slot = reading.slots.find(({ id, revision }) => id === row.id && revision === row.revision) ?? null;
    if (row.isActive && !slot) return null;
    const result = await step({ payer, reading, row, slot });
    if (!result) return null;
    const subscription = await findShownSubscription(context, viewerId, payer, toolId);
    if (!subscription) throw new AppError('subscription_not_found');
    return { ...nothingToConfirm, ...result, subscription };
  }, 8);
}

/**
 * Writes a row with what follows from it, the bill first brought to now; then Stripe follows. Null where the row has changed since it
 * was read, or `also` finds that something else has: then nothing is written.
 */
export async function writeRow(
  context: Context,
  { payer, row }: Pick<Current, 'payer' | 'row'>,
  values: Partial<SubscriptionRow>,
  also: (inside: Context, after: SubscriptionRow) => Promise<boolean | void>,
): Promise<StepResult | null> {
  try {
    await inTransaction(context, async (inside) => {
      await advance(inside, payer);
      const after = await changeRow(inside, row, values, { byCaller: true });
      if (!after || (await also(inside, after)) === false) throw new Stale();
    });
  } catch (error) {
    if (error instanceof Stale) return null;
    throw error;
  }
  if (row.purchase !== null && values.autoRenew === true) await setOldRenewal(context, row, true);
  await mirrorNow(context, payer);
  return {};
}

class Stale extends Error {}

/**
 * Takes a tool that the coming bill has off the payer's subscription at Stripe, before its row says so: whichever process dies, nobody is
 * charged by mistake. Where nothing is left, the subscription ends with its period. A tool that has not joined the bill has its own.
 */
async function takeOffAtStripe(
  context: Context,
  { reading, row }: Pick<Current, 'reading' | 'row'>,
  change: Partial<BillRow>,
): Promise<void> {
  if (row.purchase !== null) return setOldRenewal(context, row, false);
  const { facts, input } = reading;
  if (facts.stripeSubscriptionId === null || facts.nextBillAt === null) return;
  if (!billOf(input, facts.nextBillAt).lines.some(({ subscriptionId }) => subscriptionId === row.id)) return;
  const subscription = await requireStripeSubscription(context, facts.stripeSubscriptionId);
  if (isOver(subscription) || subscription.status === 'incomplete') return;
  const changed = withRow(input, row.id, change);
  const bill = billOf(changed, facts.nextBillAt);
  const ends = !goOnAfter(changed, bill);
  // Before Stripe begins the month that is fixed here, its end would come a month early: the mirror does it later.
  if (ends && periodOf(subscription).end < facts.nextBillAt) return;
  await writeItems(context, subscription, linesFor(bill.lines), { ends });
}

/** Has the old subscription of a tool that has not joined the bill yet renew once more, or end with its period. */
async function setOldRenewal(context: Context, row: SubscriptionRow, renews: boolean): Promise<void> {
  const subscription = row.stripeSubscriptionId && (await findStripeSubscription(context, row.stripeSubscriptionId));
  if (subscription && !isOver(subscription)) await writeItems(context, subscription, [], { ends: !renews });
}

type Request = Target & {
  reason?: CancellationReason | undefined;
  details?: string | undefined;
  cancelImmediately: boolean;
};

/**
 * `POST /api/cancel-subscription`: at the end of the paid period, or now. Stripe is asked first, so that a crash in between leaves
 * a bill without the tool.
 */
export async function cancel(context: Context, actor: ActorRow, request: Request) {
  const { subscription } = await changeSubscription(context, actor, request, (current) =>
    cancelOnce(context, current, request),
  );
  const { endDate, gracePeriodEnd } = subscription;
  if (!endDate || !gracePeriodEnd) throw new AppError('conflict');
  return { endDate, gracePeriodEnd, subscription };
}

export type Cancellation = Omit<Request, keyof Target> & {
  /** Begins the mail about it. */
  because?: string;
  /** What else belongs in its transaction. */
  also?: (inside: Context, current: Current) => Promise<void>;
};

/** Cancels at the end of the paid period, or now; null where the row has changed since it was read. */
export async function cancelOnce(
  context: Context,
  current: Current,
  { reason, details, cancelImmediately, because, also }: Cancellation,
): Promise<StepResult | null> {
  const { payer, reading, slot } = current;
  const now = context.now();
  if (!slot || !subscriptionCan.cancel({ ...slot, cardOnFile: reading.facts.cardOnFile }, now))
    throw new AppError('cannot_cancel');
  // What is about to begin at Stripe with this trial has to be known before it can be told.
  const begins = slot.status === 'trial' ? await findAttempt(context.db, payer) : null;
  if (begins?.kind === 'month') return continueBegin(context, begins).then(() => null);
  const terms = cancellationTerms(slot, cancelImmediately, now);
  await takeOffAtStripe(context, current, terms);
  const bill = slot.status === 'grace_period' ? await unpaidBillOf(context, payer, slot) : null;
  const credited = bill && (await creditLine(context, bill, slot, reading));
  if (bill && !credited) return null;
  if (!bill && slot.status === 'grace_period') await endOldArrears(context, slot);
  const values = {
    ...terms,
    paidUntil: paidUntil(slot),
    cancelledAt: now,
    cancellationReason: reason ?? null,
    cancellationDetails: details || null,
    paymentProblem: null,
  };
  return writeRow(context, current, values, async (inside, after) => {
    if (credited && !(await credited(inside))) return false;
    // What waits of it is of the month that nobody pays for.
    if (credited) await closeAdjustments(inside.db, payer, [slot]);
    if (terms.endDate <= now) await endAccess(inside, after);
    await tellCancelled(inside, after, because === undefined ? {} : { because });
    await also?.(inside, current);
    return true;
  });
}

/** Until when reactivating is free: never, where what is owed was not paid. */
const paidUntil = (row: SubscriptionRow): Date | null => {
  if (row.status === 'grace_period') return null;
  return row.status === 'trial' ? row.trialEndDate : row.endDate;
};

/** What an older release sold, and was not paid, is not charged any more. */
async function endOldArrears(context: Context, { purchase, stripeSubscriptionId, paymentProblem }: SubscriptionRow) {
  if (purchase === null || stripeSubscriptionId === null) return;
  await endStripeSubscription(context, stripeSubscriptionId);
  if (paymentProblem?.invoiceId) await stopInvoice(context, paymentProblem.invoiceId);
}

/** Revokes the tokens and keys of everybody who can't open the tool through another subscription. */
async function endAccess(context: Context, row: SubscriptionRow): Promise<void> {
  const lost: string[] = [];
  for (const userId of await practices.peopleOf(context.db, payerOf(row))) {
    const entitlements = await entitlementsOf(context, userId);
    if (!entitlements.some((other) => other.toolId === row.toolId && other.access)) lost.push(userId);
  }
  await revokeTokens(context.db, lost, [row.toolId]);
}

/** `PATCH /api/subscriptions/{toolId}/auto-renew`: stops or resumes the renewal: no line of the next bill, or one again. */
export const setAutoRenew = (context: Context, actor: ActorRow, target: Target, autoRenew: boolean): Promise<Changed> =>
  changeSubscription(context, actor, target, async (current) => {
    const { row } = current;
    if (!subscriptionCan.autoRenew(row, context.now())) throw new AppError('cannot_change_renewal');
    if (autoRenew) await refuseDisallowed(context, actor, target.toolId);
    if (row.autoRenew === autoRenew) return {};
    if (!autoRenew) await takeOffAtStripe(context, current, { autoRenew });
    return writeRow(context, current, { autoRenew }, tellAutoRenew);
  });

/**
 * `POST /api/reactivate-subscription`: undoes a cancellation. During the paid period it costs nothing; afterwards the tool is bought
 * again: the days until the bill, or a first month. In grace it pays what is owed.
 */
export const reactivate = (
  context: Context,
  actor: ActorRow,
  request: Target & { charge?: Charge | undefined },
): Promise<Changed> =>
  changeSubscription(context, actor, request, async (current) => {
    const { payer, slot } = current;
    if (!slot || !subscriptionCan.reactivate(slot, context.now())) throw new AppError('cannot_reactivate');
    await refuseDisallowed(context, actor, request.toolId);
    if (slot.status === 'grace_period') return payOwed(context, actor, payer, request.charge);
    const restored = restoredRow(slot, context.now());
    if (!restored) return purchaseRow(context, payer, slot, request.charge);
    // Its month is on a bill that was not paid since it was cancelled.
    const owed = (await unpaidBills(context, payer)).flatMap(({ lines }) => lines);
    if (owed.some(({ subscriptionId }) => subscriptionId === slot.id)) throw new AppError('bill_unpaid');
    return undo(context, current, restored);
  });

/** The row as it was before the cancellation; null where that period is over. */
function restoredRow({ paidUntil, periodStart, trialEndDate }: SlotRow, now: Date): Partial<SubscriptionRow> | null {
  if (paidUntil === null || paidUntil <= now) return null;
  const wasTrial = periodStart === null && paidUntil.getTime() === trialEndDate?.getTime();
  return { status: wasTrial ? 'trial' : 'active', endDate: paidUntil };
}

/** The row first: what Stripe says of it before that would end it again. */
async function undo(
  context: Context,
  current: Current,
  restored: Partial<SubscriptionRow>,
): Promise<StepResult | null> {
  const { payer, row } = current;
  const values = { ...restored, autoRenew: true, gracePeriodEnd: null, paidUntil: null, ...notCancelled };
  const wasShut = row.endDate !== null && row.endDate <= context.now();
  return writeRow(context, current, values, async (inside, changed) => {
    if (wasShut && row.cancelledAt) await seatsOfAbsence(inside, payer, row.id, row.cancelledAt);
    await tellReactivated(inside, changed);
  });
}
