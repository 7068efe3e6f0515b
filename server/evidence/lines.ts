import { businessZone } from '#shared/rules/dates.ts';
import { packFormat } from '#shared/rules/record/evidence.ts';
import { purposeLabels } from '#shared/rules/record/record.ts';
import type { PackDisclosure, PackSignOff, PackStatement } from '#server/record/service.ts';
import type { packs } from '#server/usage/service.ts';
import type { newChain, PackLine } from './chain.ts';
import type { PackContent, WrittenSession } from './pack-content.ts';
import { holdText, isHeld } from './pack-holds.ts';
import { isAdvisers, wasReviewed } from './pack-marks.ts';
import { versionOf, versionsText } from './pack-reviews.ts';
import { sampleText } from './pack-samples.ts';
import { announcementText, decidedText, rulesOf, toolText } from './pack-tools.ts';
import {
  answersOf,
  byHandText,
  checksIn,
  counted,
  dueText,
  localTime,
  marksOf,
  nameAmong,
  type NameIn,
  otherVersion,
  personText,
  practiceText,
  recallText,
  reviewText,
  referenceIn,
  remarkIn,
  signOffText,
  touchText,
  yesNo,
} from './pack-words.ts';

/** The version of the maker's answers at the time; null where nothing was stated yet. */
export function answersAt(disclosures: PackDisclosure[], toolId: string, at: Date): number | null {
  const before = disclosures.filter((one) => one.toolId === toolId && one.madeAt <= at);
  return before.at(-1)?.version ?? null;
}

/** When something happened, in UTC and, of an adviser's own session, where they work; in Sydney else. */
type Times = (time: Date, adviserId?: string) => Pick<PackLine, 'Time (UTC)' | 'Local time'>;

const sessionLine = (
  session: packs.PackSession,
  answers: PackDisclosure | undefined,
  { own, isHeld, times }: { own: PackStatement[]; isHeld: boolean; times: Times },
): PackLine => ({
  Kind: 'Session',
  ...times(session.createdAt, session.userId),
  'Session ID': session.id,
  'Adviser ID': session.userId,
  'Tool ID': session.toolId,
  Tool: session.toolName,
  'Tool version': session.toolVersion,
  'Duration (seconds)': session.reports > 0 ? session.durationSeconds : null,
  Actions: session.reports > 0 ? session.actions : null,
  Purpose: session.purpose && purposeLabels[session.purpose],
  'Purpose from': session.purposeFrom,
  'Client reference': session.clientReference,
  'Reference from': session.referenceFrom,
  'Output checked': session.checked === null ? 'not reviewed' : yesNo(session.checked),
  'Tool answers': answers?.version ?? 'none',
  Details:
    [
      session.outside
        ? byHandText(own, (at) => `${times(at, session.userId)['Local time']}`)
        : otherVersion(session.toolVersion, answers),
      isHeld && 'legal hold',
    ]
      .filter(Boolean)
      .join('; ') || null,
});

const statementLine = (
  statement: PackStatement,
  { session, times, nameIn }: { session: packs.PackSession; times: Times; nameIn: NameIn },
): PackLine => ({
  Kind: 'Statement',
  ...times(statement.madeAt, session.userId),
  'Session ID': statement.sessionId,
  'Adviser ID': statement.userId,
  Purpose: statement.purpose && purposeLabels[statement.purpose],
  'Client reference': referenceIn(statement),
  'Output checked': statement.checked === null || !isAdvisers({ session }, statement) ? null : yesNo(statement.checked),
  Details:
    [checksIn(statement), ...marksOf(statement, { begunAt: session.createdAt, nameIn }), remarkIn(statement)]
      .filter(Boolean)
      .join(' ') || null,
});

const signOffLine = (signOff: PackSignOff, reviewed: boolean, times: Times, nameIn: NameIn): PackLine => ({
  Kind: 'Sign-off',
  ...times(signOff.madeAt),
  'Session ID': signOff.sessionId,
  'Adviser ID': signOff.userId,
  Details: signOffText(signOff, { wasReviewed: reviewed, nameIn }),
});

const sydneyTime = (time: Date) => localTime(time, businessZone);

/** Rows by their session. */
function bySession<Row extends { sessionId: string }>(rows: Row[]): Map<string, Row[]> {
  const grouped = new Map<string, Row[]>();
  for (const row of rows) grouped.set(row.sessionId, [...(grouped.get(row.sessionId) ?? []), row]);
  return grouped;
}

/** Writes every line but the heading, in the order of the file; returns the sessions with their lines. */
export function writeLines(
  content: PackContent,
  chain: ReturnType<typeof newChain>,
  write: (bytes: Buffer) => void,
): WrittenSession[] {
  const { about, sessions, statements, touches, signOffs, recalls, disclosures } = content;
  const { announcements, decided, holds, people } = content;
  const add = (line: PackLine) => write(chain.add(line));
  const [said, signed, touched] = [bySession(statements), bySession(signOffs), bySession(touches)];
  const names = new Map(sessions.map(({ toolId, toolName }) => [toolId, toolName]));
  const zones = new Map(people.map(({ id, zone }) => [id, zone]));
  const nameIn = nameAmong(people);
  const times: Times = (time, adviserId = '') => ({
    'Time (UTC)': time.toISOString(),
    'Local time': localTime(time, zones.get(adviserId) ?? businessZone),
  });
  add({
    Kind: 'Pack',
    ...times(about.madeAt),
    'Adviser ID': about.askedById,
    Details: `${packFormat} ${about.id}. ${about.covers}.`,
  });
  if (about.practice) add({ Kind: 'Practice', Details: practiceText(about.practice) });
  if (about.rules)
    for (const [rule, text] of rulesOf(about.rules, { decided, at: sydneyTime, nameIn }))
      add({ Kind: 'Practice', Details: `${rule}: ${text}` });
  for (const person of people) add({ Kind: 'Person', 'Adviser ID': person.id, Details: personText(person) });
  const answers = new Map(sessions.map((one) => [one.id, answersAt(disclosures, one.toolId, one.createdAt)]));
  const used = new Set(sessions.map((one) => `${one.toolId} ${answers.get(one.id)}`));
  for (const { toolId, version, answers, madeAt } of disclosures)
    if (used.has(`${toolId} ${version}`))
      add({
        Kind: 'Tool answers',
        ...times(madeAt),
        'Tool ID': toolId,
        Tool: names.get(toolId) ?? null,
        'Tool answers': version,
        Details: answersOf(answers)
          .map(([question, answer]) => `${question}: ${answer}`)
          .join(' | '),
      });
  for (const one of announcements)
    add({
      Kind: 'Announced change',
      ...times(one.announcedAt),
      'Tool ID': one.toolId,
      Tool: names.get(one.toolId) ?? null,
      Details: announcementText(one),
    });
  const written = sessions.map((session) => {
    const own = said.get(session.id) ?? [];
    const stood = answers.get(session.id) ?? null;
    const stated = disclosures.find(({ toolId, version }) => toolId === session.toolId && version === stood);
    add(sessionLine(session, stated, { own, isHeld: isHeld(holds, session.clientReference), times }));
    const line = chain.lines;
    for (const statement of own) add(statementLine(statement, { session, times, nameIn }));
    const recalled = touched.get(session.id) ?? [];
    for (const touch of recalled)
      add({
        Kind: 'Recalled',
        ...times(touch.foundAt),
        'Session ID': session.id,
        'Adviser ID': touch.lookedById,
        Details: touchText(touch),
      });
    const offs = signed.get(session.id) ?? [];
    for (const signOff of offs)
      add(signOffLine(signOff, wasReviewed(signOff.madeAt, { session, statements: own }), times, nameIn));
    return { line, session, answers: stood, statements: own, touches: recalled, signOffs: offs };
  });
  for (const recall of recalls)
    add({
      Kind: 'Recall',
      ...times(recall.createdAt),
      'Tool ID': recall.toolId,
      Tool: names.get(recall.toolId) ?? null,
      Details: recallText(recall),
    });
  writeSupervision(content, written, { add, times, names, nameIn });
  add({ Kind: 'End', Details: `${counted(sessions.length, 'session')}, ${counted(statements.length, 'statement')}` });
  return written;
}

type Written = { add: (line: PackLine) => void; times: Times; names: Map<string, string>; nameIn: NameIn };

/** What the practice decided about the tools, how it reviewed them, and what it holds. */
function writeSupervision(
  content: PackContent,
  written: WrittenSession[],
  { add, times, names, nameIn }: Written,
): void {
  const { about, decided, decisions, reviews, disclosures, samples, holds } = content;
  for (const one of decided)
    add({
      Kind: 'Decision',
      ...times(one.decidedAt),
      'Adviser ID': one.decidedById,
      'Tool ID': one.toolId,
      Tool: one.toolName,
      Details: decidedText(one),
    });
  for (const { toolId, toolName, ...tool } of decisions)
    add({ Kind: 'Tool', 'Tool ID': toolId, Tool: toolName, Details: toolText(tool, { madeAt: about.madeAt, nameIn }) });
  for (const review of reviews) {
    const { toolId, userId, disclosureVersion, nextDue, madeAt } = review;
    add({
      Kind: 'Review',
      ...times(madeAt),
      'Adviser ID': userId,
      'Tool ID': toolId,
      Tool: names.get(toolId) ?? null,
      'Tool version': versionOf(review, disclosures),
      'Tool answers': disclosureVersion ?? 'none',
      Details: [
        reviewText(review, nameIn, versionsText(review, content, written)),
        nextDue && `(next review of the tool due ${dueText(nextDue, about.madeAt)})`,
      ]
        .filter(Boolean)
        .join(' '),
    });
  }
  const nameOf = (toolId: string) => names.get(toolId) ?? toolId;
  for (const sample of samples)
    add({
      Kind: 'Sample',
      ...times(sample.drawnAt),
      'Adviser ID': sample.userId,
      'Tool ID': sample.toolId,
      Tool: sample.toolId && nameOf(sample.toolId),
      Details: sampleText(sample, { nameIn, nameOf, written }),
    });
  for (const hold of holds)
    add({
      Kind: 'Legal hold',
      ...times(hold.heldAt),
      'Adviser ID': hold.heldById,
      'Client reference': hold.clientReference,
      Details: holdText(hold, { at: sydneyTime, nameIn }),
    });
}
