import { brand } from '#shared/brand.ts';
import { ink, innerWidth, margin, newPdf, type PdfPage } from '#server/platform/pages/pdf-page.ts';
import { at, bodyX, pair, pairHeight, paragraph, small, title } from './draw-parts.ts';
import { session } from './draw-session.ts';
import { supervision, whatMakersSaid } from './draw-supervision.ts';
import type { PackAbout, PackContent, WrittenSession } from './pack-content.ts';
import { introductionTo, meaningsFor, type Sum, waysToVerify } from './pack-explains.ts';
import { isHeld } from './pack-holds.ts';
import { marksIn } from './pack-marks.ts';
import { nameAmong, numberOf, otherVersion, periodOf, personText, practiceText } from './pack-words.ts';

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
  if (sessions.length === 0) y = paragraph(page, y, 'There are no sessions in what this pack covers.');
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
  y += page.write('How to verify it stands at the end.', bodyX, y - 3, small) + 5;
  const width = innerWidth / figures.length;
  for (const [index, [label, value]] of figures.entries()) {
    page.write(value, margin + index * width, y, { bold: true, size: 16, width });
    page.write(label, margin + index * width, y + 22, { ...small, width });
  }
  y += 46;
  for (const text of introductionTo(about)) y += page.write(text, margin, y) + 6;
  return y;
}

/** How many there are of what a reader has to look at, and what the words mean. */
function howToRead(page: PdfPage, start: number, content: PackContent, written: WrittenSession[]): number {
  let y = title(page, start, 'What to look at');
  y = paragraph(
    page,
    y,
    'Each line says how many there are, and in which lines of the CSV file: at most the first 20. The next part explains the words.',
  );
  for (const mark of marksIn(content, written)) {
    const text = mark.join(': ');
    y = page.makeRoom(y, page.height(text) + 4);
    y += page.write(text, margin, y) + 4;
  }
  const meanings = meaningsFor(content.about);
  const heightFrom = (index: number) =>
    meanings.slice(index).reduce((sum, [word, meaning]) => sum + pairHeight(page, word, meaning), 0);
  // At least half of them on the first page, and three on the next.
  y = title(page, y, 'What the words mean', heightFrom(0) / 2);
  for (const [index, [word, meaning]] of meanings.entries()) {
    if (index === meanings.length - 3) y = page.makeRoom(y, heightFrom(index));
    y = pair(page, y, word, meaning);
  }
  return y;
}

function howToVerify(page: PdfPage, start: number, about: PackAbout, sum: Sum): void {
  let y = title(page, start, 'How to verify this pack');
  for (const [way, text] of waysToVerify(about, sum)) y = pair(page, y, way, text);
}
