import { brand, type Seller } from '#shared/brand.ts';
import { formatAbn } from '#shared/rules/australia.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { ink, innerWidth, margin, newPdf, type PdfPage } from '#server/platform/pages/pdf-page.ts';
import type { InvoiceJob } from './drawings.ts';
import { noteText } from './notes.ts';
import type { InvoiceRow, NoteRow } from './queries.ts';

export const right = margin + innerWidth;
export const footerOf = ({ name, abn, supportEmail }: Seller) =>
  `${name} · ABN ${formatAbn(abn)} · ${supportEmail} · All amounts are in Australian dollars.`;

type Parties = Pick<InvoiceJob, 'buyer' | 'seller'>;

/** A tax invoice with what Australian GST law asks for: seller and ABN, buyer, date, lines, GST, total. */
export async function taxInvoicePdf({ invoice, buyer, seller }: InvoiceJob): Promise<Uint8Array> {
  const page = await newPdf(`Tax invoice ${invoice.number ?? ''}`.trim(), {
    author: seller.name,
    createdAt: invoice.issuedAt,
  });
  const facts: [string, string][] = [
    ['Invoice number', invoice.number ?? 'None'],
    ['Date of issue', formatSydneyDate(invoice.issuedAt)],
    ['Status', statusOf(invoice)],
  ];
  let y = head(page, 'Tax invoice', facts, { buyer, seller });
  const summary = summaryOf(invoice);
  if (summary) y += page.write(summary, margin, y, { bold: true }) + 12;
  y = lineTable(page, y, invoice);
  const discount = invoice.lines.flatMap(discountsOf).reduce((sum, { cents }) => sum + cents, 0);
  const fromCredit = invoice.totalCents - invoice.amountPaidCents - invoice.dueCents;
  const isPayable = invoice.status === 'paid' || invoice.status === 'open';
  y = totals(page, y, [
    ...(discount > 0
      ? ([
          ['Subtotal', invoice.totalCents + discount],
          ['Discounts', -discount],
        ] as const)
      : []),
    [`Total${invoice.gstCents > 0 ? ' (includes GST)' : ''}`, invoice.totalCents, true],
    ['GST included in the total', invoice.gstCents],
    ...(isPayable && fromCredit > 0 ? ([['Credits', fromCredit]] as const) : []),
    ...(isPayable ? ([['Paid', invoice.amountPaidCents]] as const) : []),
    ...(isPayable ? ([['Amount due', invoice.dueCents, true]] as const) : []),
  ]);
  const taxable = 'All items are taxable. GST is worked out after discounts.';
  page.write(invoice.gstCents > 0 ? taxable : 'No GST applies to this invoice.', margin, page.makeRoom(y + 16, 20), {
    color: ink.muted,
  });
  return page.finish(footerOf(seller));
}

/** What a month costs, where the invoice is for whole months: "3 tools, 10 May to 9 Jun 2027: $76.00 a month". */
function summaryOf({ description, lines }: InvoiceRow): string | null {
  const months = lines.filter(({ toolId, days }) => toolId !== undefined && days === undefined);
  if (months.length === 0) return null;
  const cents = months.reduce((total, line) => total + netOf(line), 0);
  return `${description}: ${formatCents(cents)} a month`;
}

const netOf = (line: InvoiceRow['lines'][number]) =>
  discountsOf(line).reduce((left, { cents }) => left - cents, line.cents);

function statusOf(invoice: InvoiceRow): string {
  if (invoice.status === 'paid')
    return invoice.paidAt && invoice.totalCents > 0 ? `Paid on ${formatSydneyDate(invoice.paidAt)}` : 'Paid';
  if (invoice.status === 'open') return `${formatCents(invoice.dueCents)} due`;
  return invoice.status === 'void' ? 'Cancelled, nothing is owed' : 'Written off';
}

/** The adjustment note for a refund: the invoice it adjusts, and by how much its GST is reduced. */
export async function adjustmentNotePdf({ invoice, buyer, seller }: InvoiceJob, note: NoteRow): Promise<Uint8Array> {
  const page = await newPdf(`Adjustment note ${note.number}`, { author: seller.name, createdAt: note.issuedAt });
  let y = head(
    page,
    'Adjustment note',
    [
      ['Note number', note.number],
      ['Date of issue', formatSydneyDate(note.issuedAt)],
      ['Adjusts tax invoice', `${invoice.number ?? 'None'} of ${formatSydneyDate(invoice.issuedAt)}`],
    ],
    { buyer, seller },
  );
  page.rule(y);
  y += 14;
  y += page.write('What was adjusted', margin, y, { tag: 'H2', bold: true, size: 11 }) + 6;
  y += page.write(`${noteText(invoice, note)}. Reason: ${note.reason ?? 'refund to the customer'}.`, margin, y) + 14;
  y = totals(page, y, [
    ['Invoice total before', invoice.totalCents],
    ['Reduced by (includes GST)', -note.totalCents, true],
    ['GST in the reduction', -note.gstCents],
  ]);
  page.write('You reduce your claim for GST credits by the GST in the reduction.', margin, page.makeRoom(y + 16, 20), {
    color: ink.muted,
  });
  return page.finish(footerOf(seller));
}

/** Writes seller, title, facts and buyer; answers the y below them. */
export function head(page: PdfPage, title: string, facts: [string, string][], { buyer, seller }: Parties): number {
  const half = innerWidth / 2 - 12;
  const factsX = margin + innerWidth / 2 + 12;
  page.write(title, margin, margin, { tag: 'H1', bold: true, size: 24 });
  page.write(brand.name, factsX, margin + 4, { bold: true, size: 16, color: ink.accent, width: half, align: 'right' });
  page.rule(margin + 44);

  const top = margin + 60;
  let left = top;
  const block = (heading: string, lines: string[]) => {
    left += page.write(heading, margin, left, { tag: 'H2', size: 8, color: ink.muted, width: half }) + 2;
    for (const [index, line] of lines.entries())
      left += page.write(line, margin, left, { width: half, bold: index === 0 }) + 1;
    left += 14;
  };
  block('From', [seller.name, `ABN ${formatAbn(seller.abn)}`, seller.address, seller.supportEmail]);
  block('To', [
    buyer.name,
    ...(buyer.business && buyer.business !== buyer.name ? [buyer.business] : []),
    ...(buyer.abn ? [`ABN ${formatAbn(buyer.abn)}`] : []),
    ...buyer.address,
    buyer.email,
  ]);

  let y = top;
  for (const [label, value] of facts) {
    y += page.write(label, factsX, y, { tag: 'H2', size: 8, color: ink.muted, width: half }) + 2;
    y += page.write(value, factsX, y, { width: half, bold: true }) + 10;
  }
  return Math.max(left, y) + 6;
}

const columns = { quantity: right - 212, unit: right - 166, amount: right - 112, gst: right - 46 } as const;

const discountsOf = ({ discounts, discountCents }: InvoiceRow['lines'][number]) =>
  discounts ?? (discountCents ? [{ label: 'Discount', cents: discountCents }] : []);

function lineTable(page: PdfPage, start: number, invoice: InvoiceRow): number {
  const heading = { size: 8, color: ink.muted } as const;
  const right = { align: 'right' } as const;
  const described = columns.quantity - margin - 12;
  let y = page.makeRoom(start, 60);
  page.write('Description', margin, y, { ...heading, width: described });
  page.write('Quantity', columns.quantity, y, { ...heading, ...right, width: 42 });
  page.write('Unit price', columns.unit, y, { ...heading, ...right, width: 52 });
  page.write('Amount', columns.amount, y, { ...heading, ...right, width: 62 });
  page.write('GST', columns.gst, y, { ...heading, ...right, width: 46 });
  y += 16;
  page.rule(y);
  y += 8;
  for (const line of invoice.lines) {
    const { description, cents, gstCents } = line;
    const discounts = discountsOf(line);
    // A prorated amount that its quantity doesn't divide is printed as one item.
    const quantity = cents % line.quantity === 0 ? line.quantity : 1;
    const height = page.height(description, { width: described });
    y = page.makeRoom(y, height + 8 + discounts.length * 16);
    page.write(description, margin, y, { width: described });
    page.write(String(quantity), columns.quantity, y, { ...right, width: 42 });
    page.write(formatCents(cents / quantity), columns.unit, y, { ...right, width: 52 });
    page.write(formatCents(cents), columns.amount, y, { ...right, width: 62 });
    if (gstCents !== undefined) page.write(formatCents(gstCents), columns.gst, y, { ...right, width: 46 });
    y += height + 4;
    for (const discount of discounts) {
      page.write(discount.label, margin + 12, y, { width: described - 12, color: ink.muted });
      page.write(formatCents(-discount.cents), columns.amount, y, { ...right, width: 62 });
      y += 16;
    }
    y += 4;
  }
  page.rule(y);
  return y + 10;
}

type Total = readonly [label: string, cents: number, important?: boolean];

export function totals(page: PdfPage, start: number, rows: readonly Total[]): number {
  let y = page.makeRoom(start, rows.length * 18);
  for (const [label, cents, bold = false] of rows) {
    page.write(label, right - 270, y, { bold, width: 180, align: 'right' });
    page.write(formatCents(cents), right - 80, y, { bold, width: 80, align: 'right' });
    y += 18;
  }
  return y;
}
