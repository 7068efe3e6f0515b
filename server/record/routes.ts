import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { answerAsk, askFor, asksOf, ownAsks } from './asks.ts';
import { disclosureOf } from './disclosure.ts';
import { holdReference, holdsFor, releaseReference, setRules, signOff, stayingFor } from './keeping.ts';
import { decideNewTools, decideTool, inventoryOf, reviewTool } from './inventory.ts';
import { addTool, outsideFor, recordByHand } from './outside.ts';
import { drawSample } from './samples.ts';
import {
  notAllowedFor,
  ownRegister,
  recentClientsOf,
  sessionOf,
  state,
  stateMany,
  teamRegister,
  unstatedOf,
} from './tool-register.ts';

export const recordRoutes = (context: Context) => [
  implement(
    contract.asks,
    {
      own: ({ actor }, ctx) => ownAsks(ctx, actor),
      ask: ({ actor, params, body }, ctx) => askFor(ctx, actor, params.teamId, body),
      ofTeam: ({ actor, params }, ctx) => asksOf(ctx, actor, params.teamId),
      answer: ({ actor, params, body }, ctx) => answerAsk(ctx, actor, params, body),
    },
    context,
  ),
  implement(
    contract.record,
    {
      sessions: ({ actor, query }, ctx) => ownRegister(ctx, actor, query),
      session: ({ actor, params }, ctx) => sessionOf(ctx, actor, params.id),
      state: ({ actor, params, body }, ctx) => state(ctx, actor, params.id, body),
      outside: ({ actor }, ctx) => outsideFor(ctx, actor),
      recordByHand: ({ actor, body }, ctx) => recordByHand(ctx, actor, body),
      stateMany: ({ actor, body }, ctx) => stateMany(ctx, actor, body),
      unstated: ({ actor }, ctx) => unstatedOf(ctx, actor),
      staying: ({ actor }, ctx) => stayingFor(ctx, actor),
      recentClients: ({ actor }, ctx) => recentClientsOf(ctx, actor),
      notAllowed: ({ actor }, ctx) => notAllowedFor(ctx, actor),
      inventory: ({ actor, params, query }, ctx) => inventoryOf(ctx, actor, params.teamId, query.days),
      teamSessions: ({ actor, params, query }, ctx) => teamRegister(ctx, actor, params.teamId, query),
      drawSample: ({ actor, params, body }, ctx) => drawSample(ctx, actor, params.teamId, body),
      signOff: ({ actor, params, body }, ctx) => signOff(ctx, actor, params.teamId, body),
      decide: ({ actor, params, body }, ctx) => decideTool(ctx, actor, params, body),
      addTool: ({ actor, params, body }, ctx) => addTool(ctx, actor, params.teamId, body),
      allowNewTools: ({ actor, params, body }, ctx) => decideNewTools(ctx, actor, params.teamId, body.allowed),
      setRules: ({ actor, params, body }, ctx) => setRules(ctx, actor, params.teamId, body),
      holds: ({ actor, params }, ctx) => holdsFor(ctx, actor, params.teamId),
      hold: ({ actor, params, body }, ctx) => holdReference(ctx, actor, params.teamId, body),
      release: ({ actor, params }, ctx) => releaseReference(ctx, actor, params.teamId, params.id),
      review: ({ actor, params, body }, ctx) => reviewTool(ctx, actor, params, body),
      disclosure: ({ actor, params, query }, ctx) => disclosureOf(ctx, actor?.id ?? null, params.toolId, query),
    },
    context,
    { notAllowed: true },
  ),
];
