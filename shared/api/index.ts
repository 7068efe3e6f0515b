import { accountsApi } from './accounts.ts';
import { adminApi } from './admin.ts';
import { analyticsApi } from './analytics.ts';
import { billingApi } from './billing.ts';
import { catalogueApi } from './catalogue.ts';
import { dashboardApi } from './dashboard.ts';
import { developersApi } from './developers.ts';
import { publicationsApi } from './publications.ts';
import { factorsApi } from './factors.ts';
import { notificationsApi } from './notifications.ts';
import { oversightApi } from './oversight.ts';
import { remindersApi } from './reminders.ts';
import { securityApi } from './security.ts';
import { siteApi } from './site.ts';
import { subscriptionsApi } from './subscriptions.ts';
import { teamsApi } from './teams.ts';
import { toolsApi } from './tools.ts';

/** Every call, by noun. */
export const contract = {
  accounts: accountsApi,
  security: securityApi,
  factors: factorsApi,
  tools: toolsApi,
  subscriptions: subscriptionsApi,
  billing: billingApi,
  reminders: remindersApi,
  teams: teamsApi,
  analytics: analyticsApi,
  dashboard: dashboardApi,
  notifications: notificationsApi,
  admin: adminApi,
  oversight: oversightApi,
  developers: developersApi,
  publications: publicationsApi,
  catalogue: catalogueApi,
  site: siteApi,
};
