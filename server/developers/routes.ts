import { contract } from '#shared/api/index.ts';
import { announce, announcementsFor, disclose } from '#server/record/service.ts';
import type { Context } from '#server/platform/context.ts';
import { done, implement } from '#server/platform/http/implement.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import { askForCheck } from './ask-for-check.ts';
import { figuresOf } from './figures.ts';
import { changeTool, listTools, onOwnTool, registerTool, requireOwnTool, showTool } from './own-tools.ts';
import { requestPublication } from './publish.ts';
import { addTestAdviser, endAccess, launchAs, replayDelivery, sendTestEvent } from './sandbox.ts';
import { makeOwnSecret, withdrawSecret } from './secrets.ts';
import { stage, stageAnswers } from './staging.ts';
import { proposePrice, takingsOf } from './takings.ts';

export const developersRoutes = (context: Context) =>
  implement(
    contract.developers,
    {
      list: ({ actor }, ctx) => listTools(ctx, actor),
      register: ({ actor, body }, ctx) => registerTool(ctx, actor, body),
      show: ({ actor, params }, ctx) => showTool(ctx, actor, params.toolId),
      change: ({ actor, params, body }, ctx) => changeTool(ctx, actor, params.toolId, body),
      makeSecret: ({ actor, params, body }, ctx) =>
        onOwnTool(ctx, actor, params.toolId, async (inside, tool) => ({
          secret: await makeOwnSecret(inside, tool, body.kind, body.name),
        })),
      revokeSecret: ({ actor, params }, ctx) =>
        done(
          onOwnTool(ctx, actor, params.toolId, (inside, tool) => withdrawSecret(inside, tool, params.id)),
          'The secret was revoked.',
        ),
      addTestAdviser: ({ actor, params }, ctx) =>
        done(onOwnTool(ctx, actor, params.toolId, addTestAdviser), 'There is one more test adviser.'),
      launchAs: async ({ actor, params }, ctx) =>
        launchAs(ctx, await requireOwnTool(ctx.db, actor, params.toolId), params.id),
      endAccess: ({ actor, params, body }, ctx) =>
        done(
          onOwnTool(ctx, actor, params.toolId, (inside, tool) => endAccess(inside, tool, params.id, body.ended)),
          body.ended ? 'Their access has ended.' : 'They have access again.',
        ),
      sendEvent: ({ actor, params, body }, ctx) =>
        done(
          onOwnTool(ctx, actor, params.toolId, (inside, tool) => sendTestEvent(inside, tool, params.id, body)),
          'The event is sent.',
        ),
      replay: ({ actor, params }, ctx) =>
        done(
          onOwnTool(ctx, actor, params.toolId, (inside, tool) => replayDelivery(inside, tool, params.id)),
          'The event is sent again.',
        ),
      check: ({ actor, params, body }, ctx) =>
        done(askForCheck(ctx, actor, params.toolId, body), 'The check has begun.'),
      disclose: ({ actor, params, body }, ctx) =>
        onOwnTool(ctx, actor, params.toolId, (inside, tool) => disclose(inside, tool.id, actor.id, body)),
      announcements: async ({ actor, params }, ctx) =>
        announcementsFor(ctx, (await requireOwnTool(ctx.db, actor, params.toolId)).id),
      announce: ({ actor, params, body }, ctx) =>
        onOwnTool(ctx, actor, params.toolId, async (inside, tool) => {
          await consume(inside, 'makerAnnouncements', actor.id);
          return announce(inside, tool, actor.id, body);
        }),
      proposePrice: ({ actor, params, body }, ctx) =>
        done(
          onOwnTool(ctx, actor, params.toolId, (inside, tool) => proposePrice(inside, tool, body.priceCents)),
          'We have your price. We’ll accept it or write to you.',
        ),
      figures: ({ actor, params }, ctx) => figuresOf(ctx, actor, params.toolId),
      takings: ({ actor, params }, ctx) => takingsOf(ctx, actor, params.toolId),
      stage: ({ actor, params, body }, ctx) =>
        onOwnTool(ctx, actor, params.toolId, (inside, tool) => stage(inside, tool, body)),
      stageAnswers: ({ actor, params, body }, ctx) =>
        onOwnTool(ctx, actor, params.toolId, (inside, tool) => stageAnswers(inside, tool, body)),
      requestPublication: ({ actor, params }, ctx) => requestPublication(ctx, actor, params.toolId),
    },
    context,
  );
