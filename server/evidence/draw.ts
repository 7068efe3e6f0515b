import { brand } from '#shared/brand.ts';
import { purposeLabels } from '#shared/rules/record/record.ts';
import type { PackStatement } from '#server/record/service.ts';
import { ink, innerWidth, margin, newPdf, type PdfPage } from '#server/platform/pages/pdf-page.ts';
import { asideWidth, at, bodyWidth, bodyX, inLines, pair, small, title } from './draw-parts.ts';
import { supervision, whatMakersSaid } from './draw-supervision.ts';
import type { PackAbout, PackContent, WrittenSession } from './pack-content.ts';
import { introductionTo, meaningsFor, type Sum, waysToVerify } from './pack-explains.ts';
import { isHeld, marksIn, wasReviewed } from './pack-marks.ts';
import {
  byHand,
  checksIn,
  marksOf,
  nameAmong,
  type NameIn,
  numberOf,
  otherVersion,
  periodOf,
  personText,
  practiceText,
  referenceIn,
  remarkIn,
  signOffText,
  touchText,
} from './pack-words.ts';

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
      : ['Statements', String(statements.length)],
  ]);
  y = howToRead(page, y, content, written);
  if (about.practice) y = whoIsWho(page, y, people);

  y = title(page, y, 'Sessions', 180);
  if (sessions.length === 0) y += page.write('There are no sessions in what this pack covers.', margin, y) + 10;
  const said = new Map(disclosures.map((one) => [`${one.toolId} ${one.version}`, one]));
  for (const one of written) {
    const { userId, toolId } = one.session;
    const zone = who.get(userId)?.zone;
    const adviser = about.practice ? nameIn(userId) : null;
    y = session(page, y, one, {
      adviser,
      zone,
      nameIn,
      warning: otherVersion(one.session.toolVersion, said.get(`${toolId} ${one.answers}`)),
      held: isHeld(content.holds, one.session.clientReference),
    });
  }

  const nameOf = (toolId: string) => sessions.find((one) => one.toolId === toolId)?.toolName ?? toolId;
  y = whatMakersSaid(page, y, content, { written, nameOf });
  if (about.practice) y = supervision(page, y, { content, written, nameOf, nameIn });
  howToVerify(page, y, about, sum);
  return page.finish(
    `${brand.name} evidence pack ${numberOf(about.id)} · final checksum begins with ${sum.head.slice(0, 16)}`,
  );
}

function whoIsWho(page: PdfPage, start: number, people: PackContent['people']): number {
  let y = title(page, start, 'Who is who');
  for (const person of people) y = pair(page, y, numberOf(person.id), personText(person));
  return y;
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
  fact('Requested', `${at(about.askedAt)} by ${askedBy?.name ?? 'a closed account'}`);
  fact('Generated', at(about.madeAt));
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
  for (const text of introductionTo(about)) y += page.write(text, margin, y) + 6;
  return y;
}

/** What its words mean, and how many there are of what a reader has to look at. */
function howToRead(page: PdfPage, start: number, content: PackContent, written: WrittenSession[]): number {
  let y = title(page, start, 'What the words mean');
  for (const [word, meaning] of meaningsFor(content.about)) y = pair(page, y, word, meaning);
  y = title(page, y, 'What to look at');
  for (const mark of marksIn(content, written)) {
    const text = mark.join(': ');
    y = page.makeRoom(y, page.height(text) + 4);
    y += page.write(text, margin, y) + 4;
  }
  return y;
}

function howToVerify(page: PdfPage, start: number, about: PackAbout, sum: Sum): void {
  let y = title(page, start, 'How to verify this pack');
  for (const [way, text] of waysToVerify(about, sum)) y = pair(page, y, way, text);
}

/** A session that needs less, in points, stands on one page. */
const tallestWhole = 400;

const minutes = (seconds: number) => (seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

type Shown = {
  adviser: string | null;
  zone: string | undefined;
  warning: string | null;
  held: boolean;
  nameIn: NameIn;
};

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
    .map((fact) => (fact.length < 30 ? fact.replaceAll(' ', '\u00a0') : fact));
  const plain = { size: 8.5, width: bodyWidth } as const;
  const about = inLines(page, facts, plain);
  const signed = signOffs.map((off) =>
    [
      `${at(off.madeAt)}: Signed off by ${nameIn(off.userId)}.`,
      signOffText(off, { wasReviewed: wasReviewed(off.madeAt, statements), nameIn }),
    ].join(' '),
  );
  const texts = [
    ...(statements.length === 0 ? ['Not reviewed.'] : statements.map((said) => stated(said, zone, nameIn))),
    ...touches.map((touch) => `${touchText(touch)}.`),
    ...signed,
  ];
  const heights = [about, ...texts].map((text) => page.height(text, plain) + 1);
  const whole = heights.reduce((sum, height) => sum + height, 16);
  let y = page.makeRoom(start, whole < tallestWhole ? whole : tallestWhole / 4);
  const time = page.write(at(one.createdAt, zone), margin, y, { size: 8, width: asideWidth });
  page.write(`Line ${line}`, margin, y + time + 3, { ...small, width: asideWidth });
  y += page.write(one.toolName, bodyX, y, { bold: true, width: bodyWidth }) + 1;
  y += page.write(about, bodyX, y, { ...plain, color: ink.muted }) + 2;
  for (const text of texts) {
    y = page.makeRoom(y, page.height(text, plain) + 1);
    y += page.write(text, bodyX, y, plain) + 1;
  }
  return y + 9;
}

function stated(statement: PackStatement, zone: string | undefined, nameIn: NameIn): string {
  const { madeAt, checked, purpose, clientReference, redactedAt } = statement;
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
  return [`${at(madeAt, zone)}: ${said}.`, checksIn(statement), ...marksOf(statement, nameIn), remarkIn(statement)]
    .filter(Boolean)
    .join(' ');
}
