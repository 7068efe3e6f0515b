import * as z from 'zod';
import { accountsApi } from './accounts.ts';
import { analyticsApi } from './analytics.ts';
import { billingApi } from './billing.ts';
import { defineApi } from './endpoint.ts';
import { notificationsApi } from './notifications.ts';
import { recordApi } from './record.ts';
import { remindersApi } from './reminders.ts';
import { subscriptionsApi } from './subscriptions.ts';
import { teamsApi } from './teams.ts';
import { toolsApi } from './tools.ts';

/** The calls that an adviser's first view is made of, each without a query. */
export const dashboardParts = {
  user: accountsApi.user,
  unread: notificationsApi.unreadCount,
  tools: toolsApi.list,
  subscriptions: subscriptionsApi.list,
  tiers: subscriptionsApi.tiers,
  teams: teamsApi.my,
  notAllowed: recordApi.notAllowed,
  offers: subscriptionsApi.winBackOffers,
  sessions: toolsApi.myUsage,
  analytics: analyticsApi.dashboard,
  reminders: remindersApi.settings,
  forecast: billingApi.forecast,
};

type Parts = typeof dashboardParts;
type Responses = { [part in keyof Parts]: Parts[part]['response'] };
const responses = Object.fromEntries(
  Object.entries(dashboardParts).map(([part, { response }]) => [part, response]),
) as Responses;

export const dashboardApi = defineApi({
  show: {
    method: 'GET',
    path: '/api/dashboard',
    access: 'member',
    summary: 'What the first view of the dashboard shows, in one answer: each part as its own call would answer it',
    response: z.object(responses),
  },
});
