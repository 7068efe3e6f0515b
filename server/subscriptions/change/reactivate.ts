import type { Charge } from '#shared/api/charge.ts';
import { subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { payOwed, unpaidBills } from '../bill/grace.ts';
import { refuseDisallowed } from '../buy/agreed.ts';
import { purchaseRow } from '../buy/order.ts';
import { notCancelled, type SlotRow, type SubscriptionRow } from '../queries.ts';
import { tellReactivated } from '../tell/events.ts';
import { type Changed, changeSubscription, type Current, type StepResult, type Target, writeRow } from './change.ts';
import { seatsOfAbsence } from './seats.ts';

type Request = Target & { charge?: Charge | undefined };

/**
 * `POST /api/reactivate-subscription`: undoes a cancellation. During the paid period it costs nothing; afterwards the tool is bought
 * again: the days until the bill, or a first month. In grace it pays what is owed.
 */
export const reactivate = (context: Context, actor: ActorRow, request: Request): Promise<Changed> =>
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
