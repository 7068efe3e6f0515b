import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { setAutoRenew } from './auto-renew.ts';
import { cancel } from './cancel.ts';
import { purchase } from './purchase.ts';
import { quoteFor } from './quote.ts';
import { pay, reactivate } from './reactivate.ts';
import { resubscribe } from './resubscribe.ts';
import { subscriptionsOf, tiers } from './service.ts';
import { syncTool } from './sync.ts';
import { winBackOffersFor } from './winback-offers.ts';

export const subscriptionsRoutes = (context: Context) =>
  implement(
    contract.subscriptions,
    {
      list: ({ actor }, ctx) => subscriptionsOf(ctx, actor.id),
      listAll: ({ actor }, ctx) => subscriptionsOf(ctx, actor.id),
      tiers: (_input, ctx) => tiers(ctx),
      quote: ({ actor, query }, ctx) => quoteFor(ctx, actor, query),
      create: ({ actor, body }, ctx) => purchase(ctx, actor, body),
      sync: ({ actor, params, body }, ctx) => syncTool(ctx, actor, params.toolId, body.teamId),
      cancel: ({ actor, body }, ctx) => cancel(ctx, actor, body),
      reactivate: ({ actor, body }, ctx) => reactivate(ctx, actor, body),
      autoRenew: ({ actor, params, body: { autoRenew, teamId } }, ctx) =>
        setAutoRenew(ctx, actor, { ...params, teamId }, autoRenew),
      pay: ({ actor, params, body }, ctx) => pay(ctx, actor, { ...params, ...body }),
      resubscribe: ({ actor, body }, ctx) => resubscribe(ctx, actor, body),
      winBackOffers: ({ actor }, ctx) => winBackOffersFor(ctx, actor),
    },
    context,
  );
