import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { introspect } from './introspect.ts';
import { launch } from './launch.ts';
import { reportUsage } from './report-usage.ts';
import { listTools, recentUsage } from './service.ts';

export const toolsRoutes = (context: Context) =>
  implement(
    contract.tools,
    {
      list: (_input, ctx) => listTools(ctx),
      launch: ({ actor, body }, ctx) => launch(ctx, actor.id, body.toolId),
      myUsage: ({ actor }, ctx) => recentUsage(ctx, actor.id),
      introspect: ({ actor, body }, ctx) => introspect(ctx, actor.toolId, body.token),
      reportUsage: ({ actor, body }, ctx) => reportUsage(ctx, actor.toolId, body.events),
    },
    context,
  );
