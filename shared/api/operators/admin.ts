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
import { forecast, toldPage } from '../billing.ts';
import { defineAdminApi } from '../endpoint.ts';
import { cents, date, id, line, newPassword, page, pagination, whole, wholeText } from '../fields.ts';
import { priceChange } from '../price-change.ts';

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

const listedTeam = z.object({
  id: z.string(),
  name: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  ownerEmail: z.string(),
  isActive: z.boolean(),
  createdAt: date,
  /** Everybody in it, also those without a seat. */
  members: z.int(),
  /** Its subscriptions, paid or in grace, and what a month of those that will renew costs, as last paid. */
  tools: z.int(),
  monthlyCents: cents,
});
export type ListedTeam = z.output<typeof listedTeam>;

const someone = (sentence: string) => z.uuid({ error: sentence });
const search = line(100).optional();

/** A person is told what was done to their account, and the reason. */
const withReason = {
  userId: someone(sentences.who),
  reason: line(300).min(1, { error: sentences.reason }),
};

export const adminApi = defineAdminApi({
  users: {
    route: 'GET /api/admin/users',
    summary: 'Open accounts, newest first, or what a search by name or email finds',
    query: z.strictObject({
      page,
      limit,
      search,
      freeAccess: z.literal('true', { error: 'Free access may only be "true"' }).optional(),
      only: z.enum(['unverified', 'suspended', 'administrators']).optional(),
    }),
    response: z.object({ users: z.array(adminUser), pagination: cappedPagination }),
  },
  subscriberStats: {
    route: 'GET /api/admin/subscriber-stats',
    summary: 'Counters over open accounts',
    response: z.object({ total: z.int(), verified: z.int(), withProfiles: z.int(), freeAccess: z.int() }),
  },
  usageStats: {
    route: 'GET /api/admin/usage-stats',
    summary: 'Users by how often they used a tool',
    query: z.strictObject({ page, limit }),
    response: z.object({ stats: z.array(usageStat), pagination }),
  },
  apiKeys: {
    route: 'GET /api/admin/all-api-keys',
    summary: `API keys that are not revoked, newest first, at most ${apiKeyLimit}; a search by their user finds others`,
    query: z.strictObject({ search }),
    response: z.array(apiKey),
  },
  user: {
    route: 'GET /api/admin/users/:id',
    summary: 'One person: who they are, what they subscribe to, who pays, which teams they are in',
    response: adminPerson,
  },
  userTimeline: {
    route: 'GET /api/admin/users/:id/timeline',
    summary: 'What happened to a person, newest first: acts, invoices, emails and tool sessions, each as a sentence',
    query: z.strictObject({ before: timelineCursor.optional(), kind: z.enum(happeningKinds).optional() }),
    response: timeline,
  },
  userForecast: {
    route: 'GET /api/admin/users/:id/forecast',
    summary: 'What a user will be charged, and what giving or taking away free access would do to it',
    response: forecast.extend({
      /** From which charge on the tools that Stripe bills would cost a different amount. */
      changes: z.array(priceChange),
      /** What would go into grace, until the user starts to pay that much a month. */
      toStart: z.array(z.object({ toolName: z.string(), monthlyCents: cents })),
    }),
  },
  teams: {
    route: 'GET /api/admin/teams',
    summary: 'Teams by name, open ones first, or those whose name begins with the search',
    query: z.strictObject({ page, limit, search }),
    response: z.object({ teams: z.array(listedTeam), pagination }),
  },
  team: {
    route: 'GET /api/admin/teams/:id',
    summary: 'One team: who owns it, who is in it, what it subscribes to, who pays',
    response: adminTeam,
  },
  teamTimeline: {
    route: 'GET /api/admin/teams/:id/timeline',
    summary: 'What happened to a team, newest first: acts and invoices, each as a sentence',
    query: z.strictObject({ before: timelineCursor.optional(), kind: z.enum(happeningKinds).optional() }),
    response: timeline,
  },
  teamForecast: {
    route: 'GET /api/admin/teams/:id/forecast',
    summary: 'What a team will be charged',
    response: forecast,
  },
  userTold: {
    route: 'GET /api/admin/users/:id/told',
    summary: 'What a user was told of their bills, newest first',
    query: z.strictObject({ page }),
    response: toldPage,
  },
  teamTold: {
    route: 'GET /api/admin/teams/:id/told',
    summary: 'What a team was told of its bills, newest first',
    query: z.strictObject({ page }),
    response: toldPage,
  },
  grantFreeAccess: {
    route: 'POST /api/admin/grant-free-access',
    summary: 'Everything costs this user nothing, which can be undone for 24 hours',
    body: z.strictObject({ userId: id, reason: line(300).optional() }),
  },
  revokeFreeAccess: {
    route: 'POST /api/admin/revoke-free-access',
    summary: 'This user pays again',
    body: z.strictObject({ userId: id }),
  },
  resetPassword: {
    route: 'POST /api/admin/reset-password',
    summary:
      'Set a user’s password and end their sessions; another administrator’s, where four eyes are demanded, once a second one approves',
    body: z.strictObject({
      userId: someone(sentences.resetIncomplete),
      newPassword: z
        .string({ error: sentences.resetIncomplete })
        .min(1, { error: sentences.resetIncomplete })
        .pipe(newPassword),
      reason: line(300).optional(),
    }),
  },
  resetFactors: {
    route: 'POST /api/admin/reset-factors',
    summary: 'Remove a user’s verification methods in a day, unless they object',
    body: z.strictObject({ userId: someone(sentences.resetWho) }),
  },
  suspend: {
    route: 'POST /api/admin/suspend',
    summary:
      'Keep a user out: sessions, launches and API keys end; nothing is charged meanwhile, unless that is chosen',
    body: z.strictObject({ ...withReason, keepCharging: z.boolean().default(false) }),
  },
  reinstate: {
    route: 'POST /api/admin/reinstate',
    summary: 'Let a suspended user in again; what was paused goes on',
    body: z.strictObject(withReason),
  },
  endSessions: {
    route: 'POST /api/admin/end-sessions',
    summary: 'Sign a user out everywhere',
    body: z.strictObject(withReason),
  },
  demandPassword: {
    route: 'POST /api/admin/demand-password',
    summary:
      'Sign a user out everywhere, and mail a link to choose a new password; the present one leads to that choice, too',
    body: z.strictObject(withReason),
  },
  generateApiKey: {
    route: 'POST /api/admin/generate-api-key',
    summary: 'A key to one tool for a user who has access to it; told this once',
    status: 201,
    body: z.strictObject({
      userId: someone(sentences.keyIncomplete),
      toolId: z.string({ error: sentences.keyIncomplete }).regex(toolIdPattern, { error: sentences.keyIncomplete }),
      expirationDays: whole(apiKeyDays.min, apiKeyDays.max, sentences.keyDays).default(apiKeyDays.usual),
    }),
    response: z.object({ userEmail: z.string(), apiKey: z.string(), warning: z.string() }),
  },
  revokeApiKey: {
    route: 'DELETE /api/admin/api-keys/:id',
    summary: 'End an API key at once',
  },
});
