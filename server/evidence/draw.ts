import { brand } from '#shared/brand.ts';
import { businessZone, formatCalendarDay } from '#shared/rules/dates.ts';
import { purposeLabels } from '#shared/rules/record/record.ts';
import type { PackStatement } from '#server/record/service.ts';
import { ink, innerWidth, margin, newPdf, type PdfPage } from '#server/platform/pages/pdf-page.ts';
import type { PackAbout, PackContent, WrittenSession } from './lines.ts';
import {
  answersOf,
  byHand,
  checksIn,
  decisionText,
  marksOf,
  nameAmong,
  type NameIn,
  numberOf,
  otherVersion,
  personText,
  practiceText,
  referenceIn,
  redactionOf,
  signOffText,
  touchText,
} from './pack-words.ts';

/** What the reader compares: the chain's head, and how many lines the CSV has. */
export type Sum = { head: string; lines: number };

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

const counted = (number: number, one: string) => `${number.toLocaleString('en-AU')} ${one}${number === 1 ? '' : 's'}`;

/** A pack to read: what it covers, its sessions in order, what the makers had said of their tools, reviews, and how to check it. */
export async function drawPack(
  { about, sessions, statements, disclosures, reviews, decisions, people }: PackContent,
  written: WrittenSession[],
  sum: Sum,
): Promise<Uint8Array> {
  const who = new Map(people.map((person) => [person.id, person]));
  const nameIn = nameAmong(people);
  const page = await newPdf('Evidence pack', { author: brand.name, createdAt: about.madeAt });
  let y = head(page, { about, askedBy: who.get(about.askedById) }, sum, [
    ['Sessions', String(sessions.length)],
    ['Reviewed', String(sessions.filter(({ checked }) => checked === true).length)],
    ['Not checked', String(sessions.filter(({ checked }) => checked === false).length)],
    ['Not reviewed', String(sessions.filter(({ checked }) => checked === null).length)],
    about.practice
      ? ['Signed off', String(written.filter(({ signOffs }) => signOffs.length > 0).length)]
      : ['Reviews in all', String(statements.length)],
  ]);

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
    for (const [question, answer] of answersOf(answers)) {
      y = page.makeRoom(y, page.height(answer, { width: bodyWidth }) + 4);
      const label = page.write(question, margin, y, { ...small, width: asideWidth });
      y += Math.max(label, page.write(answer, bodyX, y, { width: bodyWidth })) + 3;
    }
    y += 10;
  }
  if (about.practice) supervision(page, y, { decisions, reviews, nameOf, nameIn });
  return page.finish(`${brand.name} evidence pack ${numberOf(about.id)} · ends in ${sum.head.slice(0, 16)}…`);
}

function whoIsWho(page: PdfPage, start: number, people: PackContent['people']): number {
  let y = title(page, start, 'Who is who');
  for (const person of people) {
    const text = personText(person);
    y = page.makeRoom(y, page.height(text, { width: bodyWidth }) + 4);
    page.write(numberOf(person.id), margin, y, { ...small, width: asideWidth });
    y += page.write(text, bodyX, y, { width: bodyWidth }) + 3;
  }
  return y;
}

type Supervision = Pick<PackContent, 'decisions' | 'reviews'> & Record<'nameOf' | 'nameIn', (id: string) => string>;

/** What the practice decided about these tools, and how it reviewed them. */
function supervision(page: PdfPage, start: number, { decisions, reviews, nameOf, nameIn }: Supervision): number {
  let y = start;
  const entry = (when: Date, facts: string[], text: string) => {
    y = page.makeRoom(y, page.height(text, { width: bodyWidth }) + 26);
    page.write(at(when), margin, y, { ...small, width: asideWidth });
    y += page.write(facts.join(' · '), bodyX, y, { bold: true, width: bodyWidth }) + 1;
    y += page.write(text, bodyX, y, { width: bodyWidth }) + 8;
  };
  y = title(page, y, 'The practice’s tools, and what it decided');
  if (decisions.length === 0) y += page.write('It decided nothing about these tools.', margin, y) + 10;
  for (const { toolName, decidedById, decidedAt, ...decision } of decisions)
    entry(decidedAt, [toolName, `by ${nameIn(decidedById)}`], decisionText(decision, nameIn));
  y = title(page, y, 'How the practice reviewed these tools');
  if (reviews.length === 0) y += page.write('There are no reviews of these tools.', margin, y) + 10;
  for (const { toolId, userId, remark, disclosureVersion, nextDue, madeAt, ...redaction } of reviews)
    entry(
      madeAt,
      [
        nameOf(toolId),
        `by ${nameIn(userId)}`,
        disclosureVersion === null ? 'without supplier due diligence' : `supplier due diligence ${disclosureVersion}`,
        ...(nextDue === null ? [] : [`next due ${formatCalendarDay(nextDue)}`]),
      ],
      [...redactionOf(redaction, nameIn), remark].filter(Boolean).join(' '),
    );
  return y;
}

function title(page: PdfPage, start: number, text: string): number {
  const y = page.makeRoom(start + 8, 80);
  page.rule(y);
  return y + 12 + page.write(text, margin, y + 12, { tag: 'H2', bold: true, size: 13 }) + 6;
}

type Told = { about: PackAbout; askedBy: PackContent['people'][number] | undefined };

function head(page: PdfPage, { about, askedBy }: Told, { head, lines }: Sum, figures: [string, string][]): number {
  page.write('Evidence pack', margin, margin, { tag: 'H1', bold: true, size: 24 });
  const half = innerWidth / 2;
  const right = { bold: true, size: 16, color: ink.accent, width: half, align: 'right' } as const;
  page.write(brand.name, margin + half, margin + 4, right);
  page.rule(margin + 44);
  let y = margin + 60;
  const fact = (label: string, value: string) => {
    page.write(label, margin, y, { ...small, width: asideWidth });
    y += page.write(value, bodyX, y, { width: bodyWidth }) + 5;
  };
  const own = about.practice === null && askedBy ? personText(askedBy) : null;
  if (own) fact('Adviser', own);
  if (about.practice) fact('Practice', practiceText(about.practice));
  fact('Covers', `${about.covers}. Days are those of Sydney.`);
  fact('Requested', `${at(about.askedAt, askedBy?.zone)} by ${askedBy?.name ?? 'a closed account'}`);
  fact('Generated', at(about.madeAt, askedBy?.zone));
  fact('Pack', about.id);
  y += 8;
  const width = innerWidth / figures.length;
  for (const [index, [label, value]] of figures.entries()) {
    page.write(value, margin + index * width, y, { bold: true, size: 16, width });
    page.write(label, margin + index * width, y + 22, { ...small, width });
  }
  y += 46;
  const paragraphs = [
    `This pack records each session on ${brand.name}: which tool, how long, what it was for, and whether the adviser reviewed the output, with every correction; sessions with tools from elsewhere are recorded by hand. It has the supplier’s due diligence as it stood when the session began. It does not hold what was put into a tool, nor what came out. Times are those of each adviser’s business, with their zone; the CSV has them in UTC, too.`,
    `The CSV file of this pack has ${counted(lines, 'line')}. Every line carries a checksum (SHA-256) of itself and the checksum before it, so changing any line changes the final checksum, which ${brand.name} has on file:`,
  ];
  for (const text of paragraphs) y += page.write(text, margin, y) + 6;
  y += page.write(head, margin, y, { bold: true, size: 10 }) + 6;
  const ways = [
    `To verify the files, open ${about.verifyUrl} and choose them there. They stay on your computer.`,
    'To verify the CSV without us, compute for each line the SHA-256 of three things: the 64 characters of the line before’s checksum, a line feed, and the line up to its last comma. It is the line’s last cell. The heading has no checksum: for line 2, take the SHA-256 of the heading. Leave out the byte order mark at the start of the file (EF BB BF) and the CR LF that ends each line.',
    ...(about.stamps
      ? [
          'A time-stamping authority vouches for the final checksum (RFC 3161), once it has answered. With its file, and the certificate of the authority’s issuer: openssl ts -verify -digest CHECKSUM -in FILE.tsr -CAfile ISSUER.pem',
        ]
      : []),
  ];
  for (const text of ways) y += page.write(text, margin, y) + 6;
  return y;
}

const minutes = (seconds: number) => (seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

type Shown = { adviser: string | null; zone: string; warning: string | null; nameIn: NameIn };

function session(
  page: PdfPage,
  start: number,
  written: WrittenSession,
  { adviser, zone, warning, nameIn }: Shown,
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
    ...(one.toolVersion === null ? [] : [`version ${one.toolVersion}`]),
    ...(one.outside
      ? [byHand]
      : [
          one.reports > 0 ? minutes(one.durationSeconds) : 'no length reported',
          warning ?? (answers === null ? 'no supplier due diligence' : `supplier due diligence ${answers}`),
        ]),
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
    [`${at(off.madeAt, zone)}: Signed off by ${nameIn(off.userId)}.`, signOffText(off, nameIn)]
      .filter(Boolean)
      .join(' '),
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
