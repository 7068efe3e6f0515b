import { accountsApi } from './accounts.ts';
import { actsApi } from './acts.ts';
import { adminApi } from './admin.ts';
import { analyticsApi } from './analytics.ts';
import { approvalsApi } from './approvals.ts';
import { billingApi } from './billing.ts';
import { businessApi } from './business.ts';
import { catalogueApi } from './catalogue.ts';
import { dashboardApi } from './dashboard.ts';
import { developersApi } from './developers.ts';
import { evidenceApi } from './evidence.ts';
import { publicationsApi } from './publications.ts';
import { factorsApi } from './factors.ts';
import { notificationsApi } from './notifications.ts';
import { oversightApi } from './oversight.ts';
import { recordApi } from './record.ts';
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
  record: recordApi,
  reminders: remindersApi,
  teams: teamsApi,
  analytics: analyticsApi,
  dashboard: dashboardApi,
  evidence: evidenceApi,
  notifications: notificationsApi,
  admin: adminApi,
  acts: actsApi,
  approvals: approvalsApi,
  oversight: oversightApi,
  business: businessApi,
  developers: developersApi,
  publications: publicationsApi,
  catalogue: catalogueApi,
  site: siteApi,
};
