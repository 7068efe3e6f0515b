import { contract } from '#shared/api/index.ts';
import { addresses, listTools, toolTexts } from '#server/catalogue/service.ts';
import { toolUse } from '#server/usage/service.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { confirmErased } from './deliver.ts';
import { hearAnswer, hearRefusals } from './record-calls.ts';
import { introspect, launch, sessionStatus } from './launch.ts';
import { noteExchange, noteReports } from './refusals.ts';
import { reportUsage } from './report-usage.ts';
import { testLaunch } from './test-launch.ts';

export const toolsRoutes = (context: Context) => [
  implement(
    contract.tools,
    {
      list: async (_input, ctx) => addresses.shown(ctx, await listTools(ctx)),
      texts: ({ params }, ctx) => toolTexts(ctx, params.toolId),
      launch: ({ actor, body }, ctx) => launch(ctx, actor, body),
      myUsage: async ({ actor }, ctx) => (await toolUse(ctx.db, actor.id)) ?? [],
      introspect: async ({ actor, body, request }, ctx) => {
        const answer = await introspect(ctx, actor.toolId, body.token, request.get('idempotency-key'));
        noteExchange(ctx, actor, body.token, answer);
        await hearAnswer(ctx, request, 200, answer);
        return answer;
      },
      session: ({ actor, params }, ctx) => sessionStatus(ctx, actor.toolId, params.id),
      confirmErasure: async ({ actor, params, request }, ctx) => {
        const answer = await confirmErased(ctx, actor, params.id);
        await hearAnswer(ctx, request, 200, {});
        return answer;
      },
      testLaunch: ({ actor, body }, ctx) => testLaunch(ctx, actor.toolId, body),
      reportUsage: async ({ actor, body, request }, ctx) => {
        if (actor.draft) await consume(ctx, 'draftReports', actor.toolId, { points: body.events.length });
        const answer = await reportUsage(ctx, actor, body.events);
        noteReports(ctx, actor, body.events, answer);
        await hearAnswer(ctx, request, 200, answer);
        return answer;
      },
    },
    context,
    { list: true, texts: true, myUsage: true },
  ),
  hearRefusals(context),
];
