import { type PackFailure, packFailureSentences, packYears } from '#shared/rules/evidence.ts';
import { notify } from '#server/notifications/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { PackRow } from './queries.ts';

type Asked = Pick<PackRow, 'id' | 'askedById' | 'teamId' | 'sessionsTotal'>;

const pageOf = ({ teamId }: Asked) => (teamId === null ? '/record/packs' : `/record/packs?team=${teamId}`);
const sessionsOf = ({ sessionsTotal }: Asked) =>
  sessionsTotal === 1 ? 'one session' : `${sessionsTotal.toLocaleString('en-AU')} sessions`;

const told = (context: Context, pack: Asked, title: string, message: string) =>
  notify(context, {
    userId: pack.askedById,
    type: 'system_alert',
    title,
    message,
    actionUrl: pageOf(pack),
    dedupeKey: `pack:${pack.id}`,
    mail: { kind: 'evidence-pack', subject: title, actionLabel: 'Open evidence packs' },
  });

/** Whoever asked may have left the page: they are told once that the files are there. */
export const tellMade = (context: Context, pack: Asked) =>
  told(
    context,
    pack,
    'Your evidence pack is ready',
    `It covers ${sessionsOf(pack)}, and can be downloaded for ${packYears} years.`,
  );

export const tellFailed = (context: Context, pack: Asked, failedFor: PackFailure) =>
  told(context, pack, 'Your evidence pack could not be made', packFailureSentences[failedFor]);
