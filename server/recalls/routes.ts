import type { RequestHandler } from 'express';
import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { done, implement } from '#server/platform/http/implement.ts';
import { listRecalls, lookAgain, reachOf, recallSessions } from './look.ts';
import { asAdmin, asMaker, changeRecall, closeRecall, confirmRecall, openRecall, recallsOfTool } from './operate.ts';

const changed = 'The recall was changed.';
const closed = 'The recall was closed.';

export const recallRoutes = (context: Context): RequestHandler[] => [
  implement(
    contract.recalls,
    {
      list: ({ actor, query }, ctx) => listRecalls(ctx, actor, query.teamId),
      reach: ({ actor, params, query }, ctx) => reachOf(ctx, actor, params.id, query.teamId),
      sessions: ({ actor, params, query }, ctx) => recallSessions(ctx, actor, params.id, query),
      look: ({ actor, params, body }, ctx) => lookAgain(ctx, actor, params.id, body),
    },
    context,
  ),
  implement(
    contract.toolRecalls,
    {
      list: ({ actor, params }, ctx) => recallsOfTool(ctx, asMaker(actor), params.toolId),
      open: ({ actor, params, body }, ctx) => openRecall(ctx, asMaker(actor), params.toolId, body),
      change: ({ actor, params, body }, ctx) => done(changeRecall(ctx, asMaker(actor), params, body), changed),
      close: ({ actor, params, body }, ctx) => done(closeRecall(ctx, asMaker(actor), params, body.reason), closed),
    },
    context,
  ),
  implement(
    contract.adminRecalls,
    {
      list: ({ actor, params }, ctx) => recallsOfTool(ctx, asAdmin(actor), params.toolId),
      open: ({ actor, params, body }, ctx) => openRecall(ctx, asAdmin(actor), params.toolId, body),
      change: ({ actor, params, body }, ctx) => done(changeRecall(ctx, asAdmin(actor), params, body), changed),
      confirm: ({ actor, params }, ctx) =>
        done(confirmRecall(ctx, asAdmin(actor), params), 'The recall was confirmed. Everybody is told now.'),
      close: ({ actor, params, body }, ctx) => done(closeRecall(ctx, asAdmin(actor), params, body.reason), closed),
    },
    context,
  ),
];
