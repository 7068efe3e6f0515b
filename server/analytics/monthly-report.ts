import { monthOf, plusDays, spentText } from '#shared/rules/analytics.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { keysTold, notify } from '#server/notifications/service.ts';
import type { Context } from '#server/platform/context.ts';
import { averageScore } from './figures.ts';
import { monthTotals, usersOf, type MonthTotals } from './queries-report.ts';

/** Which part of the reports of the month is next: the advisers who used a tool on `day`, after the one named. */
export type ReportPage = { month: string; day: string; after: string | null };
export const reportJob = 'monthly-report-page';

/** A page is done well within the time a job may take. */
const atOnce = 200;
/** Reports leave on the 1st; the days after it make up for what a fault left out. */
const lastReportDay = 7;

const monthName = new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Begins to report the month before, in the first days of a month in Sydney; whoever was told is not told again. */
export async function startMonthlyReports(context: Context): Promise<void> {
  const today = sydneyDate(context.now());
  if (Number(today.slice(8)) > lastReportDay) return;
  const { month, first } = monthOf(plusDays(`${today.slice(0, 7)}-01`, -1));
  await sendPage(context, { month, day: first, after: null });
}

const sendPage = (context: Context, page: ReportPage) =>
  context.queue.send(context.db, reportJob, page, { singletonKey: `${page.month} ${page.day} ${page.after}` });

/** Reports to one page of advisers and queues the next. A page done twice tells nobody twice. */
export async function reportPage(context: Context, page: ReportPage): Promise<void> {
  const { next } = monthOf(page.day);
  const users = await usersOf(context.db, page.day, page.after, atOnce);
  await reportMonth(context, page.month, users);
  const after = users.length === atOnce ? users.at(-1)! : null;
  const day = after === null ? plusDays(page.day, 1) : page.day;
  if (day < next) await sendPage(context, { month: page.month, day, after });
}

/** Tells each of these advisers, once, what they did in the month (`2026-10`). */
export async function reportMonth(context: Context, month: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { first, next } = monthOf(`${month}-01`);
  const dedupeKey = `performance-report:${month}`;
  const told = await keysTold(
    context.db,
    userIds.map((userId) => ({ userId, dedupeKey })),
  );
  const untold = userIds.filter((userId) => !told.has(`${userId} ${dedupeKey}`));
  if (untold.length === 0) return;
  for (const totals of await monthTotals(context.db, untold, first, next))
    await tellReport(context, month, totals, dedupeKey);
}

function tellReport(context: Context, month: string, totals: MonthTotals, dedupeKey: string): Promise<boolean> {
  const name = monthName.format(new Date(`${month}-01T00:00:00Z`));
  const score = averageScore([totals]);
  const used = `${plural(totals.sessions, 'session')} with ${plural(totals.tools, 'tool')}`;
  const message = `${name}: ${used}, ${spentText(totals.durationSeconds)} in all. Time saved: about ${spentText(totals.minutesSaved * 60)}.`;
  return notify(context, {
    userId: totals.userId,
    type: 'performance_report',
    title: `Your report for ${name}`,
    message,
    actionUrl: '/dashboard?tab=analytics',
    dedupeKey,
    mail: {
      kind: 'monthly-report',
      subject: `Your report for ${name}`,
      paragraphs: [
        `This is what you did with your tools in ${name}:`,
        [
          `Sessions: ${used}`,
          `Time spent: ${spentText(totals.durationSeconds)}`,
          `Time saved, by estimate: ${spentText(totals.minutesSaved * 60)}`,
          ...(score === null ? [] : [`Average performance: ${score.toFixed(1)} out of 10.0`]),
        ].join('\n'),
      ],
      actionLabel: 'Open Analytics',
      footer: 'You get this report once a month, because email reminders are switched on.',
    },
  });
}
