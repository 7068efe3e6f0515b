import { formatCalendarDay, formatDays, financialYearText, formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { ink, innerWidth, margin, newPdf, type PdfPage } from '#server/platform/pages/pdf-page.ts';
import type { StatementJob } from './drawings.ts';
import { footerOf, head, right, totals } from './tax-invoice.ts';

const amountX = right - 170;
const gstX = right - 80;

type Row = { first: string; second?: string; cents: number; gstCents: number };

function table(page: PdfPage, start: number, heading: string, rows: readonly Row[]): number {
  const small = { size: 8, color: ink.muted } as const;
  const end = { align: 'right', width: 80 } as const;
  const described = amountX - margin - 90;
  let y = page.makeRoom(start, 60);
  page.write(heading, margin, y, { tag: 'H2', bold: true, size: 11, width: described });
  page.write('Amount', amountX, y, { ...small, ...end });
  page.write('GST', gstX, y, { ...small, ...end });
  y += 20;
  page.rule(y);
  y += 8;
  for (const { first, second, cents, gstCents } of rows) {
    const text = second === undefined ? first : `${first} · ${second}`;
    const width = described + 80;
    const height = page.height(text, { width });
    y = page.makeRoom(y, height + 6);
    page.write(text, margin, y, { width });
    page.write(formatCents(cents), amountX, y, end);
    page.write(formatCents(gstCents), gstX, y, end);
    y += height + 6;
  }
  page.rule(y);
  return y + 12;
}

/** What a payer paid in a financial year, by tool and by document. */
export async function statementPdf({ statement, buyer, seller }: StatementJob): Promise<Uint8Array> {
  const { financialYear, madeOn, paid, refunded, unpaidCents, tools, documents } = statement;
  const title = `Statement ${financialYearText(financialYear)}`;
  const page = await newPdf(title, { author: seller.name, createdAt: new Date(`${madeOn}T00:00:00Z`) });
  const facts: [string, string][] = [
    ['Financial year', formatDays(`${financialYear - 1}-07-01`, `${financialYear}-06-30`)],
    ['Made on', formatCalendarDay(madeOn)],
  ];
  let y = head(page, 'Statement', facts, { buyer, seller });
  y = table(
    page,
    y,
    'Paid, by tool',
    tools.map(({ name, ...sum }) => ({ first: name, ...sum })),
  );
  y = totals(page, y, [
    ['Paid (includes GST)', paid.cents, true],
    ['GST in what was paid', paid.gstCents],
    ['Refunded (includes GST)', -refunded.cents],
    ['GST in the refunds', -refunded.gstCents],
    ['Paid less refunds', paid.cents - refunded.cents, true],
    ['Includes GST of', paid.gstCents - refunded.gstCents, true],
  ]);
  if (unpaidCents > 0)
    y +=
      page.write(
        `${formatCents(unpaidCents)} was invoiced in this year and is not paid yet.`,
        margin,
        page.makeRoom(y, 20),
        {
          width: innerWidth,
        },
      ) + 10;
  y = table(
    page,
    y + 10,
    'Tax invoices and adjustment notes',
    documents.map(({ issuedAt, number, description, ...sum }) => ({
      first: formatSydneyDate(issuedAt),
      second: `${number} · ${description}`,
      ...sum,
    })),
  );
  const last = 'Days are those of issue, in Sydney. For GST credits, keep the tax invoices that are listed here.';
  page.write(last, margin, page.makeRoom(y + 4, 20), { color: ink.muted, width: innerWidth });
  return page.finish(footerOf(seller));
}
