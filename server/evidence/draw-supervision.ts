import { margin, type PdfPage } from '#server/platform/pages/pdf-page.ts';
import { versionsText as versionsOf } from '#shared/rules/record/recalls.ts';
import { at, entry, pair, pairHeight, paragraph, title } from './draw-parts.ts';
import type { PackContent, WrittenSession } from './pack-content.ts';
import { holdFacts } from './pack-holds.ts';
import { reviewedOf, versionsText } from './pack-reviews.ts';
import { sampleText } from './pack-samples.ts';
import { announcementText, decidedText, rulesOf, toolText } from './pack-tools.ts';
import { answersOf, asSentence, dueText, type NameIn, numberOf, recallFacts, reviewText } from './pack-words.ts';

type Said = { written: WrittenSession[]; nameOf: (toolId: string) => string };

/** What recalls said of these sessions, and what the makers said of their tools. */
export function whatMakersSaid(page: PdfPage, start: number, content: PackContent, said: Said): number {
  return announcements(page, answers(page, recalls(page, start, content, said), content, said), content, said);
}

function recalls(page: PdfPage, start: number, content: PackContent, { nameOf }: Said): number {
  if (content.recalls.length === 0) return start;
  let y = title(page, start, 'What the recalls say');
  for (const recall of content.recalls) {
    const facts = [`recall ${numberOf(recall.id)}`, versionsOf(recall.versions)];
    y = entry(
      page,
      y,
      at(recall.createdAt),
      [nameOf(recall.toolId), ...facts],
      recallFacts(recall).map(asSentence).join(' '),
    );
  }
  return y;
}

function answers(page: PdfPage, start: number, { disclosures }: PackContent, { written, nameOf }: Said): number {
  const used = new Set(written.map((one) => `${one.session.toolId} ${one.answers}`));
  const stood = disclosures.filter(({ toolId, version }) => used.has(`${toolId} ${version}`));
  let y = title(page, start, 'Supplier due diligence at the time');
  if (stood.length === 0) y = paragraph(page, y, 'The makers of these tools had given none by then.');
  for (const { toolId, version, madeAt, answers: given } of stood) {
    const heading = `${nameOf(toolId)}, supplier due diligence ${version}, given on ${at(madeAt)}`;
    const head = (text: string) => (y += page.write(text, margin, y, { bold: true }) + 4);
    y = page.makeRoom(y, 60);
    head(heading);
    for (const [question, answer] of answersOf(given)) {
      const room = page.makeRoom(y, pairHeight(page, question, answer));
      const isNewPage = room < y;
      y = room;
      if (isNewPage) head(`${heading}, continued`);
      y = pair(page, y, question, answer);
    }
    y += 10;
  }
  return y;
}

function announcements(page: PdfPage, start: number, content: PackContent, { nameOf }: Said): number {
  if (content.announcements.length === 0) return start;
  let y = title(page, start, 'Changes that the makers announced');
  for (const one of content.announcements)
    y = entry(page, y, at(one.announcedAt), [nameOf(one.toolId)], announcementText(one));
  return y;
}

type Supervision = {
  content: PackContent;
  written: WrittenSession[];
  nameOf: (toolId: string) => string;
  nameIn: NameIn;
};

/** What the practice decided about these tools, how it reviewed them, which sessions it looked at, and what it holds. */
export function supervision(page: PdfPage, start: number, parts: Supervision): number {
  return holds(page, samples(page, reviews(page, decisions(page, start, parts), parts), parts), parts);
}

/** Names the tools of this pack that nothing was said of. */
function without(
  page: PdfPage,
  y: number,
  what: string,
  said: { toolId: string | null }[],
  parts: Supervision,
): number {
  const known = new Set(said.map(({ toolId }) => toolId));
  const used = [...new Set(parts.content.sessions.map(({ toolId }) => toolId))];
  const others = used.filter((id) => !known.has(id)).map(parts.nameOf);
  return others.length === 0 ? y : paragraph(page, y, `${what}: ${others.toSorted().join(', ')}.`);
}

function decisions(page: PdfPage, start: number, parts: Supervision): number {
  const { content, nameIn } = parts;
  const { about, decided, decisions: tools } = content;
  let y = title(page, start, 'What the practice decided about its tools');
  y = paragraph(page, y, 'Each time that it allowed a tool or stopped it, the oldest first.');
  for (const one of decided)
    y = entry(
      page,
      y,
      at(one.decidedAt),
      [one.toolName, ...(one.decidedById === null ? [] : [`by ${nameIn(one.decidedById)}`])],
      decidedText(one),
    );
  y = without(page, y, 'It has decided nothing about these tools of this pack', decided, parts);
  y = title(page, y, 'The practice’s rules and tools when this pack was made');
  for (const [rule, text] of about.rules === null ? [] : rulesOf(about.rules, { decided, at, nameIn }))
    y = pair(page, y, rule, text);
  for (const tool of tools) y = pair(page, y, tool.toolName, toolText(tool, { madeAt: about.madeAt, nameIn }));
  return y;
}

function reviews(page: PdfPage, start: number, parts: Supervision): number {
  const { content, written, nameOf, nameIn } = parts;
  let y = title(page, start, 'How the practice reviewed these tools');
  for (const review of content.reviews) {
    const { toolId, userId, nextDue, madeAt } = review;
    const facts = [
      `by ${nameIn(userId)}`,
      reviewedOf(review, content.disclosures),
      ...(nextDue === null ? [] : [`next review of the tool due ${dueText(nextDue, content.about.madeAt)}`]),
    ];
    y = entry(
      page,
      y,
      at(madeAt),
      [nameOf(toolId), ...facts],
      reviewText(review, nameIn, versionsText(review, content, written)),
    );
  }
  return without(page, y, 'It has not reviewed these tools of this pack', content.reviews, parts);
}

function samples(page: PdfPage, start: number, { content, written, nameIn, nameOf }: Supervision): number {
  let y = title(page, start, 'Samples');
  if (content.samples.length === 0) y = paragraph(page, y, 'No sample was drawn that has a session of this pack.');
  for (const sample of content.samples)
    y = entry(
      page,
      y,
      at(sample.drawnAt),
      [`Drawn for ${nameIn(sample.userId)}`],
      sampleText(sample, { nameIn, nameOf, written }),
    );
  return y;
}

function holds(page: PdfPage, start: number, { content, nameIn }: Supervision): number {
  let y = title(page, start, 'Legal holds');
  if (content.holds.length === 0)
    y = paragraph(page, y, 'The practice has held none of the client references in this pack.');
  for (const hold of content.holds) y = entry(page, y, at(hold.heldAt), holdFacts(hold, { at, nameIn }), hold.reason);
  return y;
}
