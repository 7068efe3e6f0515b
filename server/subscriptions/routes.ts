import { contract } from '#shared/api/index.ts';
import { tiersNow } from '#server/catalogue/service.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { purchase, resubscribe, syncTool } from './buy/purchase.ts';
import { quoteFor } from './buy/quote.ts';
import { winBackOffersFor } from './buy/win-back-offers.ts';
import { cancel, setAutoRenew } from './change/cancel.ts';
import { reactivate } from './change/reactivate.ts';
import { priceChangesFor } from './preview.ts';
import { subscriptionsOf } from './rights.ts';

export const subscriptionsRoutes = (context: Context) =>
  implement(
    contract.subscriptions,
    {
      list: ({ actor }, ctx) => subscriptionsOf(ctx, actor.id),
      listAll: ({ actor }, ctx) => subscriptionsOf(ctx, actor.id),
      tiers: (_input, ctx) => tiersNow(ctx),
      quote: ({ actor, query }, ctx) => quoteFor(ctx, actor, query),
      changes: ({ actor, query }, ctx) => priceChangesFor(ctx, actor, query),
      create: ({ actor, body }, ctx) => purchase(ctx, actor, body),
      sync: ({ actor, params, body }, ctx) => syncTool(ctx, actor, params.toolId, body.teamId),
      cancel: ({ actor, body }, ctx) => cancel(ctx, actor, body),
      reactivate: ({ actor, body }, ctx) => reactivate(ctx, actor, body),
      autoRenew: ({ actor, params, body: { autoRenew, teamId } }, ctx) =>
        setAutoRenew(ctx, actor, { ...params, teamId }, autoRenew),
      resubscribe: ({ actor, body }, ctx) => resubscribe(ctx, actor, body),
      winBackOffers: ({ actor }, ctx) => winBackOffersFor(ctx, actor),
    },
    context,
    // A quote with a discount code depends on how often everybody has used it.
    { list: true, listAll: true, tiers: true, quote: ({ code }) => code === undefined, winBackOffers: true },
  );
