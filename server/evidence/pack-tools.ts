import { brand } from '#shared/brand.ts';
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
    `Reason: ${reason || 'not given'}`,
    ...(decidedById === null ? ['Who decided is not on file'] : []),
  ]
    .map(ended)
    .join(' ');

type Said = Pick<
  PackDecision,
  'outside' | 'allowed' | 'isReviewed' | 'reviewDue' | 'usedFor' | 'dataAllowed' | 'accountableId'
>;

/** What a practice says of a tool. */
export const toolText = (
  { outside, allowed, isReviewed, reviewDue, usedFor, dataAllowed, accountableId }: Said,
  { madeAt, nameIn }: { madeAt: Date; nameIn: NameIn },
): string =>
  [
    `${allowed === null ? 'No decision' : allowedText(allowed)}${outside ? `, ${fromElsewhere}` : ''}`,
    ...(usedFor ? [`Used for: ${usedFor}`] : []),
    ...(dataAllowed ? [`Data that may go in: ${dataAllowed}`] : []),
    accountableId ? `Accountable: ${nameIn(accountableId)}` : 'Nobody is named as accountable',
    reviewDue
      ? `${isReviewed ? 'Next' : 'First'} review of the tool due ${dueText(reviewDue, madeAt)}`
      : 'No review of the tool is due',
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

const mayUse = (allowed: boolean) => (allowed ? 'Members may use them' : 'Members may not use them');

type Told = { decided: readonly PackDecided[]; at: (time: Date) => string; nameIn: NameIn };

/** Since when the rule about tools not assessed holds, who set it, and what held before. */
function sinceText(allowedNow: boolean, { decided, at, nameIn }: Told): string {
  const all = decided.filter(({ toolId }) => toolId === null);
  // An entry that says what held already changes nothing.
  const changes = all.filter(({ allowed }, index) => allowed !== all[index - 1]?.allowed);
  const none = 'No change of this rule is on file.';
  if (changes.length === 0) return allowedNow ? `${none} Every practice on ${brand.name} begins with it.` : none;
  const whose = ({ decidedAt, decidedById }: PackDecided) =>
    `${at(decidedAt)}, set by ${decidedById === null ? 'somebody who is not on file' : nameIn(decidedById)}`;
  const earlier = changes.slice(0, -1).map((one) => `${mayUse(one.allowed)}, since ${whose(one)}`);
  return [
    `The rule holds since ${whose(changes.at(-1)!)}.`,
    ...earlier.toReversed().map((text) => `Before that: ${text}.`),
    'Before the first of these, members might use them.',
  ].join(' ');
}

/** What a practice asks of its advisers, and how long the record is kept. */
export const rulesOf = (rules: PackRules, told: Told): [rule: string, text: string][] => [
  [
    undecidedTools,
    `${mayUse(rules.newToolsAllowed)}${rules.newToolsAllowed ? ', unless the practice stops one' : ''}. ${sinceText(rules.newToolsAllowed, told)}`,
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
    `The record is kept for ${recordYears} years. While a client reference is under a legal hold, nothing about it is deleted, however old it is.`,
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
