import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { developersApi } from '#shared/api/developers.ts';
import { day, plus, sydneyDate, formatCalendarDay } from '#shared/rules/dates.ts';
import { announceable, differencesFrom, differenceText, noticeDays } from '#shared/rules/record/announcements.ts';
import { audit } from '#server/audit/service.ts';
import { findTool, toolName, type ToolRow } from '#server/catalogue/service.ts';
import { notify } from '#server/notifications/service.ts';
import { forAdministrators } from '#server/subscriptions/service.ts';
import { recordTeams } from '#server/teams/service.ts';
import { peopleKnown, sendOwnEvent } from '#server/tools/service.ts';
import { recalled } from '#server/usage/service.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { heading } from '#server/platform/mail-subject.ts';
import { paged } from '#server/platform/data/database.ts';
import type { Context } from '#server/platform/context.ts';
import { findDisclosure } from './queries.ts';
import {
  type AnnouncementRow,
  announcementsOf,
  announcementsToTell,
  findAnnouncement,
  insertAnnouncement,
  knownVersions,
  noteAnnounced,
} from './queries-announcements.ts';

export const announceJob = 'tell-announcement';
/** How far back versions are shown. */
const versionDays = 730;

/** Announces what will change about a published tool, in the caller's transaction, which has locked it; everybody who uses it is told. */
export async function announce(
  inside: Context,
  tool: Pick<ToolRow, 'id' | 'isActive'>,
  announcedById: string,
  said: Input<typeof developersApi.announce>['body'],
): Promise<{ id: string }> {
  if (!tool.isActive) throw new AppError('nobody_to_tell');
  const now = inside.now();
  const first = sydneyDate(plus(now, said.mends ? 0 : noticeDays * day));
  if (said.onDay < first)
    throw fieldError(
      'onDay',
      said.mends
        ? 'This day is over'
        : `Please give ${noticeDays} days’ notice: ${formatCalendarDay(first)} or later, unless it mends a fault`,
    );
  const what = Object.fromEntries(announceable.map((about) => [about, said[about] || null]));
  const { id } = await insertAnnouncement(inside.db, {
    ...said,
    ...what,
    toolId: tool.id,
    announcedById,
    announcedAt: now,
  });
  await audit(inside, 'tool.change_announced', { tool: tool.id, after: { announcement: id, onDay: said.onDay } });
  const { version, model, dataLocation, subProcessors } = what;
  const changes = { version, model, data_location: dataLocation, sub_processors: subProcessors };
  const details = { announcement_id: id, ...changes, note: said.note, on_day: said.onDay, mends_fault: said.mends };
  await sendOwnEvent(inside, tool.id, { type: 'tool.changed', details });
  await inside.queue.send(inside.db, announceJob, { id });
  return { id };
}

/** What was announced, and the versions in use, for the maker or an administrator, who has been admitted. */
export async function announcementsFor(
  { db, now }: Context,
  toolId: string,
): Promise<Reply<typeof developersApi.announcements>> {
  if (!(await findTool(db, toolId))) throw new AppError('tool_not_found');
  const used = await recalled.versionsOf(db, toolId, plus(now(), -versionDays * day));
  const known = await knownVersions(db, [toolId]);
  return {
    versions: used.map((one) => ({ ...one, announced: known.has(`${toolId} ${one.version}`) })),
    announcements: (await announcementsOf(db, [toolId])).toReversed(),
  };
}

/** A job that finds its work by state. */
export async function tellAnnouncements(context: Context): Promise<void> {
  for (const id of await announcementsToTell(context.db))
    await context.queue.send(context.db, announceJob, { id }, { singletonKey: id });
}

/** A job: tells everybody who uses the tool, once: owners, admins and reviewers of practices that have it, and advisers. Safe to run twice. */
export async function tellAnnouncement(context: Context, id: string): Promise<void> {
  const { db } = context;
  const row = await findAnnouncement(db, id);
  if (!row || row.toldAt !== null) return;
  const news = await newsOf(context, row);
  for await (const teamId of eachOf((after, limit) =>
    forAdministrators.holdersOf(db, row.toolId, 'team', after, limit),
  ))
    for (const userId of (await recordTeams.whoAnswersFor(db, teamId))?.userIds ?? [])
      await tell(context, row, news, userId, `/teams?team=${teamId}&tab=record`);
  const page = `/tools/${encodeURIComponent(row.toolId)}`;
  for await (const userId of eachOf((after, limit) =>
    forAdministrators.holdersOf(db, row.toolId, 'user', after, limit),
  ))
    await tell(context, row, news, userId, page);
  for await (const userId of eachOf((after, limit) => peopleKnown(db, row.toolId, after, limit)))
    await tell(context, row, news, userId, page);
  await noteAnnounced(db, id, context.now());
}

const eachOf = (read: (after: string | null, limit: number) => Promise<string[]>) => paged(read, (id) => id);

type News = { name: string; first: string; lines: string[] };

async function newsOf({ db }: Context, row: AnnouncementRow): Promise<News> {
  const name = await toolName(db, row.toolId);
  const answers = (await findDisclosure(db, row.toolId))?.answers ?? null;
  const said = announceable.flatMap((about) => {
    const [one] = differencesFrom(answers, null, [row]).filter((difference) => difference.about === about);
    return one ? [`${differenceText(one)}.`] : [];
  });
  const why = row.mends ? ' It mends a fault.' : '';
  return {
    name,
    first: `The maker of ${name} will change it on ${formatCalendarDay(row.onDay)}.${why}`,
    lines: [...said, ...(row.note ? [row.note] : [])],
  };
}

/** In one mail each, whoever they are to the tool. */
function tell(context: Context, row: AnnouncementRow, { name, first, lines }: News, userId: string, actionUrl: string) {
  const isPractice = actionUrl.startsWith('/teams');
  return notify(context, {
    userId,
    title: heading`${name} will change`,
    message: [first, ...lines].join(' '),
    actionUrl,
    dedupeKey: `tool-announcement:${row.id}`,
    mail: {
      kind: 'tool-announcement',
      paragraphs: [
        first,
        ...lines,
        isPractice
          ? 'Your register shows what differs from what you reviewed. There you can keep allowing it, review it again or stop it.'
          : 'What the maker says about it is on its page.',
      ],
      actionLabel: isPractice ? 'Open the register' : 'See the tool',
    },
  });
}
