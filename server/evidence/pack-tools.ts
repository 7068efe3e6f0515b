import { formatCalendarDay } from '#shared/rules/dates.ts';
import { announceable } from '#shared/rules/record/announcements.ts';
import { questionLabels } from '#shared/rules/record/disclosure.ts';
import { recordYears } from '#shared/rules/record/record.ts';
import type { forPacks, PackDecision } from '#server/record/service.ts';
import type { PackDecided, PackRules } from './pack-content.ts';
import { dayCount, dueText, ended, fromElsewhere, type NameIn } from './pack-words.ts';

/** What stands for a tool where a decision is about all that have none. */
export const undecidedTools = 'Tools not assessed';

const allowedText = (allowed: boolean) => (allowed ? 'Allowed' : 'Not allowed');

/** "Not allowed. Reason: It keeps recordings." */
export const decidedText = ({ allowed, reason, decidedById }: PackDecided): string =>
  [
    allowedText(allowed),
    ...(allowed ? [] : [reason ? `Reason: ${reason}` : 'No reason given']),
    ...(decidedById === null ? ['Who decided is not on file'] : []),
  ]
    .map(ended)
    .join(' ');

type Said = Pick<PackDecision, 'outside' | 'allowed' | 'reviewDue' | 'usedFor' | 'dataAllowed' | 'accountableId'>;

/** What a practice says of a tool. */
export const toolText = (
  { outside, allowed, reviewDue, usedFor, dataAllowed, accountableId }: Said,
  { madeAt, nameIn }: { madeAt: Date; nameIn: NameIn },
): string =>
  [
    `${allowed === null ? 'No decision' : allowedText(allowed)}${outside ? `, ${fromElsewhere}` : ''}`,
    ...(usedFor ? [`Used for: ${usedFor}`] : []),
    ...(dataAllowed ? [`Data that may go in: ${dataAllowed}`] : []),
    accountableId ? `Accountable: ${nameIn(accountableId)}` : 'Nobody is named as accountable',
    reviewDue ? `Next review of the tool due ${dueText(reviewDue, madeAt)}` : 'No review of the tool is due',
  ]
    .map(ended)
    .join(' ');

/** Whether members might use a tool then. */
export function wasAllowed(
  decided: readonly PackDecided[],
  { newToolsAllowed }: Pick<PackRules, 'newToolsAllowed'>,
  { toolId, createdAt }: { toolId: string; createdAt: Date },
): boolean {
  const lastBy = (id: string | null) => decided.findLast((one) => one.toolId === id && one.decidedAt <= createdAt);
  // A practice begins with every tool allowed.
  const atFirst = decided.some((one) => one.toolId === null) || newToolsAllowed;
  return (lastBy(toolId) ?? lastBy(null))?.allowed ?? atFirst;
}

/** What a practice asks of its advisers, and how long the record is kept. */
export const rulesOf = (rules: PackRules): [rule: string, text: string][] => [
  [
    undecidedTools,
    rules.newToolsAllowed ? 'Members may use them, unless the practice stops one.' : 'Members may not use them.',
  ],
  [
    'Opening a tool',
    rules.needsClient
      ? 'The practice’s tools open only for a client reference and a purpose.'
      : 'The practice’s tools open without a client reference, too.',
  ],
  [
    'Late statements',
    `A statement is late more than ${dayCount(rules.lateAfterDays)} after its session. ${
      rules.refusesLate
        ? 'Late ones are refused. So are those of people who have left.'
        : 'Late ones are taken, and marked as late.'
    }`,
  ],
  [
    'How long',
    `The record is kept for ${recordYears} years. What a legal hold is on is kept until the practice releases it.`,
  ],
];

/** "On 3 Dec 2026. Version: 2026.12. It mends a fault. “Better tables.”" */
export const announcementText = ({ onDay, mends, note, ...change }: forPacks.AnnouncementRow): string =>
  [
    `On ${formatCalendarDay(onDay)}`,
    ...announceable.flatMap((about) => {
      const text = change[about];
      return text === null ? [] : [`${questionLabels[about]}: ${text.replaceAll('\n', '; ')}`];
    }),
    ...(mends ? ['It mends a fault'] : []),
    ...(note ? [`“${note}”`] : []),
  ]
    .map(ended)
    .join(' ');
