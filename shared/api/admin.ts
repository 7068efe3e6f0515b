import * as z from 'zod';
import { adminPageSize, apiKeyDays, apiKeyLimit, sentences } from '#shared/rules/operators/admin.ts';
import { toolIdPattern } from '#shared/rules/tools/tools.ts';
import {
  adminPerson,
  adminTeam,
  adminUser,
  happeningKinds,
  personName,
  timeline,
  timelineCursor,
} from './admin-person.ts';
import { forecast, toldPage } from './billing.ts';
import { csrf, csrfApi } from './csrf.ts';
import { defineApi } from './endpoint.ts';
import { cents, date, id, line, message, newPassword, page, pagination, whole, wholeText } from './fields.ts';
import { priceChange } from './subscriptions.ts';

const limit = wholeText(1, 100, 'Limit must be a whole number from 1 to 100').default(adminPageSize);

/** `more`: there are others beyond `total`; a narrower search finds them. */
export const cappedPagination = pagination.extend({ more: z.boolean() });

const usageStat = z.object({ userId: z.string(), ...personName, totalUsage: z.int(), lastUsed: date });

const apiKey = z.object({
  id: z.string(),
  userId: z.string(),
  userName: z.string(),
  userEmail: z.string(),
  toolId: z.string(),
  toolName: z.string(),
  createdAt: date,
  expiresAt: date,
  lastUsedAt: date.nullable(),
  /** Masked, with the key's last four characters. */
  token: z.string(),
});
export type ApiKey = z.output<typeof apiKey>;

const someone = (sentence: string) => z.uuid({ error: sentence });
const search = line(100).optional();

/** A person is told what was done to their account, and the reason. */
const withReason = {
  userId: someone(sentences.who),
  reason: line(300).min(1, { error: sentences.reason }),
  ...csrf,
};

export const adminApi = defineApi({
  ...csrfApi,
  users: {
    method: 'GET',
    path: '/api/admin/users',
    access: 'admin',
    summary: 'Open accounts, newest first, or what a search by name or e-mail finds',
    query: z.strictObject({
      page,
      limit,
      search,
      freeAccess: z.literal('true', { error: 'Free access may only be "true"' }).optional(),
    }),
    response: z.object({ users: z.array(adminUser), pagination: cappedPagination }),
  },
  subscriberStats: {
    method: 'GET',
    path: '/api/admin/subscriber-stats',
    access: 'admin',
    summary: 'Counters over open accounts',
    response: z.object({ total: z.int(), verified: z.int(), withProfiles: z.int(), freeAccess: z.int() }),
  },
  usageStats: {
    method: 'GET',
    path: '/api/admin/usage-stats',
    access: 'admin',
    summary: 'Users by how often they used a tool',
    query: z.strictObject({ page, limit }),
    response: z.object({ stats: z.array(usageStat), pagination }),
  },
  apiKeys: {
    method: 'GET',
    path: '/api/admin/all-api-keys',
    access: 'admin',
    summary: `API keys that are not revoked, newest first, at most ${apiKeyLimit}; a search by their user finds others`,
    query: z.strictObject({ search }),
    response: z.array(apiKey),
  },
  user: {
    method: 'GET',
    path: '/api/admin/users/:id',
    access: 'admin',
    summary: 'One person: who they are, what they subscribe to, who pays, which teams they are in',
    params: z.strictObject({ id }),
    response: adminPerson,
  },
  userTimeline: {
    method: 'GET',
    path: '/api/admin/users/:id/timeline',
    access: 'admin',
    summary: 'What happened to a person, newest first: acts, invoices, emails and tool sessions, each as a sentence',
    params: z.strictObject({ id }),
    query: z.strictObject({ before: timelineCursor.optional(), kind: z.enum(happeningKinds).optional() }),
    response: timeline,
  },
  userForecast: {
    method: 'GET',
    path: '/api/admin/users/:id/forecast',
    access: 'admin',
    summary: 'What a user will be charged, and what giving or taking away free access would do to it',
    params: z.strictObject({ id }),
    response: forecast.extend({
      /** From which charge on the tools that Stripe bills would cost a different amount. */
      changes: z.array(priceChange),
      /** What would go into grace, until the user starts to pay that much a month. */
      toStart: z.array(z.object({ toolName: z.string(), monthlyCents: cents })),
    }),
  },
  teams: {
    method: 'GET',
    path: '/api/admin/teams',
    access: 'admin',
    summary: 'Teams whose name begins with the search, open ones first, at most 20',
    query: z.strictObject({ search: line(100).min(1, { error: 'Please enter a name' }) }),
    response: z.array(z.object({ id: z.string(), name: z.string(), ownerName: z.string(), isActive: z.boolean() })),
  },
  team: {
    method: 'GET',
    path: '/api/admin/teams/:id',
    access: 'admin',
    summary: 'One team: who owns it, who is in it, what it subscribes to, who pays',
    params: z.strictObject({ id }),
    response: adminTeam,
  },
  teamTimeline: {
    method: 'GET',
    path: '/api/admin/teams/:id/timeline',
    access: 'admin',
    summary: 'What happened to a team, newest first: acts and invoices, each as a sentence',
    params: z.strictObject({ id }),
    query: z.strictObject({ before: timelineCursor.optional(), kind: z.enum(happeningKinds).optional() }),
    response: timeline,
  },
  teamForecast: {
    method: 'GET',
    path: '/api/admin/teams/:id/forecast',
    access: 'admin',
    summary: 'What a team will be charged',
    params: z.strictObject({ id }),
    response: forecast,
  },
  userTold: {
    method: 'GET',
    path: '/api/admin/users/:id/told',
    access: 'admin',
    summary: 'What a user was told of their bills, newest first',
    params: z.strictObject({ id }),
    query: z.strictObject({ page }),
    response: toldPage,
  },
  teamTold: {
    method: 'GET',
    path: '/api/admin/teams/:id/told',
    access: 'admin',
    summary: 'What a team was told of its bills, newest first',
    params: z.strictObject({ id }),
    query: z.strictObject({ page }),
    response: toldPage,
  },
  grantFreeAccess: {
    method: 'POST',
    path: '/api/admin/grant-free-access',
    access: 'admin',
    proof: 'always',
    summary: 'Everything costs this user nothing, which can be undone for 24 hours',
    body: z.strictObject({ userId: id, reason: line(300).optional(), ...csrf }),
    response: message,
  },
  revokeFreeAccess: {
    method: 'POST',
    path: '/api/admin/revoke-free-access',
    access: 'admin',
    proof: 'always',
    summary: 'This user pays again',
    body: z.strictObject({ userId: id, ...csrf }),
    response: message,
  },
  resetPassword: {
    method: 'POST',
    path: '/api/admin/reset-password',
    access: 'admin',
    proof: 'always',
    summary:
      'Set a user’s password and end their sessions; another administrator’s, where four eyes are demanded, once a second one approves',
    body: z.strictObject({
      userId: someone(sentences.resetIncomplete),
      newPassword: z
        .string({ error: sentences.resetIncomplete })
        .min(1, { error: sentences.resetIncomplete })
        .pipe(newPassword),
      reason: line(300).optional(),
      ...csrf,
    }),
    response: message,
  },
  resetFactors: {
    method: 'POST',
    path: '/api/admin/reset-factors',
    access: 'admin',
    proof: 'always',
    summary: 'Remove a user’s second factors in a day, unless they object',
    body: z.strictObject({ userId: someone(sentences.resetWho), ...csrf }),
    response: message,
  },
  suspend: {
    method: 'POST',
    path: '/api/admin/suspend',
    access: 'admin',
    proof: 'always',
    summary:
      'Keep a user out: sessions, launches and API keys end; nothing is charged meanwhile, unless that is chosen',
    body: z.strictObject({ ...withReason, keepCharging: z.boolean().default(false) }),
    response: message,
  },
  reinstate: {
    method: 'POST',
    path: '/api/admin/reinstate',
    access: 'admin',
    proof: 'always',
    summary: 'Let a suspended user in again; what was paused goes on',
    body: z.strictObject(withReason),
    response: message,
  },
  endSessions: {
    method: 'POST',
    path: '/api/admin/end-sessions',
    access: 'admin',
    proof: 'always',
    summary: 'Sign a user out everywhere',
    body: z.strictObject(withReason),
    response: message,
  },
  demandPassword: {
    method: 'POST',
    path: '/api/admin/demand-password',
    access: 'admin',
    proof: 'always',
    summary: 'Sign a user out everywhere; their next sign-in with a password leads to choosing a new one',
    body: z.strictObject(withReason),
    response: message,
  },
  generateApiKey: {
    method: 'POST',
    path: '/api/admin/generate-api-key',
    access: 'admin',
    proof: 'always',
    summary: 'A key to one tool for a user who has access to it; told this once',
    status: 201,
    body: z.strictObject({
      userId: someone(sentences.keyIncomplete),
      toolId: z.string({ error: sentences.keyIncomplete }).regex(toolIdPattern, { error: sentences.keyIncomplete }),
      expirationDays: whole(apiKeyDays.min, apiKeyDays.max, sentences.keyDays).default(apiKeyDays.usual),
      ...csrf,
    }),
    response: z.object({ userEmail: z.string(), apiKey: z.string(), warning: z.string() }),
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/api/admin/api-keys/:id',
    access: 'admin',
    proof: 'always',
    summary: 'End an API key at once',
    params: z.strictObject({ id }),
    body: z.strictObject(csrf),
    response: message,
  },
});
