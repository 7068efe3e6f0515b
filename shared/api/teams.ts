import * as z from 'zod';
import { membershipTypes } from '#shared/rules/people/accounts.ts';
import {
  defaultMaxMembers,
  invitationsADay,
  invitationObstacles,
  invitationStates,
  invitedRoles,
  teamNameLength,
  teamRoles,
  teamUsageDays,
} from '#shared/rules/people/teams.ts';
import { forecast } from './billing.ts';
import { charge } from './charge.ts';
import { defineApi } from './endpoint.ts';
import { date, daysBack, email, id, nameLine, page, pagination } from './fields.ts';

export const team = z.object({
  id: z.string(),
  name: z.string(),
  membershipType: z.enum(membershipTypes),
  maxMembers: z.int(),
  /** Its tools open only for members with a second factor. */
  requiresFactor: z.boolean(),
  /** They open only in sessions that began with this organisation's Microsoft account. */
  microsoftTenant: z.string().nullable(),
});
export type Team = z.output<typeof team>;

const text = z.string().nullable();
const person = z.object({ firstName: z.string(), lastName: z.string() });

const member = z.object({
  id: z.string(),
  userId: z.string(),
  role: z.enum(teamRoles),
  joinedAt: date,
  user: person.extend({ email: z.string(), profileImageUrl: z.string().nullable() }),
  /** Why they can't use the team's tools at present, to those who look after the team; null for everybody else. */
  hindrance: z.enum(['suspended', 'profile', 'address']).nullable(),
});
export type TeamMember = z.output<typeof member>;

/** An invitation as the team sees it. */
const teamInvitation = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(invitedRoles),
  state: z.enum(invitationStates),
  expiresAt: date,
  createdAt: date,
  invitedBy: person,
});
export type TeamInvitation = z.output<typeof teamInvitation>;

/** An invitation as the holder of its link sees it; the address is masked for everybody but its owner. */
const receivedInvitation = z.object({
  team: z.object({ id: z.string(), name: z.string() }),
  inviter: person,
  email: z.string(),
  role: z.enum(invitedRoles),
  state: z.enum(invitationStates),
  expiresAt: date,
  /** What the invited person's profile can begin with; null for everybody else. */
  practice: z
    .object({
      businessName: text,
      dealerGroup: text,
      businessAddress: text,
      businessCity: text,
      businessState: text,
      businessPostcode: text,
      afslNumber: text,
    })
    .nullable(),
  /** Why the caller can't accept a pending one; null: they can, or nobody is signed in. */
  obstacle: z.enum(invitationObstacles).nullable(),
});
export type ReceivedInvitation = z.output<typeof receivedInvitation>;

/** One member's use of one of the team's tools. */
const memberUsage = person.extend({
  userId: z.string(),
  email: z.string(),
  /** Has no seat in the team any more. */
  former: z.boolean(),
  toolId: z.string(),
  toolName: z.string(),
  sessions: z.int(),
  lastUsedAt: date.nullable(),
});
export type MemberUsage = z.output<typeof memberUsage>;

const window = z.strictObject({ days: daysBack.default(teamUsageDays) });

const name = nameLine(teamNameLength, 'The name is required');
const role = z.enum(invitedRoles, { error: 'Please choose member, admin or reviewer' });

export const teamsApi = defineApi('member', {
  my: {
    route: 'GET /api/teams/my',
    access: 'signedIn',
    summary: 'Teams owned, and the team one is a member of',
    response: z.object({
      ownedTeams: z.array(team),
      /** Closed ones that they owned last, whose invoices and evidence packs they keep. */
      closedTeams: z.array(z.object({ id: z.string(), name: z.string() })),
      memberOf: team.nullable(),
      role: z.enum(teamRoles).nullable(),
    }),
  },
  create: {
    route: 'POST /api/teams',
    summary: 'Create the first team, as its owner',
    status: 201,
    body: z.strictObject({
      name: name.optional(),
      membershipType: z.literal('team', { error: 'The membership type of a new team is team' }).default('team'),
      maxMembers: z
        .int({ error: `A team has 1 to ${defaultMaxMembers} members` })
        .min(1, { error: `A team has 1 to ${defaultMaxMembers} members` })
        .max(defaultMaxMembers, { error: `A team has 1 to ${defaultMaxMembers} members` })
        .default(defaultMaxMembers),
    }),
    response: team,
  },
  rename: {
    route: 'PATCH /api/teams/:teamId',
    summary: 'Rename the team',
    body: z.strictObject({ name }),
    response: team,
  },
  requireFactor: {
    route: 'PUT /api/teams/:teamId/second-factor',
    proof: 'always',
    summary: 'Ask the members for two-step verification, or no longer',
    body: z.strictObject({ required: z.boolean({ error: 'Please say whether it is required' }) }),
    response: team,
  },
  requireMicrosoft: {
    route: 'PUT /api/teams/:teamId/microsoft',
    proof: 'always',
    summary:
      'Ask the members to sign in with the Microsoft account of the organisation that the owner did, or no longer',
    body: z.strictObject({ required: z.boolean({ error: 'Please say whether it is required' }) }),
    response: team,
  },
  transfer: {
    route: 'POST /api/teams/:teamId/transfer',
    summary: 'Ask a member to take the team over; it stays as it is until they accept',
    proof: 'always',
    body: z.strictObject({ userId: id }),
    response: team,
  },
  handOver: {
    route: 'GET /api/teams/:teamId/hand-over',
    summary: 'Who is asked to take the team over, with its bill, for the owner and for them; null otherwise',
    response: z
      .object({
        from: person,
        to: person.extend({ userId: z.string() }),
        until: date,
        /** As it is without the old owner's card. */
        forecast,
      })
      .nullable(),
  },
  acceptHandOver: {
    route: 'POST /api/teams/:teamId/hand-over',
    summary: 'Become the owner, who pays; with what the next bill and the one that is owed come to, as shown',
    proof: 'always',
    body: z.strictObject({ totalCents: z.int().min(0), owedCents: z.int().min(0) }),
    response: team,
  },
  endHandOver: {
    route: 'DELETE /api/teams/:teamId/hand-over',
    summary: 'Take the question back, or decline',
  },
  close: {
    route: 'DELETE /api/teams/:teamId',
    summary: 'Close the team: its subscriptions end and everybody leaves; a last bill is charged as agreed',
    proof: 'always',
    body: z.strictObject({ charge: charge.optional() }),
  },
  members: {
    route: 'GET /api/teams/:teamId/members',
    summary: 'Everybody in the team, the owner first',
    response: z.array(member),
  },
  changeRole: {
    route: 'PATCH /api/teams/:teamId/members/:userId',
    summary: 'Give a member another role; a seat that comes or goes with it is on the next bill',
    body: z.strictObject({ role }),
  },
  removeMember: {
    route: 'DELETE /api/teams/:teamId/members/:userId',
    summary: 'Remove a member, whose access to the team’s tools ends at once',
  },
  leave: {
    route: 'POST /api/teams/:teamId/leave',
    summary: 'Leave the team, whose tools close at once; its owner is told',
  },
  invite: {
    route: 'POST /api/teams/:teamId/invite',
    summary: 'Invite an address, or send its open invitation again',
    body: z.strictObject({ email, role: role.default('member') }),
    response: z.object({ inviteUrl: z.string(), invitation: teamInvitation }),
  },
  inviteMany: {
    route: 'POST /api/teams/:teamId/invitations',
    summary: 'Invite several addresses; says of each what became of it',
    body: z.strictObject({
      invitations: z
        .array(z.strictObject({ email, role: role.default('member') }))
        .min(1, { error: 'Please enter an address' })
        .max(invitationsADay, { error: `Please enter at most ${invitationsADay} addresses at once` }),
    }),
    response: z.array(
      z.object({
        email: z.string(),
        outcome: z.enum(['invited', 'already_member', 'limit_reached']),
        inviteUrl: z.string().nullable(),
      }),
    ),
  },
  invitations: {
    route: 'GET /api/teams/:teamId/invitations',
    summary: 'Invitations that are open, or expired without an answer',
    response: z.array(teamInvitation),
  },
  resendInvitation: {
    route: 'POST /api/teams/:teamId/invitations/:invitationId/resend',
    summary: 'Send the invitation again with a new link',
    response: z.object({ inviteUrl: z.string() }),
  },
  revokeInvitation: {
    route: 'DELETE /api/teams/:teamId/invitations/:invitationId',
    summary: 'Take an open invitation back',
  },
  usage: {
    route: 'GET /api/teams/:teamId/usage',
    summary: 'Sessions and last use, per member and tool',
    query: window,
    response: z.array(memberUsage),
  },
  usageCsv: {
    route: 'GET /api/teams/:teamId/usage.csv',
    summary: 'Likewise, as a file for spreadsheets',
    query: window,
    file: 'text/csv',
  },
  activity: {
    route: 'GET /api/teams/:teamId/activity',
    summary: 'Who did what in the team, newest first',
    query: z.strictObject({ page }),
    response: z.object({
      rows: z.array(
        z.object({
          id: z.string(),
          createdAt: date,
          /** Null for the system. */
          actor: z.string().nullable(),
          label: z.string(),
          sentence: z.string(),
        }),
      ),
      pagination,
    }),
  },
  activityCsv: {
    route: 'GET /api/teams/:teamId/activity.csv',
    summary: 'Likewise, as a file for spreadsheets',
    file: 'text/csv',
  },
  invitation: {
    route: 'GET /api/invitations/:token',
    access: 'public',
    summary: 'What an invitation link stands for',
    response: receivedInvitation,
  },
  acceptInvitation: {
    route: 'POST /api/invitations/:token/accept',
    access: 'signedIn',
    summary: 'Join the team, as the address that was invited; leave another one for it, if named',
    body: z.strictObject({ leave: id.optional() }),
    response: receivedInvitation,
  },
  declineInvitation: {
    route: 'POST /api/invitations/:token/decline',
    access: 'public',
    summary: 'Decline; needs no account',
    response: receivedInvitation,
  },
});
