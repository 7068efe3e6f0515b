import type Stripe from 'stripe';
import { subscriptionCan } from '#shared/rules/subscriptions.ts';
import {
  endProviderSubscription,
  hasUnpaidRenewal,
  idOf,
  payerOf,
  payInvoice,
  periodOf,
  resumeProvider,
  secretOf,
} from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { act, type Acted, type Outcome, type Scene, type Target } from './act.ts';
import { converge } from './converge.ts';
import { applyEffects } from './effects.ts';
import { fromProvider } from './from-provider.ts';
import type { SubscriptionRow } from './queries.ts';
import { lockPayer, updateRow } from './queries-write.ts';
import { repriceNow } from './reprice.ts';
import { revive } from './revive.ts';

/**
 * `POST /api/reactivate-subscription`: undoes a cancellation, or pays what is owed. Before the paid period is over it
 * costs nothing; after it a new period is charged (decisions §5).
 */
export const reactivate = (context: Context, actor: ActorRow, target: Target): Promise<Acted> =>
  act(context, actor, target, async (ctx, scene) => {
    if (!subscriptionCan.reactivate(scene.row, ctx.now())) throw new AppError('cannot_reactivate');
    return scene.row.status === 'grace_period' ? payOwed(ctx, scene) : takeBack(ctx, scene);
  });

/** `POST /api/subscriptions/{toolId}/pay`: the open invoice, by the card on file. */
export const pay = (context: Context, actor: ActorRow, target: Target): Promise<Acted> =>
  act(context, actor, target, async (ctx, scene) => {
    if (!subscriptionCan.pay(scene.row, ctx.now())) throw new AppError('nothing_to_pay');
    return payOwed(ctx, scene);
  });

/** The payment form opens where the card on file is refused, missing, or wants its owner. */
async function payOwed(context: Context, scene: Scene): Promise<Outcome | null> {
  const { provider, row } = scene;
  const invoiceId = idOf(provider?.latest_invoice);
  const owes = provider?.status === 'past_due' || provider?.status === 'unpaid';
  // What was free and costs again has no invoice yet.
  if (!owes || invoiceId === null) return revive(context, scene);
  const paid = await payInvoice(context, invoiceId);
  await converge(context, row.id);
  return { clientSecret: paid ? null : await secretOf(context, invoiceId) };
}

async function takeBack(context: Context, scene: Scene): Promise<Outcome | null> {
  const { row, provider, actor, payer } = scene;
  if (!provider || !isPaidFor(provider, context.now())) {
    // What is left of it at the provider has to be over before another begins.
    if (provider && !row.purchase?.revives) await endProviderSubscription(context, provider.id);
    return revive(context, scene);
  }
  // The row first: the provider's news of the change would else meet a cancelled row, and be held to it.
  const after = await transaction(context.db, (tx) => resumeRow(within(context, tx), row, provider, actor.id));
  if (!after) return null;
  await resumeProvider(context, provider);
  await converge(context, row.id);
  await repriceNow(context, payer);
  return { clientSecret: null };
}

/** It still runs at the provider, and for a period that was paid for or a trial. */
const isPaidFor = (provider: Stripe.Subscription, now: Date) =>
  (provider.status === 'trialing' || provider.status === 'active') &&
  periodOf(provider).end > now &&
  !hasUnpaidRenewal(provider);

/** The row as it was before it was cancelled; null where somebody else has changed it. */
async function resumeRow(context: Context, row: SubscriptionRow, provider: Stripe.Subscription, actorId: string) {
  await lockPayer(context.db, payerOf(row));
  const running = provider.status === 'trialing' ? ('trial' as const) : ('active' as const);
  const change = fromProvider(provider, { ...row, status: running }, context.now());
  if (change.kind === 'remove') throw new Error(`subscription ${row.id} has no place to go back to`);
  const after = await updateRow(context.db, row, {
    ...change.values,
    autoRenew: true,
    cancelledAt: null,
    cancellationReason: null,
    cancellationDetails: null,
  });
  if (after) await applyEffects(context, row, after, { actorId });
  return after;
}
