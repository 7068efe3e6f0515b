import { defineAccountJobs, pruneAccounts } from '#server/accounts/jobs.ts';
import { defineAdminJobs } from '#server/admin/jobs.ts';
import { closeSilentSessions, defineAnalyticsJobs, startMonthlyReports } from '#server/analytics/jobs.ts';
import { defineBillingJobs, readMissedEvents } from '#server/billing/jobs.ts';
import { payerOf } from '#server/billing/service.ts';
import { blankOldNotices } from '#server/notifications/jobs.ts';
import type { Context } from '#server/platform/context.ts';
import { businessZone } from '#shared/rules/dates.ts';
import {
  expireSubscriptions,
  reconcileSubscriptions,
  remindOfRenewals,
  reprice,
  resumePurchases,
} from '#server/subscriptions/jobs.ts';
import { defineTeamJobs } from '#server/teams/jobs.ts';
import { pruneLaunchTokens } from '#server/tools/jobs.ts';

/** Jobs that pick their work by state: any replica may run them, at any time, twice. Name → [when, what]. */
const scheduled = {
  'resume-purchases': ['* * * * *', resumePurchases],
  'expire-subscriptions': ['*/5 * * * *', expireSubscriptions],
  'reconcile-subscriptions': ['7 * * * *', reconcileSubscriptions],
  'read-missed-events': ['12 * * * *', readMissedEvents],
  // Morning in Sydney is the same calendar day in every Australian zone; again at noon, should the morning be missed.
  'remind-of-renewals': ['0 7,12 * * *', remindOfRenewals],
  'prune-accounts': ['30 3 * * *', pruneAccounts],
  'prune-launch-tokens': ['40 3 * * *', pruneLaunchTokens],
  'close-silent-sessions': ['20 * * * *', closeSilentSessions],
  'blank-old-notices': ['50 3 * * *', blankOldNotices],
  // On the 1st; the days after it make up for what a fault left out.
  'monthly-reports': ['30 8 1-7 * *', startMonthlyReports],
} as const satisfies Record<string, readonly [string, (context: Context) => Promise<unknown>]>;

/** Makes every job known to the queue, with its schedule in Sydney's time. */
export async function defineJobs(context: Context): Promise<void> {
  const { queue } = context;
  await queue.define<{ userId: string | null; teamId: string | null; verify?: boolean }>(
    'reprice',
    { retryLimit: 8, expireInSeconds: 120 },
    ({ userId, teamId, ...options }) => reprice(context, payerOf({ userId, teamId }), options),
  );
  await defineAccountJobs(context);
  await defineBillingJobs(context);
  await defineAnalyticsJobs(context);
  await defineTeamJobs(context);
  await defineAdminJobs(context);
  for (const [name, [cron, run]] of Object.entries(scheduled)) {
    await queue.define(name, { retryLimit: 0 }, async () => void (await run(context)));
    await queue.schedule(name, cron, businessZone);
  }
}

/** Everything that falls due by state, at once: at start (a purchase a crash interrupted) and when the clock is moved. */
export async function runDueJobs(context: Context): Promise<void> {
  for (const [, run] of Object.values(scheduled)) await run(context);
}
