import { formatCalendarDay } from '#shared/rules/dates.ts';
import { countText, severityLabels, versionsText } from '#shared/rules/record/recalls.ts';
import { toolName } from '#server/catalogue/service.ts';
import { notify } from '#server/notifications/service.ts';
import { recordTeams } from '#server/teams/service.ts';
import { recalled } from '#server/usage/service.ts';
import { heading, type Heading } from '#server/platform/mail-subject.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { tellClosed } from './tell-closed.ts';
import {
  addTouched,
  changesOf,
  countOf,
  findRecall,
  holdTold,
  idsOf,
  noteTold,
  type Owner,
  type RecallRow,
  recallsToTell,
  removeUntouched,
  type Told,
  untold,
} from './queries.ts';
import { sessionsIn } from './queries-pack.ts';

export const tellJob = 'tell-recall';
const pageSize = 200;

type Recall = RecallRow & { toolName: string; said: number };

/**
 * A job: finds the sessions that a recall touches, and tells everybody whose they are, practices too. After a change, it first takes
 * out what the recall no longer touches. Safe to run twice.
 */
export async function tellRecall(context: Context, recallId: string, narrowed = false): Promise<void> {
  const { db } = context;
  const now = context.now();
  const row = await findRecall(db, recallId);
  if (row && narrowed) await removeUntouched(db, row, now);
  if (!row?.confirmedAt && !row?.closedAt) return;
  const said = (await changesOf(context.db, [recallId])).filter(({ act }) => act !== 'closed').length;
  const recall = { ...row, toolName: await toolName(context.db, row.toolId), said };
  if (row.closedAt) return tellClosed(context, recall, saysOf(recall));
  await addTouched(db, row, now);
  await tellEach(context, recall, 'user', tellAdviser);
  await tellEach(context, recall, 'team', tellPractice);
}

/** A job that finds its work by state: versions are reported after sessions begin, and open recalls go on. */
export async function tellRecalls(context: Context): Promise<void> {
  for (const recallId of await recallsToTell(context.db))
    await context.queue.send(context.db, tellJob, { recallId }, { singletonKey: recallId });
}

async function tellEach(
  context: Context,
  recall: Recall,
  who: Told,
  tell: (inside: Context, recall: Recall, id: string) => Promise<void>,
): Promise<void> {
  for (;;) {
    const ids = await untold(context.db, recall.id, who, pageSize);
    for (const id of ids) {
      const goesOn = await inTransaction(context, async (inside, tx) => {
        const current = await holdTold(tx, recall.id);
        if (!current) return false;
        await tell(inside, { ...recall, ...current }, id);
        await noteTold(tx, recall.id, who, id, inside.now());
        return true;
      });
      // Whoever was not told yet hears all of it with the closing.
      if (!goesOn) return;
    }
    if (ids.length < pageSize) return;
  }
}

/** "7 sessions for 3 client files" */
async function touchedText({ db }: Context, recall: Recall, owner: Owner): Promise<{ sessions: number; text: string }> {
  const sessions = await countOf(db, recall.id, owner);
  const files = await recalled.countFiles(db, sessionsIn(recall.id, owner));
  const text = `${countText(sessions, 'session')}${files > 0 ? ` for ${countText(files, 'client file')}` : ''}`;
  return { sessions, text };
}

const saysOf = (recall: Recall): string[] => {
  const { versions, fromDay, untilDay, byMaker, wrong, lookFor, severity } = recall;
  const until = untilDay === null ? 'on' : `to ${formatCalendarDay(untilDay)}`;
  return [
    `${byMaker ? 'The maker' : 'An administrator'} has recalled ${versionsText(versions)} of ${recall.toolName}, for sessions from ${formatCalendarDay(fromDay)} ${until}.`,
    `What may be wrong: ${wrong}`,
    `What to look for: ${lookFor}`,
    `How bad it may be – ${severityLabels[severity]}.`,
  ];
};

type Whom = { userId: string; heading: Heading; first: string; actionUrl: string; whose: string };

/** Once for each wording of the recall: sessions that come later stand in the list. */
const tellPerson = (inside: Context, recall: Recall, { userId, heading: title, first, actionUrl, whose }: Whom) =>
  notify(inside, {
    userId,
    title,
    message: `${first} ${recall.wrong}`,
    actionUrl,
    dedupeKey: `recall:${recall.id}:${recall.said}:${whose}`,
    mail: {
      kind: 'recall',
      always: true,
      paragraphs: [first, ...saysOf(recall), 'The list of sessions is shown after you sign in.'],
      actionLabel: 'See the sessions',
    },
  });

async function tellAdviser(inside: Context, recall: Recall, userId: string): Promise<void> {
  const { sessions, text } = await touchedText(inside, recall, { userId });
  if (sessions === 0) return;
  await tellPerson(inside, recall, {
    userId,
    heading: heading`${recall.toolName}: please look at ${countText(sessions, 'session')} again`,
    first: `It touches ${text} of yours.`,
    actionUrl: `/record/recalls?recall=${recall.id}`,
    whose: 'own',
  });
}

/** Tells owner, admins and reviewers, and names whoever has left. */
async function tellPractice(inside: Context, recall: Recall, teamId: string): Promise<void> {
  const { db } = inside;
  const found = await recordTeams.whoAnswersFor(db, teamId);
  const { sessions, text } = await touchedText(inside, recall, { teamId });
  if (!found || sessions === 0) return;
  const { team, userIds } = found;
  const users = await recalled.usersOf(db, await idsOf(db, recall.id, { teamId }));
  const people = [...(await recordTeams.whoIsWho(db, teamId, users)).values()];
  const gone = people.filter(({ leftAt, firstName }) => leftAt !== null || firstName === '');
  const names = gone.map(({ firstName, lastName }) => `${firstName} ${lastName}`.trim() || 'a former adviser');
  const left = names.length > 0 ? ` Some are of people who have left: ${names.join(', ')}.` : '';
  for (const userId of userIds)
    await tellPerson(inside, recall, {
      userId,
      heading: heading`${recall.toolName}: ${countText(sessions, 'session')} of ${team.name} to look at again`,
      first: `It touches ${text} in the record of ${team.name}.${left}`,
      actionUrl: `/record/recalls?team=${teamId}&recall=${recall.id}`,
      whose: teamId,
    });
}
