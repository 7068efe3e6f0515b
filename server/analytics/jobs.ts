import { silentSessionHours } from '#shared/rules/record/analytics.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { endSilentSessions } from '#server/usage/service.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/data/database.ts';
import { reportJob, reportPage, type ReportPage } from './monthly-report.ts';

export { startMonthlyReports } from './monthly-report.ts';

/**
 * Ends sessions without news for 48 hours, at their last sign of life; after that no tool may report on them. Their length
 * stays unknown.
 */
export async function closeSilentSessions(context: Context): Promise<void> {
  const before = plus(context.now(), -silentSessionHours * hour);
  await inBatches((limit) => endSilentSessions(context.db, before, limit));
}

export const defineAnalyticsJobs = (context: Context) =>
  context.queue.define<ReportPage>(reportJob, { retryLimit: 8, retryDelaySeconds: 15 }, (page) =>
    reportPage(context, page),
  );
