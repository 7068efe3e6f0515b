import type { Subscription } from '#shared/api/subscriptions.ts';
import { type CancellationReason, cancellationTerms } from '#shared/rules/cancellation.ts';
import { subscriptionCan } from '#shared/rules/subscriptions.ts';
import { revokeTokens } from '#server/access-tokens/service.ts';
import { lockPayer, payerOf, peopleOf } from '#server/payers/service.ts';
import { hasUnpaidRenewal, periodOf, resumeAtStripe, scheduledEnd, scheduleStripeEnd } from '#server/stripe/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { entitlementsOf } from '../entitlements.ts';
import { refuseDisallowed } from '../purchase/attempt.ts';
import { repriceNow } from '../price/reprice.ts';
import { type SubscriptionRow, updateRow } from '../queries.ts';
import { applyEffects } from '../sync/effects.ts';
import { endCancelled, syncRow } from '../sync/sync.ts';
import { type Changed, changeSubscription, type Current, type StepResult, type Target } from './change.ts';

type Request = Target & {
  reason?: CancellationReason | undefined;
  details?: string | undefined;
  cancelImmediately: boolean;
};
type Cancelled = { endDate: Date; gracePeriodEnd: Date; subscription: Subscription };

/**
 * `POST /api/cancel-subscription`: at the end of the paid period, or now. Stripe is asked first, so that a crash in between
 * leaves a subscription that does not renew.
 */
export async function cancel(context: Context, actor: ActorRow, request: Request): Promise<Cancelled> {
  const { subscription } = await changeSubscription(context, actor, request, (current) =>
    cancelOnce(context, current, request),
  );
  const { endDate, gracePeriodEnd } = subscription;
  if (!endDate || !gracePeriodEnd) throw new AppError('conflict');
  return { endDate, gracePeriodEnd, subscription };
}

type Terms = Omit<Request, keyof Target> & {
  because?: string;
  /** What else belongs in its transaction. */
  also?: (inside: Context) => Promise<void>;
};

/** Cancels at the end of the paid period, or now; null where the row has changed since it was read. */
export async function cancelOnce(
  context: Context,
  { payer, payerFacts, row, stripeSubscription }: Current,
  { reason, details, cancelImmediately, because, also }: Terms,
): Promise<StepResult | null> {
  const now = context.now();
  if (!subscriptionCan.cancel({ ...row, cardOnFile: payerFacts.cardOnFile }, now)) throw new AppError('cannot_cancel');
  // A period that has started but is not paid for does not count.
  const unpaid = stripeSubscription !== null && hasUnpaidRenewal(stripeSubscription);
  const paid = unpaid ? { ...row, endDate: periodOf(stripeSubscription).start } : row;
  const terms = cancellationTerms(paid, cancelImmediately, now);
  if (stripeSubscription) await endCancelled(context, stripeSubscription, terms.gracePeriodEnd, { reason, details });
  const cancelled = await transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const after = await updateRow(tx, row, {
      status: 'cancelled',
      ...terms,
      autoRenew: false,
      paidUntil: paidUntil(row, unpaid),
      cancelledAt: now,
      cancellationReason: reason ?? null,
      cancellationDetails: details || null,
      paymentProblem: null,
    });
    if (!after) return null;
    const inside = within(context, tx);
    await applyEffects(inside, row, after, { byCaller: true, ...(because !== undefined && { because }) });
    if (terms.endDate <= now) await endAccess(inside, after);
    await also?.(inside);
    return after;
  });
  if (!cancelled) return null;
  // Another request may have resumed it at Stripe in the same moment.
  if (stripeSubscription) await syncRow(context, row.id);
  // One tool less may make the others dearer, and the list that the browser reads next has to say so.
  await repriceNow(context, payer);
  return {};
}

/** Until when reactivating is free: never, where the last payment failed or is missing. */
const paidUntil = (row: SubscriptionRow, unpaid: boolean): Date | null => {
  if (unpaid || row.status === 'grace_period') return null;
  return row.status === 'trial' ? row.trialEndDate : row.endDate;
};

/** Revokes the tokens and keys of everybody who can't open the tool through another subscription. */
async function endAccess(context: Context, row: SubscriptionRow): Promise<void> {
  const lost: string[] = [];
  for (const userId of await peopleOf(context.db, payerOf(row))) {
    const entitlements = await entitlementsOf(context, userId);
    if (!entitlements.some((other) => other.toolId === row.toolId && other.access)) lost.push(userId);
  }
  await revokeTokens(context.db, lost, [row.toolId]);
}

/**
 * `PATCH /api/subscriptions/{toolId}/auto-renew`: stops or resumes the renewal. It is changed at Stripe, and the row
 * follows.
 */
export const setAutoRenew = (context: Context, actor: ActorRow, target: Target, autoRenew: boolean): Promise<Changed> =>
  changeSubscription(context, actor, target, async ({ row, stripeSubscription }) => {
    if (!stripeSubscription || !subscriptionCan.autoRenew(row, context.now()))
      throw new AppError('cannot_change_renewal');
    if (autoRenew) await refuseDisallowed(context, actor, target.toolId);
    const renews = scheduledEnd(stripeSubscription) === null;
    if (renews && !autoRenew) await scheduleStripeEnd(context, stripeSubscription, periodOf(stripeSubscription).end);
    if (!renews && autoRenew) await resumeAtStripe(context, stripeSubscription);
    if (renews !== autoRenew) await syncRow(context, row.id);
    return {};
  });
