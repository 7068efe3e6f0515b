import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { mondayOf } from '#shared/rules/record/analytics.ts';
import { countText } from '#shared/rules/record/recalls.ts';
import { notify } from '#server/notifications/service.ts';
import { recordTeams } from '#server/teams/service.ts';
import { heading, type Heading } from '#server/platform/mail-subject.ts';
import { paged } from '#server/platform/data/database.ts';
import type { Context } from '#server/platform/context.ts';
import { type Told, waiting } from './queries.ts';
import { tellJob, tellRecall } from './tell.ts';

export { tellRecalls } from './tell.ts';

/** Nobody is reminded within so many days after they were told. */
const quietDays = 3;

/** Once a week, reminds advisers and practices of sessions that nobody has looked at again. */
export async function remindOfRecalls(context: Context): Promise<void> {
  await remindEach(context, 'user', async (userId, sessions) =>
    remind(
      context,
      userId,
      heading`You have ${countText(sessions, 'session')} to look at again`,
      '/record/recalls',
      'own',
    ),
  );
  await remindEach(context, 'team', async (teamId, sessions) => {
    const found = await recordTeams.whoAnswersFor(context.db, teamId);
    if (!found) return;
    const title = heading`${found.team.name} has ${countText(sessions, 'session')} to look at again`;
    for (const userId of found.userIds) await remind(context, userId, title, `/record/recalls?team=${teamId}`, teamId);
  });
}

async function remindEach(context: Context, who: Told, tell: (id: string, sessions: number) => Promise<unknown>) {
  const before = plus(context.now(), -quietDays * day);
  const found = paged(
    (after, limit) => waiting(context.db, who, before, after, limit),
    ({ id }) => id,
  );
  for await (const { id, sessions } of found) await tell(id, sessions);
}

const remind = (context: Context, userId: string, title: Heading, actionUrl: string, whose: string) =>
  notify(context, {
    userId,
    title,
    message: 'A recall touches them, and nobody has said yet what they found.',
    actionUrl,
    // A run that is made up for on Tuesday counts for the same week.
    dedupeKey: `recall-reminder:${whose}:${mondayOf(sydneyDate(context.now()))}`,
    mail: { kind: 'recall-reminder', actionLabel: 'See the sessions' },
  });

export const defineRecallJobs = (context: Context): Promise<void> =>
  context.queue.define<{ recallId: string; narrowed?: boolean }>(
    tellJob,
    { retryLimit: 8, expireInSeconds: 900 },
    ({ recallId, narrowed }) => tellRecall(context, recallId, narrowed),
  );
