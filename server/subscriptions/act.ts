import type { Subscription } from '#shared/api/subscriptions.ts';
import { payerFor, type Payer } from '#server/billing/service.ts';
import type Stripe from 'stripe';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { convergeBoth } from './converge.ts';
import { newestRow, payerRow, toolExists, type PayerRow, type SubscriptionRow } from './queries.ts';
import { shownTo } from './rights.ts';

/** Whose subscription to what. */
export type Target = { toolId: string; teamId?: string | undefined };

/** A subscription as row and provider agree on it, at the moment somebody wants something of it. */
export type Scene = {
  actor: ActorRow;
  payer: Payer;
  facts: PayerRow;
  row: SubscriptionRow;
  provider: Stripe.Subscription | null;
};

/** What came of it; a secret where the card has to act in the browser. */
export type Outcome = { clientSecret: string | null };
export type Acted = { subscription: Subscription; clientSecret: string | null };

/** How often somebody else's simultaneous change of the same subscription may come in between. */
const rounds = 8;

/**
 * Does something with a subscription: row and provider are made to agree, the step decides and acts on what they say, and
 * answers null where the row has changed meanwhile; then all of it again.
 */
export async function act(
  context: Context,
  actor: ActorRow,
  { toolId, teamId }: Target,
  step: (context: Context, scene: Scene) => Promise<Outcome | null>,
): Promise<Acted> {
  const payer = await payerFor(context, actor, teamId);
  for (let round = 1; round <= rounds; round += 1) {
    const found = await newestRow(context.db, payer, toolId);
    if (!found && !(await toolExists(context.db, toolId))) throw new AppError('tool_not_found');
    if (!found || found.status === 'incomplete') throw new AppError('subscription_not_found');
    const [{ row, provider }, facts] = await Promise.all([
      found.isActive ? convergeBoth(context, found.id) : { row: found, provider: null },
      payerRow(context.db, payer),
    ]);
    if (!row || !facts) continue;
    const outcome = await step(context, { actor, payer, facts, row, provider });
    if (!outcome) continue;
    const subscription = await shownTo(context, actor.id, payer, toolId);
    if (!subscription) throw new AppError('subscription_not_found');
    return { ...outcome, subscription };
  }
  throw new AppError('conflict');
}
