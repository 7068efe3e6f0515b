import type Stripe from 'stripe';
import type { Charge } from '#shared/api/subscriptions.ts';
import { subscriptionCan } from '#shared/rules/subscriptions.ts';
import { lockPayer, payerOf } from '#server/payers/service.ts';
import {
  endStripeSubscription,
  findConfirmation,
  hasUnpaidRenewal,
  idOf,
  payInvoice,
  periodOf,
  resumeAtStripe,
} from '#server/stripe/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { dueForInvoice, dueForPeriod, dueFromForm, refuseDisallowed } from '../purchase/attempt.ts';
import { repriceNow } from '../price/reprice.ts';
import { notCancelled, type SubscriptionRow, updateRow } from '../queries.ts';
import { applyEffects } from '../sync/effects.ts';
import { rowFromStripe } from '../sync/row-from-stripe.ts';
import { syncRow } from '../sync/sync.ts';
import { changeSubscription, type Changed, type Current, type StepResult, type Target } from './change.ts';
import { revive } from './revive.ts';

type Request = Target & { charge?: Charge | undefined };

/**
 * `POST /api/reactivate-subscription`: undoes a cancellation, or pays what is owed. During the paid period it costs nothing;
 * afterwards a new period is charged to the card on file, if the request agrees to that, else the payment form opens.
 */
export const reactivate = (context: Context, actor: ActorRow, request: Request): Promise<Changed> =>
  changeSubscription(context, actor, request, async (current) => {
    if (!subscriptionCan.reactivate(current.row, context.now())) throw new AppError('cannot_reactivate');
    await refuseDisallowed(context, actor, request.toolId);
    return current.row.status === 'grace_period'
      ? payOwed(context, current, request)
      : undoCancellation(context, current, request);
  });

/** `POST /api/subscriptions/{toolId}/pay`: pays the open invoice with the card on file. */
export const pay = (context: Context, actor: ActorRow, request: Request): Promise<Changed> =>
  changeSubscription(context, actor, request, async (current) => {
    if (!subscriptionCan.pay(current.row, context.now())) throw new AppError('nothing_to_pay');
    await refuseDisallowed(context, actor, request.toolId);
    return payOwed(context, current, request);
  });

/** Pays what is owed. The browser goes on where the card is missing or refused, or its owner has to confirm. */
async function payOwed(context: Context, current: Current, { charge }: Request): Promise<StepResult | null> {
  const { stripeSubscription, row, payer } = current;
  const invoiceId = idOf(stripeSubscription?.latest_invoice);
  const owes = stripeSubscription?.status === 'past_due' || stripeSubscription?.status === 'unpaid';
  // A free subscription that costs again has no invoice yet.
  if (!owes || invoiceId === null)
    return revive(context, current, (cents) => dueForPeriod(context, payer, charge, cents));
  const due = await dueForInvoice(context, payer, charge, row.paymentProblem?.amountCents ?? 0);
  if (due) await payInvoice(context, invoiceId, due.card);
  await syncRow(context, row.id);
  return findConfirmation(context, invoiceId);
}

async function undoCancellation(context: Context, current: Current, { charge }: Request): Promise<StepResult | null> {
  const { row, stripeSubscription, payer } = current;
  if (!stripeSubscription || !isPaidFor(stripeSubscription, context.now())) {
    // What is left of it at Stripe has to end before another one starts.
    if (stripeSubscription && !row.purchase?.revives) await endStripeSubscription(context, stripeSubscription.id);
    return revive(context, current, (cents) =>
      charge ? dueForPeriod(context, payer, charge, cents) : dueFromForm(context, payer, cents),
    );
  }
  // The row first: a webhook about the change at Stripe would otherwise find a cancelled row and cancel at Stripe again.
  const after = await transaction(context.db, (tx) => resumeRow(within(context, tx), row, stripeSubscription));
  if (!after) return null;
  await resumeAtStripe(context, stripeSubscription);
  await syncRow(context, row.id);
  await repriceNow(context, payer);
  return {};
}

/** Whether it still runs at Stripe, in a paid period or a trial. */
const isPaidFor = (stripeSubscription: Stripe.Subscription, now: Date) =>
  (stripeSubscription.status === 'trialing' || stripeSubscription.status === 'active') &&
  periodOf(stripeSubscription).end > now &&
  !hasUnpaidRenewal(stripeSubscription);

/** Puts the row back to before the cancellation; null where it has changed since it was read. */
async function resumeRow(context: Context, row: SubscriptionRow, stripeSubscription: Stripe.Subscription) {
  await lockPayer(context.db, payerOf(row));
  const running = stripeSubscription.status === 'trialing' ? ('trial' as const) : ('active' as const);
  const change = rowFromStripe(stripeSubscription, { ...row, status: running }, context.now());
  if (change.kind === 'remove') throw new Error(`subscription ${row.id} has no state to go back to`);
  // The scheduled end has shortened Stripe's period; resuming restores the paid one.
  const paid = running === 'active' && row.paidUntil ? { endDate: row.paidUntil } : {};
  const after = await updateRow(context.db, row, { ...change.values, ...paid, autoRenew: true, ...notCancelled });
  if (after) await applyEffects(context, row, after, { byCaller: true });
  return after;
}
