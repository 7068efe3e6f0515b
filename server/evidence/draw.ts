import { brand } from '#shared/brand.ts';
import { businessZone, formatCalendarDay } from '#shared/rules/dates.ts';
import { purposeLabels } from '#shared/rules/record/record.ts';
import type { PackStatement } from '#server/record/service.ts';
import { ink, innerWidth, margin, newPdf, type PdfPage } from '#server/platform/pages/pdf-page.ts';
import type { PackAbout, PackContent, WrittenSession } from './lines.ts';
import { answersOf, marksOf, numberOf, referenceIn } from './pack-words.ts';

/** What the reader compares: the chain's head, and how many lines the CSV has. */
export type Sum = { head: string; lines: number };

const time = new Intl.DateTimeFormat('en-AU', {
  timeZone: businessZone,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const at = (date: Date) => time.format(date);

const asideWidth = 112;
const bodyX = margin + asideWidth + 10;
const bodyWidth = innerWidth - asideWidth - 10;
const small = { size: 8, color: ink.muted } as const;

const counted = (number: number, one: string) => `${number.toLocaleString('en-AU')} ${one}${number === 1 ? '' : 's'}`;

/** A pack to read: what it covers, its sessions in order, what the makers had said of their tools, reviews, and how to check it. */
export async function drawPack(
  { about, sessions, statements, disclosures, reviews }: PackContent,
  written: WrittenSession[],
  sum: Sum,
): Promise<Uint8Array> {
  const page = await newPdf('Evidence pack', { author: brand.sellerName, createdAt: about.madeAt });
  let y = head(page, about, sum, [
    ['Sessions', String(sessions.length)],
    ['Checked by the adviser', String(sessions.filter(({ checked }) => checked === true).length)],
    ['Not stated', String(sessions.filter(({ checked }) => checked === null).length)],
    ['Statements', String(statements.length)],
  ]);

  y = title(page, y, 'Sessions');
  if (sessions.length === 0) y += page.write('There are no sessions in what this pack covers.', margin, y) + 10;
  for (const one of written) y = session(page, y, one, about.teamId !== null);

  const used = new Set(written.map(({ session, answers }) => `${session.toolId} ${answers}`));
  const stood = disclosures.filter(({ toolId, version }) => used.has(`${toolId} ${version}`));
  const nameOf = (toolId: string) => sessions.find((one) => one.toolId === toolId)?.toolName ?? toolId;
  y = title(page, y, 'What the makers had said of their tools at the time');
  if (stood.length === 0) y += page.write('The makers of these tools had stated nothing by then.', margin, y) + 10;
  for (const { toolId, version, madeAt, answers } of stood) {
    y = page.makeRoom(y, 60);
    y += page.write(`${nameOf(toolId)}, answers ${version}, ${at(madeAt)}`, margin, y, { bold: true }) + 4;
    for (const [question, answer] of answersOf(answers)) {
      y = page.makeRoom(y, page.height(answer, { width: bodyWidth }) + 4);
      page.write(question, margin, y, { ...small, width: asideWidth });
      y += page.write(answer, bodyX, y, { width: bodyWidth }) + 3;
    }
    y += 10;
  }
  if (about.teamId !== null) {
    y = title(page, y, 'Reviews by the practice');
    if (reviews.length === 0) y += page.write('There are none of these tools.', margin, y) + 10;
    for (const { toolId, userId, remark, disclosureVersion, nextDue, madeAt } of reviews) {
      const facts = [
        nameOf(toolId),
        `by ${numberOf(userId)}`,
        disclosureVersion === null ? 'without answers of its maker' : `with answers ${disclosureVersion}`,
        ...(nextDue === null ? [] : [`next due ${formatCalendarDay(nextDue)}`]),
      ].join(' · ');
      y = page.makeRoom(y, page.height(remark, { width: bodyWidth }) + 26);
      page.write(at(madeAt), margin, y, { ...small, width: asideWidth });
      y += page.write(facts, bodyX, y, { bold: true, width: bodyWidth }) + 1;
      y += page.write(remark, bodyX, y, { width: bodyWidth }) + 8;
    }
  }
  return page.finish(`${brand.name} evidence pack ${numberOf(about.id)} · ends in ${sum.head.slice(0, 16)}…`);
}

function title(page: PdfPage, start: number, text: string): number {
  const y = page.makeRoom(start + 8, 80);
  page.rule(y);
  return y + 12 + page.write(text, margin, y + 12, { tag: 'H2', bold: true, size: 13 }) + 6;
}

function head(page: PdfPage, about: PackAbout, { head, lines }: Sum, figures: [string, string][]): number {
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
  if (about.name !== null) fact('Adviser', about.name);
  if (about.teamId !== null)
    fact('Practice', `Number ${numberOf(about.teamId)}. People stand by number; the list of people says who is who.`);
  fact('Covers', `${about.covers}. Days are those of Sydney.`);
  fact('Asked for', at(about.askedAt));
  fact('Made', at(about.madeAt));
  fact('Pack', about.id);
  y += 8;
  const width = innerWidth / figures.length;
  for (const [index, [label, value]] of figures.entries()) {
    page.write(value, margin + index * width, y, { bold: true, size: 16, width });
    page.write(label, margin + index * width, y + 22, { ...small, width });
  }
  y += 46;
  const paragraphs = [
    `It is a record of what happened at ${brand.name}. It holds each session with a tool, its length as the tool reported it, what the adviser or the tool said it was for, every statement the adviser made of it with corrections, and what the tool’s maker had said of the tool when the session began. It does not hold what was put into a tool, nor what came out.`,
    `The CSV file of this pack has ${counted(lines, 'line')}. Each ends with a SHA-256 made from it and the line before, so that a change anywhere leads to another last one. The last one, which ${brand.name} keeps:`,
  ];
  for (const text of paragraphs) y += page.write(text, margin, y) + 6;
  y += page.write(head, margin, y, { bold: true, size: 10 }) + 6;
  y += page.write(`To check the files: ${brand.name}, “Verify an evidence pack” (/record/verify).`, margin, y) + 6;
  return y;
}

const minutes = (seconds: number) => (seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

function session(page: PdfPage, start: number, written: WrittenSession, isTeam: boolean): number {
  const { line, session: one, answers, statements } = written;
  const facts = [
    ...(isTeam ? [`Adviser ${numberOf(one.userId)}`] : []),
    one.purpose === null
      ? 'Purpose not stated'
      : `${purposeLabels[one.purpose]}${one.purposeFrom === 'tool' ? ' (said by the tool)' : ''}`,
    one.clientReference === null
      ? 'no client reference'
      : `client reference ${one.clientReference}${one.referenceFrom === 'tool' ? ' (said by the tool)' : ''}`,
    ...(one.toolVersion === null ? [] : [`version ${one.toolVersion}`]),
    one.reports > 0 ? minutes(one.durationSeconds) : 'no length reported',
    answers === null ? 'maker had stated nothing' : `maker’s answers ${answers}`,
  ]
    // Lines break between facts, not within a short one.
    .map((fact) => (fact.length < 30 ? fact.replaceAll(' ', '\u00a0') : fact))
    .join(' · ');
  const needed = 34 + statements.length * 15;
  let y = page.makeRoom(start, Math.min(needed, 200));
  page.write(at(one.createdAt), margin, y, { size: 8.5, width: asideWidth });
  page.write(`Line ${line}`, margin, y + 13, { ...small, width: asideWidth });
  y += page.write(one.toolName, bodyX, y, { bold: true, width: bodyWidth }) + 1;
  y += page.write(facts, bodyX, y, { size: 8.5, color: ink.muted, width: bodyWidth }) + 2;
  if (statements.length === 0) y += page.write('Nothing stated.', bodyX, y, { size: 8.5, width: bodyWidth }) + 1;
  for (const statement of statements) {
    const text = stated(statement);
    const style = { size: 8.5, width: bodyWidth } as const;
    y = page.makeRoom(y, page.height(text, style) + 1);
    y += page.write(text, bodyX, y, style) + 1;
  }
  return y + 9;
}

function stated(statement: PackStatement): string {
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
  return [`${at(madeAt)}: ${said}.`, ...marksOf(statement), ...(remark === null ? [] : [`“${remark}”`])].join(' ');
}
