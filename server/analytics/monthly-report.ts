import { monthOf, spentText } from '#shared/rules/record/analytics.ts';
import { plusDays, sydneyDate } from '#shared/rules/dates.ts';
import { notifiedOccasions, notify } from '#server/notifications/service.ts';
import type { MailRow } from '#server/platform/mail-content.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import { averageScore } from './figures.ts';
import { monthTotals, usersByDay, type MonthTotals } from './queries.ts';

/** Where a page of a month's reports begins: among the advisers who used a tool on `day`, after `after`; the following days come next. */
export type ReportPage = { month: string; day: string; after: string | null };
export const reportJob = 'monthly-report-page';

/** Advisers per page, which has to be sent within the time limit of one job. */
const pageSize = 200;
/** Reports are sent on the 1st; a missed run is made up for until this day. */
const lastReportDay = 7;

const monthName = new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Starts to report on the previous month, in the first days of a month in Sydney. Nobody gets a second report. */
export async function startMonthlyReports(context: Context): Promise<void> {
  const today = sydneyDate(context.now());
  if (Number(today.slice(8)) > lastReportDay) return;
  const { month, first } = monthOf(plusDays(`${today.slice(0, 7)}-01`, -1));
  await sendPage(context, { month, day: first, after: null });
}

const sendPage = (context: Context, page: ReportPage) =>
  context.queue.send(context.db, reportJob, page, { singletonKey: `${page.month} ${page.day} ${page.after}` });

/** Sends one page of reports and queues the next page. Running it twice notifies nobody twice. */
export async function reportPage(context: Context, page: ReportPage): Promise<void> {
  const { next } = monthOf(page.day);
  const users = await usersByDay(context.db, { ...page, next }, pageSize);
  await reportMonth(context, page.month, [...new Set(users.map(({ userId }) => userId))]);
  const last = users.length === pageSize ? users.at(-1) : null;
  if (last) await sendPage(context, { month: page.month, day: last.day, after: last.userId });
}

/** Sends each of these advisers, once, a report on what they did in the month (`2026-10`). */
export async function reportMonth(context: Context, month: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { first, next } = monthOf(`${month}-01`);
  const dedupeKey = `performance-report:${month}`;
  const notified = await notifiedOccasions(
    context.db,
    userIds.map((userId) => ({ userId, dedupeKey })),
  );
  const waiting = userIds.filter((userId) => !notified.has(`${userId} ${dedupeKey}`));
  if (waiting.length === 0) return;
  const before = await monthTotals(context.db, waiting, monthOf(plusDays(first, -1)).first, first);
  for (const totals of await monthTotals(context.db, waiting, first, next)) {
    const earlier = before.find(({ userId }) => userId === totals.userId);
    await notifyOfReport(context, month, [totals, earlier], dedupeKey);
  }
}

const nameOf = (day: string) => monthName.format(new Date(`${day}T00:00:00Z`));

type Months = readonly [MonthTotals, MonthTotals?];

/** What the month brought, and how much more that is than the month before. */
function gainOf(name: string, last: string, [totals, before]: Months): string {
  const gained = before ? totals.minutesSaved - before.minutesSaved : 0;
  const more = gained > 0 ? `, ${spentText(gained * 60)} more than in ${last}` : '';
  return `In ${name} your tools saved you about ${spentText(totals.minutesSaved * 60)}${more}.`;
}

/** The figures of a month; beside each the month before, where the adviser has one. */
function figuresOf(last: string, [totals, before]: Months): MailRow[] {
  const row = (label: string, of: (one: MonthTotals) => string | null): MailRow[] => {
    const [amount, was] = [of(totals), before && of(before)];
    return amount === null ? [] : [{ label, amount, ...(was && { note: `${last}: ${was}` }) }];
  };
  return [
    ...row('Sessions', ({ sessions }) => String(sessions)),
    ...row('Tools used', ({ tools }) => String(tools)),
    ...row('Time spent', ({ durationSeconds }) => spentText(durationSeconds)),
    ...row('Time saved, estimated', ({ minutesSaved }) => spentText(minutesSaved * 60)),
    ...row('Average performance', (one) => {
      const score = averageScore([one]);
      return score === null ? null : `${score.toFixed(1)} of 10`;
    }),
  ];
}

function notifyOfReport(context: Context, month: string, months: Months, dedupeKey: string): Promise<boolean> {
  const [name, last] = [nameOf(`${month}-01`), nameOf(plusDays(`${month}-01`, -1))];
  const [totals] = months;
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
      subject: mailSubject`Your report for ${name}`,
      paragraphs: [gainOf(name, last, months)],
      table: { rows: figuresOf(last, months) },
      actionLabel: 'Open Analytics',
      footer: 'You get this report once a month because email reminders are on.',
    },
  });
}
