import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { disclosureOf } from './disclosure.ts';
import { decideNewTools, decideTool, inventoryOf, reviewTool } from './inventory.ts';
import { notAllowedFor, ownRegister, sessionOf, state, teamRegister, unstatedOf } from './tool-register.ts';

export const recordRoutes = (context: Context) =>
  implement(
    contract.record,
    {
      sessions: ({ actor, query }, ctx) => ownRegister(ctx, actor, query),
      session: ({ actor, params }, ctx) => sessionOf(ctx, actor, params.id),
      state: ({ actor, params, body }, ctx) => state(ctx, actor, params.id, body),
      unstated: ({ actor }, ctx) => unstatedOf(ctx, actor),
      notAllowed: ({ actor }, ctx) => notAllowedFor(ctx, actor),
      inventory: ({ actor, params, query }, ctx) => inventoryOf(ctx, actor, params.teamId, query.days),
      teamSessions: ({ actor, params, query }, ctx) => teamRegister(ctx, actor, params.teamId, query),
      decide: ({ actor, params, body }, ctx) => decideTool(ctx, actor, params, body),
      allowNewTools: ({ actor, params, body }, ctx) => decideNewTools(ctx, actor, params.teamId, body.allowed),
      review: ({ actor, params, body }, ctx) => reviewTool(ctx, actor, params, body),
      disclosure: ({ params, query }, ctx) => disclosureOf(ctx, params.toolId, query.version),
    },
    context,
    { notAllowed: true },
  );
