import { silentSessionHours } from '#shared/rules/analytics.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { reportJob, reportPage, type ReportPage } from './monthly-report.ts';
import { closeSilent } from './queries.ts';

export { startMonthlyReports } from './monthly-report.ts';

/** A statement must end within three seconds, so a long backlog goes in pieces. */
const atOnce = 1000;

/**
 * Closes sessions that were not heard of for 48 hours, as long as a tool may still report, at the moment they were last
 * heard of. No length is made up for them.
 */
export async function closeSilentSessions(context: Context): Promise<void> {
  const before = plus(context.now(), -silentSessionHours * hour);
  while ((await closeSilent(context.db, before, atOnce)) === atOnce);
}

/** Makes the jobs that other jobs of this noun send known to the queue. */
export const defineAnalyticsJobs = (context: Context) =>
  context.queue.define<ReportPage>(reportJob, { retryLimit: 8, retryDelaySeconds: 15 }, (page) =>
    reportPage(context, page),
  );
