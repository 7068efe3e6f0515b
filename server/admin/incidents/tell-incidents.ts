import type { Incident } from '#shared/api/operators/oversight.ts';
import { hour, sydneyDate } from '#shared/rules/dates.ts';
import { notify } from '#server/notifications/service.ts';
import { administratorIds } from '#server/people/service.ts';
import { heading } from '#server/platform/mail-subject.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, tryLock } from '#server/platform/data/database.ts';
import { listIncidents } from './incident-list.ts';
import { lastTold, noteTold } from './queries-incidents.ts';

/** How many incidents one mail names; the rest are only counted. */
const named = 10;

/** A scheduled job that keeps failing is a new job each time, so it is reported only once a day. */
const keyOf = ({ id, kind, name, about, failedAt }: Incident) =>
  kind === 'job' && about === null ? `${name} ${sydneyDate(failedAt)}` : id;

const sentenceOf = ({ title, who, toolName, error, nextStep }: Incident) => {
  const whose = [who?.name, toolName].filter(Boolean).join(', ');
  return `${title}${whose && ` (${whose})`}: ${error ?? 'no reason was recorded'}. ${nextStep}`;
};

/**
 * Tells every administrator of new incidents: at once, but for an hour after a mail, newer ones wait for the next. They are noted as told
 * in the transaction that tells of them, so that replicas and restarts neither repeat nor lose one. A dispute has a mail of its own when
 * it is opened.
 */
export async function tellIncidents(context: Context): Promise<void> {
  const incidents = (await listIncidents(context)).incidents.filter(({ name }) => !name.startsWith('charge.dispute.'));
  if (incidents.length === 0) return;
  await transaction(context.db, async (tx) => {
    // One replica at a time.
    if (!(await tryLock(tx, 'tell-incidents'))) return;
    const now = context.now();
    const last = await lastTold(tx);
    // Absolute, since another replica's clock may be a little ahead of ours.
    if (last !== null && Math.abs(now.getTime() - last.getTime()) < hour) return;
    const isNew = await noteTold(tx, incidents.map(keyOf), now);
    const fresh = incidents.filter((incident) => isNew.has(keyOf(incident)));
    if (fresh.length === 0) return;
    const [first] = fresh;
    const title =
      fresh.length === 1 ? heading`Incident: ${first!.title}` : heading`${String(fresh.length)} new incidents`;
    const rest = fresh.length - named;
    for (const userId of await administratorIds(tx))
      await notify(within(context, tx), {
        userId,
        title,
        message: fresh.length === 1 ? sentenceOf(first!) : `The newest: ${sentenceOf(first!)}`,
        actionUrl: '/admin/today',
        dedupeKey: `incidents:${now.toISOString()}`,
        mail: {
          kind: 'incidents',
          paragraphs: [...fresh.slice(0, named).map(sentenceOf), ...(rest > 0 ? [`And ${rest} more.`] : [])],
          actionLabel: 'Open Incidents',
          footer: 'You’re receiving this because you are an administrator. We send at most one such email an hour.',
        },
      });
  });
}
