import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/implement.ts';
import { acceptInvitation, declineInvitation, readInvitation } from './answer-invitation.ts';
import { createTeam } from './create-team.ts';
import { invitationsOf, invite, resendInvitation, revoke } from './invite.ts';
import { closeTeam } from './close-team.ts';
import { transferTeam } from './hand-over.ts';
import { removeMember } from './remove-member.ts';
import { renameTeam } from './rename-team.ts';
import { myTeams, teamMembers } from './service.ts';
import { teamUsage, teamUsageCsv } from './usage.ts';

export const teamsRoutes = (context: Context) =>
  implement(
    contract.teams,
    {
      my: ({ actor }, ctx) => myTeams(ctx, actor.id),
      create: ({ actor, body, request }, ctx) => createTeam(ctx, actor, body, request),
      rename: ({ actor, params, body, request }, ctx) => renameTeam(ctx, actor, params.teamId, body.name, request),
      transfer: ({ actor, params, body, request }, ctx) =>
        transferTeam(ctx, actor, params.teamId, body.userId, request),
      close: async ({ actor, params, request }, ctx) => {
        await closeTeam(ctx, actor, params.teamId, request);
        return { message: 'The team was closed.' };
      },
      members: ({ actor, params }, ctx) => teamMembers(ctx, actor, params.teamId),
      removeMember: async ({ actor, params, request }, ctx) => {
        await removeMember(ctx, actor, params.teamId, params.userId, request);
        return { message: 'The member was removed.' };
      },
      invite: ({ actor, params, body, request }, ctx) => invite(ctx, actor, params.teamId, body, request),
      invitations: ({ actor, params }, ctx) => invitationsOf(ctx, actor, params.teamId),
      resendInvitation: ({ actor, params, request }, ctx) =>
        resendInvitation(ctx, actor, params.teamId, params.invitationId, request),
      revokeInvitation: async ({ actor, params, request }, ctx) => {
        await revoke(ctx, actor, params.teamId, params.invitationId, request);
        return { message: 'The invitation was revoked.' };
      },
      usage: ({ actor, params, query }, ctx) => teamUsage(ctx, actor, params.teamId, query.days),
      usageCsv: ({ actor, params, query }, ctx) => teamUsageCsv(ctx, actor, params.teamId, query.days),
      invitation: ({ actor, params, request }, ctx) => readInvitation(ctx, actor, params.token, request),
      acceptInvitation: ({ actor, params, request }, ctx) => acceptInvitation(ctx, actor, params.token, request),
      declineInvitation: ({ actor, params, request }, ctx) => declineInvitation(ctx, actor, params.token, request),
    },
    context,
  );
