import { day, formatCalendarDay, plus, plusMonths, sydneyDate } from '#shared/rules/dates.ts';
import { mondayOf } from '#shared/rules/record/analytics.ts';
import { mostUnstated, recordYears } from '#shared/rules/record/record.ts';
import { toolName } from '#server/catalogue/service.ts';
import { notify, wantingStatements } from '#server/notifications/service.ts';
import { practices } from '#server/payers/service.ts';
import { namesOf } from '#server/people/service.ts';
import { recordTeams } from '#server/teams/service.ts';
import { register } from '#server/usage/service.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import { type Db, inBatches, paged, transaction } from '#server/platform/data/database.ts';
import { announceJob, tellAnnouncement } from './announce.ts';
import { withNames } from './practice.ts';
import { allowForgetting, forgetReviews, forgetSignOffs, forgetStatements, sessionsNaming } from './queries.ts';
import { allHolds, forgetHolds } from './queries-holds.ts';
import { forgetSamples } from './queries-samples.ts';

export { tellAnnouncements } from './announce.ts';
export { settleAsks } from './asks.ts';

/** Once a week, tells those who want it, or whose practice does, how many sessions of the last seven days they have not reviewed. */
export async function remindOfStatements(context: Context): Promise<void> {
  const now = context.now();
  const since = plus(now, -7 * day);
  const week = mondayOf(sydneyDate(now));
  const asking = paged(
    (after, limit) => wantingStatements(context.db, after, limit),
    (userId) => userId,
  );
  for await (const userId of asking)
    await remind(context, userId, since, week, 'you asked for it in your reminder settings');
  const reminded = paged(
    (after, limit) => recordTeams.remindedMembers(context.db, after, limit),
    ({ id }) => id,
  );
  for await (const { userId, teamId, teamName, role } of reminded) {
    await remind(context, userId, since, week, `${teamName} reminds everybody`);
    if (role !== 'member') await sendDigest(context, userId, { id: teamId, name: teamName }, since, week);
  }
}

const counted = (count: number, most = Infinity) =>
  count === 1 ? 'one session' : `${count >= most ? 'at least ' : ''}${count} sessions`;

async function remind(context: Context, userId: string, since: Date, week: string, because: string): Promise<void> {
  const count = await register.countUnstated(context.db, userId, since, mostUnstated);
  if (count === 0) return;
  await notify(context, {
    userId,
    type: 'performance_report',
    title: 'Sessions to review',
    message: `Please review ${counted(count, mostUnstated)} from the last seven days.`,
    actionUrl: '/record?unstated=true',
    // A missed run that is made up for a day later counts for the same week.
    dedupeKey: `statements:${week}`,
    mail: {
      kind: 'statements',
      subject:
        count === 1 ? mailSubject`One session to review` : mailSubject`${counted(count, mostUnstated)} to review`,
      actionLabel: 'Open the register',
      footer: `You get this once a week because ${because}.`,
    },
  });
}

/** Tells the owner or an admin who in the practice has how many sessions of the last seven days to review. */
async function sendDigest(
  context: Context,
  userId: string,
  team: { id: string; name: string },
  since: Date,
  week: string,
): Promise<void> {
  const open = new Map<string, { name: string; count: number }>();
  for (const row of await withNames(context.db, await register.teamTotals(context.db, team.id, since), team.id)) {
    const before = open.get(row.userId)?.count ?? 0;
    open.set(row.userId, { name: `${row.firstName} ${row.lastName}`.trim(), count: before + row.unstated });
  }
  const people = [...open.values()].filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
  if (people.length === 0) return;
  const total = people.reduce((sum, { count }) => sum + count, 0);
  const named = people.map(({ name, count }) => `${name || 'Former adviser'}: ${count}`);
  await notify(context, {
    userId,
    type: 'performance_report',
    title: `${counted(total)} of ${team.name} to review`,
    message: `These sessions of the last seven days are not reviewed yet. ${named.join('; ')}.`,
    actionUrl: `/teams?team=${team.id}&tab=record&part=sessions`,
    dedupeKey: `review-digest:${team.id}:${week}`,
    mail: {
      kind: 'review-digest',
      subject: mailSubject`${counted(total)} of ${team.name} to review`,
      actionLabel: 'Open the record',
      footer: `You get this once a week because you look after ${team.name}, which reminds everybody.`,
    },
  });
}

/** Tells owner, admins and reviewers of a practice, once, that a review of a tool is due. */
export async function tellReviewsDue(context: Context): Promise<void> {
  const { db } = context;
  for (const { teamId, teamName, toolId, due, accountableId } of await practices.reviewsDue(
    db,
    sydneyDate(context.now()),
  )) {
    const name = await toolName(db, toolId);
    const [accountable] = accountableId ? await namesOf(db, [accountableId]) : [];
    const who = (reader: string) =>
      reader === accountableId
        ? ' You are responsible for it.'
        : accountable
          ? ` ${accountable} is responsible for it.`
          : '';
    for (const userId of await recordTeams.managersOf(db, teamId))
      await notify(context, {
        userId,
        title: `${name} is due for review`,
        message: `${teamName} planned to review ${name} by ${formatCalendarDay(due)}.${who(userId)} Please read what its maker says now, and decide whether the practice still allows it.`,
        actionUrl: `/teams?team=${teamId}&tab=record`,
        dedupeKey: `review-due:${teamId}:${toolId}:${due}`,
        mail: { kind: 'review-due', subject: mailSubject`${name} is due for review`, actionLabel: 'Review the tool' },
      });
  }
}

/** Forgets what is older than seven years, but what a practice holds: all that was said of sessions and tools, client references, who has left, what closed practices decided, and holds. */
export async function forgetOldRecord(context: Context): Promise<void> {
  const before = plusMonths(context.now(), -12 * recordYears);
  const held = await allHolds(context.db);
  const sessions = await register.heldSessions(context.db, held);
  for (const one of held) sessions.push(...(await sessionsNaming(context.db, one)));
  const holding = await holdingTeams(context.db);
  await inBatches((limit) =>
    transaction(context.db, async (tx) => {
      await allowForgetting(tx, before);
      return Math.max(
        await forgetStatements(tx, before, sessions, limit),
        await forgetSignOffs(tx, before, sessions, limit),
        await forgetSamples(tx, before, sessions, limit),
        await forgetReviews(tx, before, holding, limit),
      );
    }),
  );
  await inBatches((limit) => register.forgetReferences(context.db, before, held, limit));
  await recordTeams.forgetPeople(context.db, before, holding);
  await practices.forgetDecisions(context.db, before, holding);
  await forgetHolds(context.db, before);
}

/** The practices that hold a client reference: their packs and their people stay too. */
export const holdingTeams = async (db: Db): Promise<string[]> => [
  ...new Set((await allHolds(db)).map(({ teamId }) => teamId)),
];

export const defineRecordJobs = (context: Context): Promise<void> =>
  context.queue.define<{ id: string }>(announceJob, { retryLimit: 8, expireInSeconds: 900 }, ({ id }) =>
    tellAnnouncement(context, id),
  );
