import { subscriptionCan } from '#shared/rules/subscriptions.ts';
import { periodOf, resumeProvider, scheduledEnd, scheduleProviderEnd } from '#server/billing/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { act, type Acted, type Target } from './act.ts';
import { converge } from './converge.ts';

/**
 * `PATCH /api/subscriptions/{toolId}/auto-renew`: stops the renewal, or resumes it. The schedule at the provider is what
 * counts, and the row follows it.
 */
export const setAutoRenew = (context: Context, actor: ActorRow, target: Target, autoRenew: boolean): Promise<Acted> =>
  act(context, actor, target, async (ctx, { row, provider }) => {
    if (!provider || !subscriptionCan.autoRenew(row, ctx.now())) throw new AppError('cannot_change_renewal');
    const renews = scheduledEnd(provider) === null;
    if (renews && !autoRenew) await scheduleProviderEnd(ctx, provider, periodOf(provider).end);
    if (!renews && autoRenew) await resumeProvider(ctx, provider);
    if (renews !== autoRenew) await converge(ctx, row.id);
    return { clientSecret: null };
  });
