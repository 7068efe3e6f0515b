import { purposeLabels } from '#shared/rules/record/record.ts';
import type { PackStatement } from '#server/record/service.ts';
import { ink, margin, type PdfPage } from '#server/platform/pages/pdf-page.ts';
import { asideWidth, at, bodyWidth, bodyX, inLines, small } from './draw-parts.ts';
import type { WrittenSession } from './pack-content.ts';
import { isAdvisers, wasReviewed } from './pack-marks.ts';
import {
  byHandText,
  checksIn,
  marksOf,
  type NameIn,
  referenceIn,
  remarkIn,
  signOffText,
  touchText,
} from './pack-words.ts';

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

const plain = { size: 8.5, width: bodyWidth } as const;
/** A line of a session; one that a reader should not miss has a bar beside it. */
type Line = { text: string; hasBar?: boolean };

/** A session: when it began, what is known of it, and what was said of it. */
export function session(page: PdfPage, start: number, written: WrittenSession, shown: Shown): number {
  const { line, session: one } = written;
  const about = inLines(page, factsOf(written, shown), plain);
  const said = linesOf(written, shown);
  const heights = [about, ...said.map(({ text }) => text)].map((text) => page.height(text, plain) + 1);
  const whole = heights.reduce((sum, height) => sum + height, 16);
  let y = page.makeRoom(start, whole < tallestWhole ? whole : tallestWhole / 4);
  const time = page.write(at(one.createdAt, shown.zone), margin, y, { size: 8, width: asideWidth });
  page.write(`Line ${line}`, margin, y + time + 3, { ...small, width: asideWidth });
  y += page.write(one.toolName, bodyX, y, { bold: true, width: bodyWidth }) + 1;
  y += page.write(about, bodyX, y, { ...plain, color: ink.muted }) + 2;
  for (const { text, hasBar = false } of said) {
    y = page.makeRoom(y, page.height(text, plain) + 1);
    const height = page.write(text, bodyX, y, plain);
    if (hasBar) page.bar(bodyX - 6, y, height - 2);
    y += height + 1;
  }
  return y + 9;
}

function factsOf({ session: one, answers, statements }: WrittenSession, { adviser, zone, warning, held }: Shown) {
  return (
    [
      ...(adviser === null ? [] : [adviser]),
      one.purpose === null
        ? 'Purpose not given'
        : `${purposeLabels[one.purpose]}${one.purposeFrom === 'tool' ? ' (from the tool)' : ''}`,
      one.clientReference === null
        ? 'no client reference'
        : `client reference ${one.clientReference}${one.referenceFrom === 'tool' ? ' (from the tool)' : ''}`,
      ...(one.outside
        ? [byHandText(statements, (time) => at(time, zone))]
        : [
            one.toolVersion === null ? 'version not reported' : `version ${one.toolVersion}`,
            one.reports > 0 ? minutes(one.durationSeconds) : 'length not reported',
            warning ?? (answers === null ? 'no supplier due diligence' : `supplier due diligence ${answers}`),
          ]),
      ...(held ? ['legal hold'] : []),
    ]
      // Lines break between facts, not within a short one.
      .map((fact) => (fact.length < 30 ? fact.replaceAll(' ', '\u00a0') : fact))
  );
}

function linesOf(written: WrittenSession, shown: Shown): Line[] {
  const { statements, touches, signOffs } = written;
  const { nameIn } = shown;
  return [
    ...(written.session.checked === null ? [{ text: 'Not reviewed.', hasBar: true }] : []),
    ...statements.map((one) => ({ text: stated(one, written, shown), hasBar: one.checked === false || one.late })),
    ...touches.map((touch) => ({ text: `${touchText(touch)}.` })),
    ...signOffs.map((off) => ({
      text: `${at(off.madeAt)}: Signed off by ${nameIn(off.userId)}. ${signOffText(off, { wasReviewed: wasReviewed(off.madeAt, written), nameIn })}`,
    })),
  ];
}

function stated(statement: PackStatement, written: WrittenSession, { zone, nameIn }: Shown): string {
  const { madeAt, checked, purpose, clientReference, redactedAt } = statement;
  const own = isAdvisers(written, statement);
  const said = [
    ...(own ? [] : [`${nameIn(statement.userId)} looked at it`]),
    ...(own && checked !== null ? [checked ? 'Output checked' : 'Output not checked'] : []),
    ...(purpose === null ? [] : [`purpose: ${purposeLabels[purpose]}`]),
    ...(clientReference === null
      ? []
      : [
          clientReference === '' && redactedAt === null
            ? 'client reference taken back'
            : `client reference ${referenceIn(statement)}`,
        ]),
  ].join(', ');
  const marks = marksOf(statement, { begunAt: written.session.createdAt, nameIn });
  return [`${at(madeAt, zone)}: ${said}.`, checksIn(statement), ...marks, remarkIn(statement)]
    .filter(Boolean)
    .join(' ');
}
