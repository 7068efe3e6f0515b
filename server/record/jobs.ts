import { day, formatCalendarDay, plus, plusMonths, sydneyDate } from '#shared/rules/dates.ts';
import { mostUnstated, recordYears } from '#shared/rules/record/record.ts';
import { toolName } from '#server/catalogue/service.ts';
import { notify, wantingStatements } from '#server/notifications/service.ts';
import { practices } from '#server/payers/service.ts';
import { register } from '#server/usage/service.ts';
import type { Context } from '#server/platform/context.ts';
import { inBatches, transaction } from '#server/platform/data/database.ts';
import { forgetStatements } from './queries.ts';

const pageSize = 200;

/** Once a week, tells those who want it how many sessions of the last seven days they have not stated. */
export async function remindOfStatements(context: Context): Promise<void> {
  const now = context.now();
  const since = plus(now, -7 * day);
  for (let after: string | null = null; ;) {
    const people = await wantingStatements(context.db, after, pageSize);
    for (const userId of people) {
      const count = await register.countUnstated(context.db, userId, since, mostUnstated);
      if (count > 0) await remind(context, userId, count, sydneyDate(now));
    }
    after = people.at(-1) ?? null;
    if (people.length < pageSize) return;
  }
}

async function remind(context: Context, userId: string, count: number, today: string): Promise<void> {
  const sessions = count === 1 ? 'one session' : `${count === mostUnstated ? 'at least ' : ''}${count} sessions`;
  await notify(context, {
    userId,
    type: 'performance_report',
    title: 'Sessions to state',
    message: `You have not yet said whether you checked the output of ${sessions} from the last seven days.`,
    actionUrl: '/record?unstated=true',
    // A missed run that is made up for a day later counts for the same week.
    dedupeKey: `statements:${weekOf(today)}`,
    mail: {
      kind: 'statements',
      subject: 'Sessions you have not stated yet',
      actionLabel: 'Open the register',
      footer: 'You get this once a week because you asked for it in your reminder settings.',
    },
  });
}

/** The Monday of a day's week. */
function weekOf(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  return plus(at, -((at.getUTCDay() + 6) % 7) * day)
    .toISOString()
    .slice(0, 10);
}

/** Tells the owner of a practice, once, that a review of a tool is due. */
export async function tellReviewsDue(context: Context): Promise<void> {
  for (const { teamId, toolId, ownerId, due } of await practices.reviewsDue(context.db, sydneyDate(context.now()))) {
    const name = await toolName(context.db, toolId);
    await notify(context, {
      userId: ownerId,
      type: 'system_alert',
      title: `${name} is due for review`,
      message: `Your practice wanted to review ${name} by ${formatCalendarDay(due)}.`,
      actionUrl: `/teams?team=${teamId}&tab=record`,
      dedupeKey: `review-due:${teamId}:${toolId}:${due}`,
    });
  }
}

/** Forgets what is older than seven years: statements, and the client references of sessions. */
export async function forgetOldRecord(context: Context): Promise<void> {
  const before = plusMonths(context.now(), -12 * recordYears);
  await inBatches((limit) => transaction(context.db, (tx) => forgetStatements(tx, before, limit)));
  await inBatches((limit) => register.forgetReferences(context.db, before, limit));
}
