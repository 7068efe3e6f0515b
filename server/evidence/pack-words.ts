import { brand } from '#shared/brand.ts';
import { formatCalendarDay, sydneyDate } from '#shared/rules/dates.ts';
import { answerText, type Disclosure, questionLabels, questions } from '#shared/rules/record/disclosure.ts';
import { redactedByUs } from '#shared/rules/record/record.ts';
import { formatAbn } from '#shared/rules/australia.ts';
import type { PackPerson, PackPractice } from '#shared/rules/record/evidence.ts';
import { versionsText } from '#shared/rules/record/recalls.ts';
import type { PackDecision, PackReview, PackSignOff, PackStatement } from '#server/record/service.ts';
import type { PackRecall, PackTouch } from '#server/recalls/service.ts';
import type { packs } from '#server/usage/service.ts';

export const yesNo = (checked: boolean) => (checked ? 'yes' : 'no');

type Redaction = Pick<PackStatement, 'redactedFor' | 'redactedAt' | 'redactedById'>;
type Line = Pick<PackStatement, 'clientReference' | 'late' | 'byFormer' | 'recallId' | 'recallFault'> & Redaction;
/** Names somebody by their id, as the pack's list of people does. */
export type NameIn = (id: string) => string;

/** The client reference of a review: null where it says nothing about it. */
export const referenceIn = ({ clientReference, redactedAt }: Pick<Line, 'clientReference' | 'redactedAt'>) =>
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

/** What a supervisor said of a session, and how it came to be looked at. */
export const signOffText = (
  one: Pick<PackSignOff, 'sampledFrom' | 'remark'> & Redaction,
  { wasReviewed, nameIn }: { wasReviewed: boolean; nameIn: NameIn },
): string =>
  [
    wasReviewed ? '' : 'The adviser had not reviewed it by then.',
    one.sampledFrom === null
      ? 'Chosen by the supervisor.'
      : `One of a sample drawn by chance from ${one.sampledFrom} sessions.`,
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

/** What has to be known of a review beside what it says. */
export const marksOf = ({ late, byFormer, recallId, recallFault, ...redaction }: Line, nameIn: NameIn): string[] => [
  ...(recallId === null ? [] : [`[looked at again for recall ${numberOf(recallId)}: ${foundText(recallFault)}]`]),
  ...(late ? ['[late]'] : []),
  ...(byFormer ? ['[made after leaving the practice]'] : []),
  ...redactionOf(redaction, nameIn),
];

const foundText = (fault: boolean | null) => (fault ? 'something was wrong' : 'nothing wrong');

/** Whether somebody has looked at a session again that a recall touches. */
export const touchText = ({ recallId, lookedAt, fault }: PackTouch): string =>
  `Recall ${numberOf(recallId)}: ${lookedAt === null ? 'nobody has looked at it again' : `looked at again on ${formatCalendarDay(sydneyDate(lookedAt))}, ${foundText(fault)}`}`;

/** What a recall says, as of when the pack was made. */
export const recallText = (recall: PackRecall): string =>
  [
    `${numberOf(recall.id)} of ${versionsText(recall.versions)}`,
    `sessions from ${formatCalendarDay(recall.fromDay)} ${recall.untilDay === null ? 'on' : `to ${formatCalendarDay(recall.untilDay)}`}`,
    recall.byMaker ? 'opened by the maker' : 'opened by an administrator',
    `severity ${recall.severity}`,
    `may be wrong: ${recall.wrong}`,
    `look for: ${recall.lookFor}`,
    recall.closedAt === null
      ? 'still open'
      : `closed on ${formatCalendarDay(sydneyDate(recall.closedAt))}: ${recall.closedFor}`,
  ].join(' | ');

/** "Harbour Advice, ABN 51 824 753 556, AFSL 234567" */
export const practiceText = ({ name, abn, afsl }: PackPractice): string =>
  [name, ...(abn ? [`ABN ${formatAbn(abn)}`] : []), ...(afsl ? [`AFSL ${afsl}`] : [])].join(', ');

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
export const byHand = `outside ${brand.name}, recorded by hand`;
export const fromElsewhere = 'a tool from elsewhere';

const ended = (said: string) => (/[.!?]$/.test(said) ? said : `${said}.`);

/** What a practice said when it reviewed a tool. */
export const reviewText = (one: Pick<PackReview, 'remark'> & Redaction, nameIn: NameIn, versions: string): string =>
  [...redactionOf(one, nameIn), one.remark, versions].filter(Boolean).map(ended).join(' ');

/** Whether a day had passed when the pack was made. */
export const isOverdue = (due: string, madeAt: Date): boolean => due < sydneyDate(madeAt);

/** "26 Nov 2026, overdue when this pack was made" */
export const dueText = (due: string, madeAt: Date): string =>
  `${formatCalendarDay(due)}${isOverdue(due, madeAt) ? ', overdue when this pack was made' : ''}`;

type Decided = Pick<
  PackDecision,
  'outside' | 'allowed' | 'reason' | 'reviewDue' | 'usedFor' | 'dataAllowed' | 'accountableId'
>;

/** What a practice says of a tool, and decided about it. */
export const decisionText = (
  { outside, allowed, reason, reviewDue, usedFor, dataAllowed, accountableId }: Decided,
  { madeAt, nameIn }: { madeAt: Date; nameIn: NameIn },
): string =>
  [
    `${allowed === null ? 'No decision' : allowed ? 'Allowed' : 'Not allowed'}${outside ? `, ${fromElsewhere}` : ''}`,
    ...(reason ? [`Reason: ${reason}`] : allowed === false ? ['No reason given'] : []),
    ...(usedFor ? [`Used for: ${usedFor}`] : []),
    ...(dataAllowed ? [`Data that may go in: ${dataAllowed}`] : []),
    accountableId ? `Accountable: ${nameIn(accountableId)}` : 'Nobody is named as accountable',
    reviewDue ? `Review due ${dueText(reviewDue, madeAt)}` : 'No review is due',
  ]
    .map(ended)
    .join(' ');

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

const notGiven = 'not given';

/** What a tool's maker said, question by question. */
export const answersOf = (said: Disclosure): [question: string, answer: string][] =>
  questions.map((question) => [questionLabels[question], answerText(said, question)?.replace(/\n/g, '; ') ?? notGiven]);

/** What a pack covers, in one sentence. */
export function coversOf(
  scope: Pick<packs.PackScope, 'clientReference' | 'fromDay' | 'toDay'> & { recallId: string | null },
  { practice, adviser, tool }: Record<'practice' | 'adviser' | 'tool', string | null>,
): string {
  const { clientReference, fromDay, toDay, recallId } = scope;
  const whose =
    practice === null
      ? 'All sessions of one adviser'
      : `All sessions of ${practice}${adviser === null ? '' : ` by ${adviser}`}`;
  const [first, last] = [fromDay, toDay].map((day) => day && formatCalendarDay(day));
  const period = first && last ? `from ${first} to ${last}` : first ? `from ${first} on` : last ? `until ${last}` : '';
  const days = period && `${period}, in Sydney’s time`;
  const narrowed = [
    tool === null ? '' : `with ${tool}`,
    clientReference === null ? '' : `for client reference ${clientReference}`,
    recallId === null ? '' : `touched by recall ${numberOf(recallId)}`,
    days,
  ].filter(Boolean);
  return [whose, ...narrowed].join(', ');
}

/** When the first and the last of its sessions began. */
export function periodOf(sessions: { createdAt: Date }[]): string {
  const days = sessions.map(({ createdAt }) => createdAt.getTime()).toSorted((a, b) => a - b);
  const [first, last] = [days[0], days.at(-1)].map((time) => time && formatCalendarDay(sydneyDate(new Date(time))));
  return first && last ? `The first began on ${first}, the last on ${last}.` : '';
}

/** What the reader compares: the chain's head, and how many lines the CSV has. */
export type Sum = { head: string; lines: number };

/** The words of a pack that a reader may not know. */
export const meaningsFor = ({ practice, lateAfterDays, checks }: PackMeans): [word: string, meaning: string][] => [
  ['Reviewed', 'The adviser said that they checked the output: “Output checked”.'],
  ['Not checked', 'The adviser said that they did not check the output: “Output not checked”.'],
  ['Not reviewed', 'The adviser has not said whether they checked the output.'],
  ...(practice === null ? [] : ofPractice(lateAfterDays, checks)),
  [
    '(from the tool)',
    'The tool sent this purpose or client reference. Without these words, the adviser entered it. Version and length come from the tool. A session outside Adviserly has neither: the adviser entered it by hand, and its time is their word.',
  ],
  [
    'Supplier due diligence',
    'What the tool’s maker, its supplier, said about it, as it stood when the session began. Each set of answers has a number. In the CSV: Tool answers.',
  ],
  ['Line', 'Where the session stands in the CSV file. What the adviser said of it follows there as Statement.'],
];
type PackMeans = { practice: PackPractice | null; lateAfterDays: number | null; checks: readonly string[] };
export const dayCount = (days: number | null) => (days === 1 ? '1 day' : `${days ?? 0} days`);
const ofPractice = (lateAfterDays: number | null, checks: readonly string[]): [string, string][] => [
  [
    'What was checked',
    `What the adviser ticked. The practice now offers${checks.length > 0 ? `: ${checks.join('; ')}` : ' nothing to tick'}. What they compared it with is not kept.`,
  ],
  [
    'Signed off',
    'The owner, an admin or a reviewer of the practice has looked at this record of the session, which is not the output. Nobody can sign off their own.',
  ],
  [
    'A sample',
    'The register drew it by chance from the sessions that the supervisor had chosen to see, reviewed or not. How many it drew is not kept.',
  ],
  [
    'Review (in the CSV)',
    'How the practice looked at a tool. What an adviser said of a session’s output is a Statement there.',
  ],
  ['Legal hold', 'Nothing about this client reference is deleted until the practice releases it.'],
  ['[late]', `Reviewed later than the practice then allowed. It now allows ${dayCount(lateAfterDays)}.`],
];

/** How a stranger verifies the files, with us and without us. */
export const waysToVerify = (
  { verifyUrl, stamps, practice }: { verifyUrl: string; stamps: boolean; practice: PackPractice | null },
  { lines }: Pick<Sum, 'lines'>,
): [way: string, text: string][] => [
  ['On our page', `Open ${verifyUrl} and choose the files there. They stay on your computer.`],
  ['The PDF', 'Compute its SHA-256. It has to be the one that the manifest has for it, at files, pdf, sha256.'],
  [
    'The CSV',
    `It has ${lines.toLocaleString('en-AU')} lines. The first is the heading. Each other line ends with a checksum, which depends on all lines before it. The last one is the final checksum on the first page. ${brand.name} has it on file.`,
  ],
  [
    'The CSV, without us',
    'Line by line, compute the SHA-256 of three things: the checksum of the line before (64 characters), a line feed, and the line without its last comma and what follows. The result has to be what follows that comma. For line 2, the checksum of the line before is the SHA-256 of the heading. Leave out the byte order mark at the start of the file (EF BB BF) and the CR LF that ends each line.',
  ],
  [
    'What this shows',
    `The final checksum covers the CSV, and the manifest alone covers the PDF. Nothing covers the manifest. A spreadsheet that saves the CSV anew changes it. Only ${brand.name}, or somebody who noted the final checksum at the time, can confirm that this CSV is the one that was issued.`,
  ],
  [
    'The time',
    stamps
      ? 'A time-stamping authority vouches for the final checksum (RFC 3161), once it has answered. With its file, and the certificate of the authority’s issuer: openssl ts -verify -digest CHECKSUM -in FILE.tsr -CAfile ISSUER.pem'
      : `No time-stamping authority vouches for this pack. When it was made, and when sessions and reviews happened, only ${brand.name} says.`,
  ],
  ...(practice === null
    ? []
    : ([
        [
          'The list of people',
          'It repeats “Who is who”, which stands in the CSV under its checksums. The file itself has none.',
        ],
      ] satisfies [string, string][])),
];
