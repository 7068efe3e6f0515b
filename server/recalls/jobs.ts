import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { countText } from '#shared/rules/record/recalls.ts';
import { notify } from '#server/notifications/service.ts';
import { findTeamWithOwner, recordTeams } from '#server/teams/service.ts';
import { heading, type Heading } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import { type Told, waiting } from './queries.ts';
import { tellJob, tellRecall } from './tell.ts';

export { tellRecalls } from './tell.ts';

const pageSize = 200;
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
    const found = await findTeamWithOwner(context.db, teamId);
    if (!found) return;
    const title = heading`${found.team.name} has ${countText(sessions, 'session')} to look at again`;
    for (const userId of new Set([found.team.ownerId, ...(await recordTeams.managersOf(context.db, teamId))]))
      await remind(context, userId, title, `/record/recalls?team=${teamId}`, teamId);
  });
}

async function remindEach(context: Context, who: Told, tell: (id: string, sessions: number) => Promise<unknown>) {
  const before = plus(context.now(), -quietDays * day);
  for (let after: string | null = null; ;) {
    const found = await waiting(context.db, who, before, after, pageSize);
    for (const { id, sessions } of found) await tell(id, sessions);
    after = found.at(-1)?.id ?? null;
    if (found.length < pageSize) return;
  }
}

const remind = (context: Context, userId: string, { title, subject }: Heading, actionUrl: string, whose: string) =>
  notify(context, {
    userId,
    type: 'system_alert',
    title,
    message: 'A recall touches them, and nobody has said yet what they found.',
    actionUrl,
    dedupeKey: `recall-reminder:${whose}:${mondayOf(context.now())}`,
    mail: { kind: 'recall-reminder', subject, actionLabel: 'See the sessions' },
  });

/** A run that is made up for on Tuesday counts for the same week. */
function mondayOf(now: Date): string {
  const at = new Date(`${sydneyDate(now)}T00:00:00Z`);
  return plus(at, -((at.getUTCDay() + 6) % 7) * day)
    .toISOString()
    .slice(0, 10);
}

/** Registers with the queue the job that tells of a recall. */
export async function defineRecallJobs(context: Context): Promise<void> {
  await context.queue.define<{ recallId: string; narrowed?: boolean }>(
    tellJob,
    { retryLimit: 8, expireInSeconds: 900 },
    ({ recallId, narrowed }) => tellRecall(context, recallId, narrowed),
  );
}
