import { sessionMilestones } from '#shared/rules/record/analytics.ts';
import { notify } from '#server/notifications/service.ts';
import type { Context } from '#server/platform/context.ts';
import { lockSessionCount, sessionCount } from './queries.ts';

/**
 * Runs `open`, which may add a session of this adviser, in the caller's transaction, and notifies them of a milestone.
 * One at a time per adviser, so that of two sessions opened at once, the second counts the first.
 */
export async function countingSessions<T>(context: Context, userId: string, open: () => Promise<T>): Promise<T> {
  await lockSessionCount(context.db, userId);
  const opened = await open();
  const count = await sessionCount(context.db, userId);
  if (sessionMilestones.some((milestone) => milestone === count)) await notifyOfMilestone(context, userId, count);
  return opened;
}

const notifyOfMilestone = (context: Context, userId: string, count: number) =>
  notify(context, {
    userId,
    type: 'usage_milestone',
    title: `${count} tool sessions`,
    message: `You've opened your tools ${count} times. See what they save you in Analytics.`,
    actionUrl: '/dashboard?tab=analytics',
    dedupeKey: `milestone:sessions:${count}`,
  });
