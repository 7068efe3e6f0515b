import { brand } from '#shared/brand.ts';
import { day, formatCalendarDay, sydneyDate } from '#shared/rules/dates.ts';
import {
  answerText,
  type Disclosure,
  type Question,
  questionLabels,
  questions,
} from '#shared/rules/record/disclosure.ts';
import { redactedByUs } from '#shared/rules/record/record.ts';
import { formatAbn } from '#shared/rules/australia.ts';
import type { PackPerson, PackPractice } from '#shared/rules/record/evidence.ts';
import { versionsText } from '#shared/rules/record/recalls.ts';
import type { PackReview, PackSignOff, PackStatement } from '#server/record/service.ts';
import type { PackRecall, PackTouch } from '#server/recalls/service.ts';
import type { packs } from '#server/usage/service.ts';

/** "1 session", "2 sessions" */
export const counted = (count: number, one: string) =>
  `${count.toLocaleString('en-AU')} ${one}${count === 1 ? '' : 's'}`;

export type Found = { line?: number };
const mostLines = 20;

/** "3, in lines 4, 9 and 12"; a note stands before the lines. */
export function foundText(found: readonly Found[], note?: string): string {
  if (found.length === 0) return 'none';
  const lines = found.flatMap(({ line }) => line ?? []);
  const shown = lines.slice(0, mostLines).map(String);
  const more = lines.length - shown.length;
  const last = more > 0 ? `${more.toLocaleString('en-AU')} more` : shown.pop();
  const listed = shown.length > 0 ? `${shown.join(', ')} and ${last}` : last;
  const where = lines.length === 0 ? [] : [`in ${lines.length === 1 ? 'line' : 'lines'} ${listed}`];
  return [found.length.toLocaleString('en-AU'), ...(note ? [note] : []), ...where].join(', ');
}

export const yesNo = (checked: boolean) => (checked ? 'yes' : 'no');

type Redaction = Pick<PackStatement, 'redactedFor' | 'redactedAt' | 'redactedById'>;
type Line = Pick<PackStatement, 'madeAt' | 'late' | 'byFormer' | 'recallId' | 'recallFault'> & Redaction;
/** Names somebody by their id, as the pack's list of people does. */
export type NameIn = (id: string) => string;

/** The client reference of a review: null where it says nothing about it. */
export const referenceIn = ({ clientReference, redactedAt }: Pick<PackStatement, 'clientReference' | 'redactedAt'>) =>
  clientReference === '' ? (redactedAt === null ? 'taken back' : 'redacted') : clientReference;

/** "What was checked: Figures; Recommendations." */
export const checksIn = ({ checks }: Pick<PackStatement, 'checks'>) =>
  checks ? `What was checked: ${checks.join('; ')}.` : '';

/** A warning where the tool had another version than the maker's answers were about, or they name none. */
export const otherVersion = (used: string | null, said: { version: number; answers: Disclosure } | undefined) =>
  used !== null && said && said.answers.version !== used
    ? said.answers.version === null
      ? `supplier due diligence ${said.version} names no version`
      : `supplier due diligence ${said.version} is about version ${said.answers.version}, not ${used}`
    : null;

type Chance = Pick<PackSignOff, 'sampledFrom' | 'sampleId' | 'sampleSize' | 'sampleDrawnAt'>;

/** How a session came to be looked at. */
function chanceText({ sampledFrom, sampleId, sampleSize, sampleDrawnAt }: Chance): string {
  if (sampledFrom === null) return 'Chosen by the supervisor.';
  const from = counted(sampledFrom, 'session');
  if (sampleId === null)
    return `One of a sample from ${from}, as the supervisor said. ${brand.name} did not keep samples then.`;
  return sampleSize === null || sampleDrawnAt === null
    ? `One of a sample that ${brand.name} drew at random from ${from}.`
    : `One of ${sampleSize} that ${brand.name} drew at random from ${from} on ${formatCalendarDay(sydneyDate(sampleDrawnAt))}.`;
}

/** What a supervisor said of a session, and how it came to be looked at. */
export const signOffText = (
  one: Pick<PackSignOff, 'remark'> & Chance & Redaction,
  { wasReviewed, nameIn }: { wasReviewed: boolean; nameIn: NameIn },
): string =>
  [
    wasReviewed ? '' : 'The adviser had not reviewed it by then.',
    chanceText(one),
    ...redactionOf(one, nameIn),
    one.remark && `“${one.remark}”`,
  ]
    .filter(Boolean)
    .join(' ');

/** That the words of a line were taken out; nothing where they were not. */
export const redactionOf = ({ redactedFor, redactedAt, redactedById }: Redaction, nameIn: NameIn): string[] =>
  redactedAt === null
    ? []
    : [
        `[redacted on ${formatCalendarDay(sydneyDate(redactedAt))} by ${redactedById === null ? redactedByUs : nameIn(redactedById)}: ${redactedFor}]`,
      ];

/** What has to be known of a statement beside what it says. */
export const marksOf = (
  { madeAt, late, byFormer, recallId, recallFault, ...redaction }: Line,
  { begunAt, nameIn }: { begunAt: Date; nameIn: NameIn },
): string[] => [
  ...(recallId === null ? [] : [`[looked at again for recall ${numberOf(recallId)}: ${faultText(recallFault)}]`]),
  ...(late ? [`[late: made ${dayCount(wholeDays(begunAt, madeAt))} after the session began]`] : []),
  ...(byFormer ? ['[made after leaving the practice]'] : []),
  ...redactionOf(redaction, nameIn),
];

/** What an adviser remarked, apart from the words that were made around it. */
export const remarkIn = ({ remark }: Pick<PackStatement, 'remark'>) => (remark ? `“${remark}”` : '');

const faultText = (fault: boolean | null) => (fault ? 'something was wrong' : 'nothing wrong');
const wholeDays = (from: Date, to: Date) => Math.floor((to.getTime() - from.getTime()) / day);

/** Whether somebody has looked at a session again that a recall touches. */
export const touchText = ({ recallId, lookedAt, fault }: PackTouch): string =>
  `Recall ${numberOf(recallId)}: ${lookedAt === null ? 'nobody has looked at it again' : `looked at again on ${formatCalendarDay(sydneyDate(lookedAt))}, ${faultText(fault)}`}`;

/** What a recall says, as of when the pack was made. */
export const recallText = (recall: PackRecall): string =>
  [`${numberOf(recall.id)} of ${versionsText(recall.versions)}`, ...recallFacts(recall)].join(' | ');
export const recallFacts = (recall: PackRecall): string[] => [
  `sessions from ${formatCalendarDay(recall.fromDay)} ${recall.untilDay === null ? 'on' : `to ${formatCalendarDay(recall.untilDay)}`}`,
  recall.byMaker ? 'opened by the maker' : 'opened by an administrator',
  `severity ${recall.severity}`,
  `may be wrong: ${recall.wrong}`,
  `look for: ${recall.lookFor}`,
  recall.closedAt === null
    ? 'still open'
    : `closed on ${formatCalendarDay(sydneyDate(recall.closedAt))}: ${recall.closedFor}`,
];

/** "Harbour Advice, ABN 51 824 753 556, AFSL 234567" */
export const practiceText = ({ name, abn, afsl, dealerGroup }: PackPractice): string =>
  [
    name,
    ...(abn ? [`ABN ${formatAbn(abn)}`] : []),
    ...(afsl ? [`AFSL ${afsl}`] : []),
    ...(dealerGroup ? [`dealer group ${dealerGroup}, as its owner entered it`] : []),
  ].join(', ');

const dayOf = (instant: string) => formatCalendarDay(sydneyDate(new Date(instant)));

const registerNumber = 'Financial Advisers Register number';

/** "Mei Tan, mei@practice.example, Financial Advisers Register number 001234567, in the practice since 1 Nov 2026" */
export const personText = ({ name, email, adviserNumber, since, until, role }: PackPerson): string =>
  [
    name,
    ...(email ? [email] : []),
    adviserNumber ? `${registerNumber} ${adviserNumber}` : `no ${registerNumber} given`,
    ...(since ? [`in the practice since ${dayOf(since)}`] : []),
    ...(role ? [`its ${role} now`] : []),
    ...(until ? [`left it on ${dayOf(until)}`] : []),
  ].join(', ');

/** Of a session, and of a tool, from elsewhere. */
const byHand = `outside ${brand.name}, recorded by hand`;
/** With when it was: the first statement comes with the session. */
export const byHandText = ([first]: readonly PackStatement[], at: (time: Date) => string): string =>
  first ? `${byHand} on ${at(first.madeAt)}` : byHand;
export const fromElsewhere = 'a tool from elsewhere';

export const asSentence = (said: string) => ended(`${said.slice(0, 1).toUpperCase()}${said.slice(1)}`);
/** With a full stop, unless it ends with one. */
export const ended = (said: string) => (/[.!?]”?$/.test(said) ? said : `${said}.`);

export const reviewText = (one: Pick<PackReview, 'remark'> & Redaction, nameIn: NameIn, versions: string): string =>
  [...redactionOf(one, nameIn), one.remark && `“${one.remark}”`, versions].filter(Boolean).map(ended).join(' ');

/** Whether a day had passed when the pack was made. */
export const isOverdue = (due: string, madeAt: Date): boolean => due < sydneyDate(madeAt);

/** "26 Nov 2026, overdue when this pack was made" */
export const dueText = (due: string, madeAt: Date): string =>
  `${formatCalendarDay(due)}${isOverdue(due, madeAt) ? ', overdue when this pack was made' : ''}`;

/** The beginning of an id: tells apart people of one name. */
export const numberOf = (id: string) => id.slice(0, 8);

/** "Mei Tan (1fd69a73)", for each of these people. */
export function nameAmong(people: readonly PackPerson[]): NameIn {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return (id) => `${names.get(id) ?? 'Adviser'} (${numberOf(id)})`;
}

/** "2026-11-26 14:03 AEDT" */
export function localTime(time: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-AU', {
    timeZone: zone,
    timeZoneName: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(time);
  const of = (wanted: Intl.DateTimeFormatPartTypes) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')} ${of('timeZoneName')}`;
}

const labelOf = (question: Question) =>
  question === 'reviewedOn' ? 'The maker’s own review, last' : questionLabels[question];
const notGiven = 'not given';

/** What has to be known beside a maker's answer. */
const besideAnswer = ({ training }: Disclosure, question: Question) =>
  question === 'training' && training === 'only_if_agreed'
    ? `${brand.name} does not keep whether the practice agreed.`
    : null;

export const answersOf = (said: Disclosure): [question: string, answer: string][] =>
  questions.map((question) => {
    const answer = answerText(said, question)?.replace(/\n/g, '; ') ?? notGiven;
    const beside = besideAnswer(said, question);
    return [labelOf(question), beside === null ? answer : `${ended(answer)} ${beside}`];
  });

/** "from 1 Nov 2026 to 26 Nov 2026, Sydney time"; empty for all days. */
export function periodText(fromDay: string | null, toDay: string | null): string {
  const [first, last] = [fromDay, toDay].map((one) => one && formatCalendarDay(one));
  const period =
    first && last ? `from ${first} to ${last}` : first ? `from ${first} on` : last ? `up to and including ${last}` : '';
  return period && `${period}, Sydney time`;
}

type Narrowed = Pick<packs.PackScope, 'clientReference' | 'fromDay' | 'toDay'> & { recallId: string | null };

/** What a pack is narrowed to: `with File Note AI`, `from 1 Nov 2026 to 26 Nov 2026, Sydney time`. */
export const narrowedTo = ({ clientReference, fromDay, toDay, recallId }: Narrowed, tool: string | null): string[] =>
  [
    tool === null ? '' : `with ${tool}`,
    clientReference === null ? '' : `for client reference ${clientReference}`,
    recallId === null ? '' : `touched by recall ${numberOf(recallId)}`,
    periodText(fromDay, toDay),
  ].filter(Boolean);

/** What a pack covers, in one sentence. */
export function coversOf(
  scope: Narrowed,
  { practice, adviser, tool }: Record<'practice' | 'adviser' | 'tool', string | null>,
): string {
  const whose =
    practice === null
      ? 'All sessions of one adviser'
      : `All sessions of ${practice}${adviser === null ? '' : ` by ${adviser}`}`;
  return [whose, ...narrowedTo(scope, tool)].join(', ');
}

/** When the first and the last of its sessions began. */
export function periodOf(sessions: { createdAt: Date }[]): string {
  const days = sessions.map(({ createdAt }) => createdAt.getTime()).toSorted((a, b) => a - b);
  const [first, last] = [days[0], days.at(-1)].map((time) => time && formatCalendarDay(sydneyDate(new Date(time))));
  return first && last ? `The first began on ${first}, the last on ${last}.` : '';
}

export const dayCount = (days: number) => counted(days, 'day');
