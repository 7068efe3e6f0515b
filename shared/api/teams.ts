import * as z from 'zod';
import { membershipTypes } from '#shared/rules/accounts.ts';
import { defineApi } from './endpoint.ts';

export const team = z.object({
  id: z.string(),
  name: z.string(),
  membershipType: z.enum(membershipTypes),
  maxMembers: z.int(),
});

export const teamsApi = defineApi({
  my: {
    method: 'GET',
    path: '/api/teams/my',
    access: 'signedIn',
    summary: 'Teams owned, and the team one is a member of',
    response: z.object({ ownedTeams: z.array(team), memberOf: team.nullable(), role: z.string().nullable() }),
  },
});
