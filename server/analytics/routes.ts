import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { dashboard, usage } from './dashboard.ts';
import { usageCsv } from './usage-csv.ts';

export const analyticsRoutes = (context: Context) =>
  implement(
    contract.analytics,
    {
      dashboard: ({ actor }, ctx) => dashboard(ctx, actor.id),
      usage: ({ actor, query }, ctx) => usage(ctx, actor.id, query.days),
      usageCsv: ({ actor, query }, ctx) => Promise.resolve(usageCsv(ctx, actor.id, query.days)),
    },
    context,
    { dashboard: true, usage: true },
  );
