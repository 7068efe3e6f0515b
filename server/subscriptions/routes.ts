import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { purchase } from './purchase.ts';
import { quoteFor } from './quote.ts';
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
      winBackOffers: ({ actor }, ctx) => winBackOffersFor(ctx, actor),
    },
    context,
  );
