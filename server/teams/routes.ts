import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { myTeams } from './service.ts';

export const teamsRoutes = (context: Context) =>
  implement(contract.teams, { my: ({ actor }, ctx) => myTeams(ctx, actor.id) }, context);
