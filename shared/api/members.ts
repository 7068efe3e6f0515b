import { accountsApi } from './accounts.ts';
import { analyticsApi } from './analytics.ts';
import { asksApi } from './asks.ts';
import { billingApi } from './billing.ts';
import { booksApi } from './books.ts';
import { evidenceApi } from './evidence.ts';
import { factorsApi } from './factors.ts';
import { identitiesApi } from './identities.ts';
import { notificationsApi } from './notifications.ts';
import { recordApi } from './record.ts';
import { recallsApi } from './recalls.ts';
import { remindersApi } from './reminders.ts';
import { securityApi } from './security.ts';
import { siteApi } from './site.ts';
import { subscriptionsApi, toolUsersApi } from './subscriptions.ts';
import { teamsApi } from './teams.ts';
import { toolsApi } from './tools.ts';

/** The calls of everybody's pages, by noun. Those of administrators and tool makers are in index.ts, so that no member's page loads them. */
export const contract = {
  accounts: accountsApi,
  security: securityApi,
  factors: factorsApi,
  identities: identitiesApi,
  tools: toolsApi,
  subscriptions: subscriptionsApi,
  billing: billingApi,
  books: booksApi,
  record: recordApi,
  asks: asksApi,
  recalls: recallsApi,
  reminders: remindersApi,
  teams: teamsApi,
  toolUsers: toolUsersApi,
  analytics: analyticsApi,
  evidence: evidenceApi,
  notifications: notificationsApi,
  site: siteApi,
};
