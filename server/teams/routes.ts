import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { implement } from '#server/platform/http/implement.ts';
import { teamActivity, teamActivityCsv } from './activity.ts';
import { acceptInvitation, declineInvitation, readInvitation } from './answer-invitation.ts';
import { invitationsOf, invite, inviteMany, resendInvitation, withdrawInvitation } from './invite.ts';
import { acceptTeam, endHandOver, handOverOf, offerTeam } from './hand-over.ts';
import { leaveTeam, removeMember } from './members.ts';
import { changeRole } from './roles.ts';
import { myTeams, teamMembers } from './service.ts';
import { closeTeam, createTeam, renameTeam, requireFactor, requireMicrosoft } from './team.ts';
import { teamUsage, teamUsageCsv } from './team-usage.ts';
import { chooseUsers, teamTools } from './tool-users.ts';

export const teamsRoutes = (context: Context) =>
  implement(
    contract.teams,
    {
      my: ({ actor }, ctx) => myTeams(ctx, actor.id),
      create: ({ actor, body }, ctx) => createTeam(ctx, actor, body),
      rename: ({ actor, params, body }, ctx) => renameTeam(ctx, actor, params.teamId, body.name),
      requireFactor: ({ actor, params, body }, ctx) => requireFactor(ctx, actor, params.teamId, body.required),
      requireMicrosoft: ({ actor, params, body }, ctx) => requireMicrosoft(ctx, actor, params.teamId, body.required),
      transfer: ({ actor, params, body }, ctx) => offerTeam(ctx, actor, params.teamId, body.userId),
      handOver: ({ actor, params }, ctx) => handOverOf(ctx, actor, params.teamId),
      acceptHandOver: ({ actor, params, body }, ctx) => acceptTeam(ctx, actor, params.teamId, body),
      endHandOver: async ({ actor, params }, ctx) => {
        await endHandOver(ctx, actor, params.teamId);
        return { message: 'The team stays with its owner.' };
      },
      close: async ({ actor, params, body }, ctx) => {
        await closeTeam(ctx, actor, params.teamId, body.charge);
        return { message: 'The team was closed.' };
      },
      members: ({ actor, params }, ctx) => teamMembers(ctx, actor, params.teamId),
      changeRole: async ({ actor, params, body }, ctx) => {
        await changeRole(ctx, actor, params, body.role);
        return { message: 'The role was changed.' };
      },
      removeMember: async ({ actor, params }, ctx) => {
        await removeMember(ctx, actor, params.teamId, params.userId);
        return { message: 'The member was removed.' };
      },
      leave: async ({ actor, params }, ctx) => {
        await leaveTeam(ctx, actor, params.teamId);
        return { message: 'You left the team.' };
      },
      invite: ({ actor, params, body }, ctx) => invite(ctx, actor, params.teamId, body),
      inviteMany: ({ actor, params, body }, ctx) => inviteMany(ctx, actor, params.teamId, body.invitations),
      invitations: ({ actor, params }, ctx) => invitationsOf(ctx, actor, params.teamId),
      resendInvitation: ({ actor, params }, ctx) => resendInvitation(ctx, actor, params.teamId, params.invitationId),
      revokeInvitation: async ({ actor, params }, ctx) => {
        await withdrawInvitation(ctx, actor, params.teamId, params.invitationId);
        return { message: 'The invitation was revoked.' };
      },
      usage: ({ actor, params, query }, ctx) => teamUsage(ctx, actor, params.teamId, query.days),
      usageCsv: ({ actor, params, query }, ctx) => teamUsageCsv(ctx, actor, params.teamId, query.days),
      activity: ({ actor, params, query }, ctx) => teamActivity(ctx, actor, params.teamId, query.page),
      activityCsv: ({ actor, params }, ctx) => teamActivityCsv(ctx, actor, params.teamId),
      invitation: ({ actor, params }, ctx) => readInvitation(ctx, actor, params.token),
      acceptInvitation: ({ actor, params, body }, ctx) => acceptInvitation(ctx, actor, params.token, body.leave),
      declineInvitation: ({ actor, params }, ctx) => declineInvitation(ctx, actor, params.token),
    },
    context,
    { my: true },
  );

export const toolUsersRoutes = (context: Context) =>
  implement(
    contract.toolUsers,
    {
      list: ({ actor, params }, ctx) => teamTools(ctx, actor, params.teamId),
      choose: async ({ actor, params, body }, ctx) => {
        await chooseUsers(ctx, actor, params, body.userIds);
        return { message: 'Who uses the tool was changed.' };
      },
    },
    context,
  );
