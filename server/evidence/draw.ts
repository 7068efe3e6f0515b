import { brand } from '#shared/brand.ts';
import { businessZone } from '#shared/rules/dates.ts';
import { purposeLabels } from '#shared/rules/record/record.ts';
import type { PackStatement } from '#server/record/service.ts';
import { ink, innerWidth, margin, newPdf, type PdfPage } from '#server/platform/pages/pdf-page.ts';
import type { PackAbout, PackContent, WrittenSession } from './pack-content.ts';
import { holdText, isHeld, marksIn, reviewedOf, versionsText, wasReviewed } from './pack-marks.ts';
import {
  answersOf,
  byHand,
  checksIn,
  decisionText,
  dueText,
  marksOf,
  meaningsFor,
  nameAmong,
  type NameIn,
  numberOf,
  otherVersion,
  periodOf,
  personText,
  practiceText,
  referenceIn,
  reviewText,
  signOffText,
  type Sum,
  touchText,
  waysToVerify,
} from './pack-words.ts';

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (timeZone: string) => {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-AU', {
      timeZone,
      timeZoneName: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    });
  formats.set(timeZone, known);
  return known;
};
/** An instant with its zone. */
const at = (date: Date, zone: string = businessZone) => formatOf(zone).format(date);

/** Room for the longest time with its zone in one line. */
const asideWidth = 122;
const bodyX = margin + asideWidth + 10;
const bodyWidth = innerWidth - asideWidth - 10;
const small = { size: 8, color: ink.muted } as const;

/** A pack to read: what it covers, its sessions in order, what the makers had said of their tools, reviews, and how to check it. */
export async function drawPack(content: PackContent, written: WrittenSession[], sum: Sum): Promise<Uint8Array> {
  const { about, sessions, statements, disclosures, people } = content;
  const who = new Map(people.map((person) => [person.id, person]));
  const nameIn = nameAmong(people);
  const page = await newPdf('Evidence pack', { author: brand.name, createdAt: about.madeAt });
  let y = head(page, { about, askedBy: who.get(about.askedById), sum, period: periodOf(sessions) }, [
    ['Sessions', String(sessions.length)],
    ['Reviewed', String(sessions.filter(({ checked }) => checked === true).length)],
    ['Not checked', String(sessions.filter(({ checked }) => checked === false).length)],
    ['Not reviewed', String(sessions.filter(({ checked }) => checked === null).length)],
    about.practice
      ? ['Signed off', String(written.filter(({ signOffs }) => signOffs.length > 0).length)]
      : ['Reviews in all', String(statements.length)],
  ]);
  y = howToRead(page, y, content, written);
  if (about.practice) y = whoIsWho(page, y, people);

  y = title(page, y, 'Sessions');
  if (sessions.length === 0) y += page.write('There are no sessions in what this pack covers.', margin, y) + 10;
  const said = new Map(disclosures.map((one) => [`${one.toolId} ${one.version}`, one]));
  for (const one of written) {
    const { userId, toolId } = one.session;
    const zone = who.get(userId)?.zone ?? businessZone;
    const adviser = about.practice ? nameIn(userId) : null;
    y = session(page, y, one, {
      adviser,
      zone,
      nameIn,
      warning: otherVersion(one.session.toolVersion, said.get(`${toolId} ${one.answers}`)),
      held: isHeld(content.holds, one.session.clientReference),
    });
  }

  const used = new Set(written.map(({ session, answers }) => `${session.toolId} ${answers}`));
  const stood = disclosures.filter(({ toolId, version }) => used.has(`${toolId} ${version}`));
  const nameOf = (toolId: string) => sessions.find((one) => one.toolId === toolId)?.toolName ?? toolId;
  y = title(page, y, 'Supplier due diligence at the time');
  if (stood.length === 0) y += page.write('The makers of these tools had given none by then.', margin, y) + 10;
  for (const { toolId, version, madeAt, answers } of stood) {
    y = page.makeRoom(y, 60);
    y += page.write(`${nameOf(toolId)}, answers ${version}, ${at(madeAt)}`, margin, y, { bold: true }) + 4;
    for (const [question, answer] of answersOf(answers)) y = pair(page, y, question, answer);
    y += 10;
  }
  if (about.practice) y = supervision(page, y, { content, written, nameOf, nameIn });
  howToVerify(page, y, about, sum);
  return page.finish(`${brand.name} evidence pack ${numberOf(about.id)} · ends in ${sum.head.slice(0, 16)}…`);
}

function whoIsWho(page: PdfPage, start: number, people: PackContent['people']): number {
  let y = title(page, start, 'Who is who');
  for (const person of people) y = pair(page, y, numberOf(person.id), personText(person));
  return y;
}

type Supervision = { content: PackContent; written: WrittenSession[] } & Record<
  'nameOf' | 'nameIn',
  (id: string) => string
>;

/** What the practice decided about these tools, how it reviewed them, and what it holds. */
function supervision(page: PdfPage, start: number, { content, written, nameOf, nameIn }: Supervision): number {
  const { about, decisions, reviews, holds, sessions } = content;
  let y = start;
  const entry = (when: Date, facts: string[], text: string) => {
    y = page.makeRoom(y, page.height(text, { width: bodyWidth }) + 26);
    page.write(at(when), margin, y, { ...small, width: asideWidth });
    y += page.write(facts.join(' · '), bodyX, y, { bold: true, width: bodyWidth }) + 1;
    y += page.write(text, bodyX, y, { width: bodyWidth }) + 8;
  };
  /** Names the tools of this pack that nothing was said of. */
  const without = (what: string, said: { toolId: string }[]) => {
    const known = new Set(said.map(({ toolId }) => toolId));
    const others = [...new Set(sessions.map(({ toolId }) => toolId))].filter((id) => !known.has(id)).map(nameOf);
    if (others.length > 0) y += page.write(`${what}: ${others.toSorted().join(', ')}.`, margin, y) + 8;
  };
  y = title(page, y, 'The practice’s tools, and what it decided');
  y += page.write('The last decision about each tool stands here, not earlier ones.', margin, y) + 8;
  for (const { toolName, decidedById, decidedAt, ...decision } of decisions)
    entry(decidedAt, [toolName, `by ${nameIn(decidedById)}`], decisionText(decision, { madeAt: about.madeAt, nameIn }));
  without('It has decided nothing about these tools of this pack', decisions);
  y = title(page, y, 'How the practice reviewed these tools');
  for (const review of reviews) {
    const { toolId, userId, nextDue, madeAt } = review;
    entry(
      madeAt,
      [
        nameOf(toolId),
        `by ${nameIn(userId)}`,
        reviewedOf(review, content.disclosures),
        ...(nextDue === null ? [] : [`next review due ${dueText(nextDue, about.madeAt)}`]),
      ],
      reviewText(review, nameIn, versionsText(review, content, written)),
    );
  }
  without('It has not reviewed these tools of this pack', reviews);
  y = title(page, y, 'Legal holds');
  if (holds.length === 0)
    y += page.write('The practice has held none of the client references in this pack.', margin, y) + 8;
  for (const hold of holds) {
    const text = holdText(hold, { at, nameIn });
    y = page.makeRoom(y, page.height(text) + 4);
    y += page.write(text, margin, y) + 6;
  }
  return y;
}

function title(page: PdfPage, start: number, text: string): number {
  const y = page.makeRoom(start + 8, 80);
  page.rule(y);
  return y + 12 + page.write(text, margin, y + 12, { tag: 'H2', bold: true, size: 13 }) + 6;
}

type Told = { about: PackAbout; askedBy: PackContent['people'][number] | undefined; sum: Sum; period: string };

function head(page: PdfPage, { about, askedBy, sum, period }: Told, figures: [string, string][]): number {
  page.write('Evidence pack', margin, margin, { tag: 'H1', bold: true, size: 24 });
  const half = innerWidth / 2;
  const right = { bold: true, size: 16, color: ink.accent, width: half, align: 'right' } as const;
  page.write(brand.name, margin + half, margin + 4, right);
  page.rule(margin + 44);
  let y = margin + 60;
  const fact = (label: string, value: string) => {
    y = pair(page, y, label, value);
  };
  const own = about.practice === null && askedBy ? personText(askedBy) : null;
  if (own) fact('Adviser', own);
  if (about.practice) fact('Practice', practiceText(about.practice));
  fact('Covers', [`${about.covers}.`, period].filter(Boolean).join(' '));
  fact('Requested', `${at(about.askedAt, askedBy?.zone)} by ${askedBy?.name ?? 'a closed account'}`);
  fact('Generated', at(about.madeAt, askedBy?.zone));
  fact('Pack', about.id);
  // Small enough for one line.
  y = pair(page, y, 'Final checksum', sum.head, 8.5);
  y += 8;
  const width = innerWidth / figures.length;
  for (const [index, [label, value]] of figures.entries()) {
    page.write(value, margin + index * width, y, { bold: true, size: 16, width });
    page.write(label, margin + index * width, y + 22, { ...small, width });
  }
  y += 46;
  const paragraphs = [
    'This pack lists each session with an AI tool: the adviser, the tool, how long it lasted, what it was for, and for which client reference. Below each session stands what the adviser said of the output, and each later change. A tool that was used elsewhere stands in it if the adviser recorded it by hand; use that nobody recorded is not in it. What was put into a tool, and what came out, is not kept.',
    'A session’s time is when it began. Each time is in the time zone of the adviser’s business. The CSV file has the same times in UTC, too.',
  ];
  for (const text of paragraphs) y += page.write(text, margin, y) + 6;
  return y;
}

/** A label, and what stands for it. */
function pair(page: PdfPage, start: number, label: string, value: string, size = 9.5): number {
  const style = { width: bodyWidth, size } as const;
  const y = page.makeRoom(start, page.height(value, style) + 5);
  const aside = page.write(label, margin, y, { ...small, width: asideWidth });
  return y + Math.max(aside, page.write(value, bodyX, y, style)) + 5;
}

/** What its words mean, and how many there are of what a reader has to look at. */
function howToRead(page: PdfPage, start: number, content: PackContent, written: WrittenSession[]): number {
  let y = title(page, start, 'What the words mean');
  for (const [word, meaning] of meaningsFor(content.about)) y = pair(page, y, word, meaning);
  y = title(page, y, 'What to look at');
  for (const [label, count] of marksIn(content, written)) y = pair(page, y, count, label);
  return y;
}

function howToVerify(page: PdfPage, start: number, about: PackAbout, sum: Sum): void {
  let y = title(page, start, 'How to verify this pack');
  for (const [way, text] of waysToVerify(about, sum)) y = pair(page, y, way, text);
}

const minutes = (seconds: number) => (seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

type Shown = { adviser: string | null; zone: string; warning: string | null; held: boolean; nameIn: NameIn };

function session(
  page: PdfPage,
  start: number,
  written: WrittenSession,
  { adviser, zone, warning, held, nameIn }: Shown,
): number {
  const { line, session: one, answers, statements, touches, signOffs } = written;
  const facts = [
    ...(adviser === null ? [] : [adviser]),
    one.purpose === null
      ? 'Purpose not given'
      : `${purposeLabels[one.purpose]}${one.purposeFrom === 'tool' ? ' (from the tool)' : ''}`,
    one.clientReference === null
      ? 'no client reference'
      : `client reference ${one.clientReference}${one.referenceFrom === 'tool' ? ' (from the tool)' : ''}`,
    ...(one.outside
      ? [byHand]
      : [
          one.toolVersion === null ? 'version not reported' : `version ${one.toolVersion}`,
          one.reports > 0 ? minutes(one.durationSeconds) : 'length not reported',
          warning ?? (answers === null ? 'no supplier due diligence' : `supplier due diligence ${answers}`),
        ]),
    ...(held ? ['legal hold'] : []),
  ]
    // Lines break between facts, not within a short one.
    .map((fact) => (fact.length < 30 ? fact.replaceAll(' ', '\u00a0') : fact))
    .join(' · ');
  const needed = 34 + statements.length * 15;
  let y = page.makeRoom(start, Math.min(needed, 200));
  const time = page.write(at(one.createdAt, zone), margin, y, { size: 8, width: asideWidth });
  page.write(`Line ${line}`, margin, y + time + 3, { ...small, width: asideWidth });
  y += page.write(one.toolName, bodyX, y, { bold: true, width: bodyWidth }) + 1;
  y += page.write(facts, bodyX, y, { size: 8.5, color: ink.muted, width: bodyWidth }) + 2;
  if (statements.length === 0) y += page.write('Not reviewed.', bodyX, y, { size: 8.5, width: bodyWidth }) + 1;
  const signed = signOffs.map((off) =>
    [
      `${at(off.madeAt, zone)}: Signed off by ${nameIn(off.userId)}.`,
      signOffText(off, { wasReviewed: wasReviewed(off.madeAt, statements), nameIn }),
    ].join(' '),
  );
  const looked = touches.map((touch) => `${touchText(touch)}.`);
  for (const text of [...statements.map((said) => stated(said, zone, nameIn)), ...looked, ...signed]) {
    const style = { size: 8.5, width: bodyWidth } as const;
    y = page.makeRoom(y, page.height(text, style) + 1);
    y += page.write(text, bodyX, y, style) + 1;
  }
  return y + 9;
}

function stated(statement: PackStatement, zone: string, nameIn: NameIn): string {
  const { madeAt, checked, remark, purpose, clientReference, redactedAt } = statement;
  const said = [
    ...(checked === null ? [] : [checked ? 'Output checked' : 'Output not checked']),
    ...(purpose === null ? [] : [`purpose: ${purposeLabels[purpose]}`]),
    ...(clientReference === null
      ? []
      : [
          clientReference === '' && redactedAt === null
            ? 'client reference taken back'
            : `client reference ${referenceIn(statement)}`,
        ]),
  ].join(', ');
  return [`${at(madeAt, zone)}: ${said}.`, checksIn(statement), ...marksOf(statement, nameIn), remark && `“${remark}”`]
    .filter(Boolean)
    .join(' ');
}
