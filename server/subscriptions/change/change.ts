import type Stripe from 'stripe';
import type { Confirmation, Subscription } from '#shared/api/subscriptions.ts';
import { findTool } from '#server/catalogue/service.ts';
import { findPayerFacts, type Payer, type PayerFacts, payerFor } from '#server/payers/service.ts';
import { nothingToConfirm } from '#server/stripe/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { retryOnConflict } from '#server/platform/database.ts';
import { findShownSubscription } from '../entitlements.ts';
import { findNewest, type SubscriptionRow } from '../queries.ts';
import { syncSubscription } from '../sync/sync.ts';

/** The tool, and the team that subscribes to it; without a team the adviser's own subscription. */
export type Target = { toolId: string; teamId?: string | undefined };

/** A subscription after row and Stripe were made to agree. */
export type Current = {
  payer: Payer;
  payerFacts: PayerFacts;
  row: SubscriptionRow;
  stripeSubscription: Stripe.Subscription | null;
};

/** What the browser has to confirm after a step; usually nothing. */
export type StepResult = Partial<Confirmation>;
export type Changed = Confirmation & { subscription: Subscription };

/**
 * Changes a subscription: row and Stripe are made to agree, then the step acts on them. Where the step answers null because the
 * row has changed meanwhile, everything is done again.
 */
export const changeSubscription = async (
  context: Context,
  actor: ActorRow,
  { toolId, teamId }: Target,
  step: Step,
): Promise<Changed> => changeFor(context, await payerFor(context, actor, teamId), actor.id, toolId, step);

type Step = (current: Current) => Promise<StepResult | null>;

/** The same for a payer; the answer is as `viewerId` sees it. */
export function changeFor(
  context: Context,
  payer: Payer,
  viewerId: string,
  toolId: string,
  step: Step,
): Promise<Changed> {
  return retryOnConflict(async () => {
    const found = await findNewest(context.db, payer, toolId);
    if (!found && !(await findTool(context.db, toolId))) throw new AppError('tool_not_found');
    if (!found || found.status === 'incomplete') throw new AppError('subscription_not_found');
    const [{ row, stripeSubscription }, payerFacts] = await Promise.all([
      found.isActive ? syncSubscription(context, found.id) : { row: found, stripeSubscription: null },
      findPayerFacts(context.db, payer),
    ]);
    if (!row || !payerFacts) return null;
    const result = await step({ payer, payerFacts, row, stripeSubscription });
    if (!result) return null;
    const subscription = await findShownSubscription(context, viewerId, payer, toolId);
    if (!subscription) throw new AppError('subscription_not_found');
    return { ...nothingToConfirm, ...result, subscription };
  }, 8);
}
