import { contract } from '#shared/api/index.ts';
import type { Context } from '#server/platform/context.ts';
import { done, implement } from '#server/platform/http/implement.ts';
import { teamActivity, teamActivityCsv } from './activity.ts';
import { acceptInvitation, declineInvitation, readInvitation } from './answer-invitation.ts';
import { invitationsOf, invite, inviteMany, resendInvitation, withdrawInvitation } from './invite.ts';
import { acceptTeam, endHandOver, handOverOf, offerTeam } from './hand-over.ts';
import { changeRole, leaveTeam, removeMember } from './members.ts';
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
      endHandOver: ({ actor, params }, ctx) =>
        done(endHandOver(ctx, actor, params.teamId), 'The team stays with its owner.'),
      close: ({ actor, params, body }, ctx) =>
        done(closeTeam(ctx, actor, params.teamId, body.charge), 'The team was closed.'),
      members: ({ actor, params }, ctx) => teamMembers(ctx, actor, params.teamId),
      changeRole: ({ actor, params, body }, ctx) =>
        done(changeRole(ctx, actor, params, body.role), 'The role was changed.'),
      removeMember: ({ actor, params }, ctx) =>
        done(removeMember(ctx, actor, params.teamId, params.userId), 'The member was removed.'),
      leave: ({ actor, params }, ctx) => done(leaveTeam(ctx, actor, params.teamId), 'You left the team.'),
      invite: ({ actor, params, body }, ctx) => invite(ctx, actor, params.teamId, body),
      inviteMany: ({ actor, params, body }, ctx) => inviteMany(ctx, actor, params.teamId, body.invitations),
      invitations: ({ actor, params }, ctx) => invitationsOf(ctx, actor, params.teamId),
      resendInvitation: ({ actor, params }, ctx) => resendInvitation(ctx, actor, params.teamId, params.invitationId),
      revokeInvitation: ({ actor, params }, ctx) =>
        done(withdrawInvitation(ctx, actor, params.teamId, params.invitationId), 'The invitation was revoked.'),
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
      choose: ({ actor, params, body }, ctx) =>
        done(chooseUsers(ctx, actor, params, body.userIds), 'Who uses the tool was changed.'),
    },
    context,
  );
