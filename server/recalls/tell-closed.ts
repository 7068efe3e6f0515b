import { countText } from '#shared/rules/record/recalls.ts';
import { notify } from '#server/notifications/service.ts';
import { recordTeams } from '#server/teams/service.ts';
import { paged } from '#server/platform/data/database.ts';
import type { Context } from '#server/platform/context.ts';
import { heading } from '#server/platform/mail-subject.ts';
import { openOf, type RecallRow, type Told, updateRecall } from './queries.ts';

type Closed = RecallRow & { toolName: string };
/** Sessions that nobody has looked at again: somebody's own (no team), or those in a practice's record. */
type Left = { open: number; team: { id: string; name: string } | null };

/**
 * Tells everybody who heard of the recall that it is closed, in one mail each, with how many sessions of theirs and of the practices
 * that they answer for nobody has looked at again. Safe to run twice.
 */
export async function tellClosed(context: Context, recall: Closed, says: string[]): Promise<void> {
  const answering = await whoAnswers(context, recall.id);
  for await (const { id, open } of eachOf(context, recall.id, 'user')) {
    await tell(context, recall, says, id, [{ open, team: null }, ...(answering.get(id) ?? [])]);
    answering.delete(id);
  }
  for (const [userId, practices] of answering) await tell(context, recall, says, userId, practices);
  await updateRecall(context.db, recall.id, { closingToldAt: context.now() });
}

const eachOf = ({ db }: Context, recallId: string, who: Told) =>
  paged(
    (after, limit) => openOf(db, recallId, who, after, limit),
    ({ id }) => id,
  );

/** Owners, admins and reviewers of the practices, each with what is left there. */
async function whoAnswers(context: Context, recallId: string): Promise<Map<string, Left[]>> {
  const { db } = context;
  const answering = new Map<string, Left[]>();
  for await (const { id, open } of eachOf(context, recallId, 'team')) {
    const found = await recordTeams.whoAnswersFor(db, id);
    if (!found) continue;
    const { team, userIds } = found;
    for (const userId of userIds) answering.set(userId, [...(answering.get(userId) ?? []), { open, team }]);
  }
  return answering;
}

function tell(context: Context, recall: Closed, says: string[], userId: string, all: Left[]): Promise<boolean> {
  const left = all.filter(({ open }) => open > 0);
  const counts = left.map(({ open, team }) => `${countText(open, 'session')} ${team ? `of ${team.name}` : 'of yours'}`);
  const rest =
    left.length > 0
      ? `Nobody has looked again at ${counts.join(', ')}: the list stays open for that.`
      : 'Every session of yours was looked at again.';
  const { team } = left[0] ?? all[0]!;
  return notify(context, {
    userId,
    title: heading`The recall of ${recall.toolName} is closed`,
    message: `${recall.closedFor} ${rest}`,
    actionUrl: `/record/recalls?${team ? `team=${team.id}&` : ''}recall=${recall.id}`,
    dedupeKey: `recall-closed:${recall.id}`,
    mail: {
      kind: 'recall-closed',
      paragraphs: [`Why it is closed: ${recall.closedFor}`, rest, ...(left.length > 0 ? says : [])],
      actionLabel: 'See the recall',
    },
  });
}
