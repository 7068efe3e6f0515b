import { brand } from '#shared/brand.ts';
import { audit } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import { subjectOf } from '#server/payers/service.ts';
import { administratorIds } from '#server/people/service.ts';
import type { Context } from '#server/platform/context.ts';
import { namesById } from '../people/queries-names.ts';
import { type About, asStored } from './act-kind.ts';
import type { ActRow } from './queries.ts';

const otherAdministrators = async ({ db, caller }: Context) =>
  (await administratorIds(db)).filter((id) => id !== caller?.actorId);

/** Notes that the act was asked for, and tells the other administrators, in the app and by mail, that it waits for one of them. */
export async function tellOthers(inside: Context, act: ActRow, { what, subject, trail }: About): Promise<void> {
  const { kind, reason, askedBy } = act;
  await audit(inside, 'admin.approval_asked', { ...subjectOf(subject), after: { kind, ...trail, reason } });
  const { id } = asStored(subject);
  const names = await namesById(inside.db, [askedBy, id]);
  const sentence = `${names.get(askedBy) ?? 'An administrator'} asks to ${what(names.get(id) ?? 'somebody')}.`;
  for (const userId of await otherAdministrators(inside))
    await notify(inside, {
      userId,
      type: 'system_alert',
      title: 'A second administrator is needed',
      message: sentence,
      actionUrl: '/admin',
      dedupeKey: `approval:${act.id}`,
      mail: {
        kind: 'approval-waits',
        subject: `${brand.name}: a second administrator is needed`,
        paragraphs: [
          sentence,
          `The reason: ${reason}`,
          'Ask them before you approve it, another way than by email. It waits for a week.',
        ],
        actionLabel: 'Open approvals',
      },
    });
}

/** What an administrator is told whose request waits. */
export const waitsFor = async (context: Context): Promise<string> =>
  (await otherAdministrators(context)).length > 0
    ? 'It waits for a second administrator, who was told by email.'
    : 'It waits for a second administrator, and there is none yet: make somebody one, who can approve it after a day.';
