import { contract } from '#shared/api/index.ts';
import { tiersNow } from '#server/catalogue/service.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { cancel, setAutoRenew } from './change/cancel.ts';
import { purchase, syncTool } from './purchase/purchase.ts';
import { priceChangesFor } from './price/forecast.ts';
import { quoteFor } from './price/quote.ts';
import { pay, reactivate } from './change/reactivate.ts';
import { resubscribe } from './purchase/resubscribe.ts';
import { subscriptionsOf } from './entitlements.ts';
import { winBackOffersFor } from './purchase/win-back-offers.ts';

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
      pay: ({ actor, params, body }, ctx) => pay(ctx, actor, { ...params, ...body }),
      resubscribe: ({ actor, body }, ctx) => resubscribe(ctx, actor, body),
      winBackOffers: ({ actor }, ctx) => winBackOffersFor(ctx, actor),
    },
    context,
    // A quote with a discount code depends on how often everybody has used it.
    { list: true, listAll: true, tiers: true, quote: ({ code }) => code === undefined, winBackOffers: true },
  );
