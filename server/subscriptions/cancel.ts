import type { Subscription } from '#shared/api/subscriptions.ts';
import { cancellationTerms, type CancellationReason } from '#shared/rules/cancellation.ts';
import { subscriptionCan } from '#shared/rules/subscriptions.ts';
import { hasUnpaidRenewal, payerOf, periodOf } from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { endTokens } from '#server/tools/service.ts';
import { act, type Outcome, type Scene, type Target } from './act.ts';
import { converge } from './converge.ts';
import { applyEffects } from './effects.ts';
import { endAsCancelled } from './hold.ts';
import { usersOf, type SubscriptionRow } from './queries.ts';
import { lockPayer, updateRow } from './queries-write.ts';
import { repriceNow } from './reprice.ts';
import { rightsOf } from './rights.ts';

type Request = Target & {
  reason?: CancellationReason | undefined;
  details?: string | undefined;
  cancelImmediately: boolean;
};
type Cancelled = { endDate: Date; gracePeriodEnd: Date; subscription: Subscription };

/**
 * `POST /api/cancel-subscription`: at the end of what is paid, or now (decisions §5). The provider is told first, so that
 * a crash in between leaves a subscription that does not renew.
 */
export async function cancel(context: Context, actor: ActorRow, request: Request): Promise<Cancelled> {
  const { subscription } = await act(context, actor, request, (ctx, scene) => cancelOnce(ctx, scene, request));
  const { endDate, gracePeriodEnd } = subscription;
  if (!endDate || !gracePeriodEnd) throw new AppError('conflict');
  return { endDate, gracePeriodEnd, subscription };
}

async function cancelOnce(
  context: Context,
  { actor, payer, facts, row, provider }: Scene,
  { reason, details, cancelImmediately }: Request,
): Promise<Outcome | null> {
  const now = context.now();
  if (!subscriptionCan.cancel({ ...row, cardOnFile: facts.cardOnFile }, now)) throw new AppError('cannot_cancel');
  // A period that has begun and is not paid for yet is none.
  const unpaid = provider !== null && hasUnpaidRenewal(provider);
  const terms = cancellationTerms(unpaid ? { ...row, endDate: periodOf(provider).start } : row, cancelImmediately, now);
  if (provider) await endAsCancelled(context, provider, terms.gracePeriodEnd, { reason, details });
  const cancelled = await transaction(context.db, async (tx) => {
    await lockPayer(tx, payerOf(row));
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
    await applyEffects(inside, row, after, { actorId: actor.id });
    if (terms.endDate <= now) await endAccess(inside, after);
    return after;
  });
  if (!cancelled) return null;
  // Somebody may have resumed it at the provider in the same moment: row and provider are compared once more.
  if (provider) await converge(context, row.id);
  // One tool less may make the others dearer: the answer is followed by a list that says so.
  await repriceNow(context, payer);
  return { clientSecret: null };
}

/** Until when taking it back costs nothing: a failed or missing payment paid for nothing (decisions §5). */
const paidUntil = (row: SubscriptionRow, unpaid: boolean): Date | null => {
  if (unpaid || row.status === 'grace_period') return null;
  return row.status === 'trial' ? row.trialEndDate : row.endDate;
};

/** Launch tokens and API keys of everybody who opened the tool through this subscription, unless another still does. */
async function endAccess(context: Context, row: SubscriptionRow): Promise<void> {
  const lost: string[] = [];
  for (const userId of await usersOf(context.db, row)) {
    const rights = await rightsOf(context, userId);
    if (!rights.some((other) => other.toolId === row.toolId && other.access)) lost.push(userId);
  }
  await endTokens(context, lost, row.toolId);
}
