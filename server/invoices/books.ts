import { zipSync } from 'fflate';
import { seller } from '#shared/brand.ts';
import type { FileReply } from '#shared/api/endpoint.ts';
import { financialYearText, sydneyDate } from '#shared/rules/dates.ts';
import type { Payer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { type Columns, csvOf } from '#server/platform/http/csv.ts';
import { type Document, documentsIn, rangeOf } from './queries-documents.ts';
import { noteText } from './notes.ts';
import { pdfOf } from './pdf.ts';

const nameOf = (financialYear: number, ending: string) =>
  `adviserly-invoices-${financialYearText(financialYear).replace('–', '-')}.${ending}`;

/** 30/06/2027, as accounting programs in Australia read days. */
const dayOf = (at: Date) => sydneyDate(at).split('-').toReversed().join('/');

/** Dollars with GST, less than zero for an adjustment note. */
const dollars = ({ note }: Document, cents: number) => (note ? -cents : cents) / 100;

/**
 * The columns of Xero's template for bills, amounts with GST. MYOB's assistant lets people match them. The account is left to the
 * bookkeeper.
 */
const columns: Columns<Document> = {
  ContactName: () => seller().name,
  InvoiceNumber: ({ invoice, note }) => note?.number ?? invoice.number ?? invoice.id,
  Reference: ({ invoice, note }) => (note ? `Adjustment of ${invoice.number ?? invoice.id}` : ''),
  InvoiceDate: ({ invoice, note }) => dayOf((note ?? invoice).issuedAt),
  DueDate: ({ invoice, note }) => dayOf((note ?? invoice).issuedAt),
  Total: (one) => dollars(one, (one.note ?? one.invoice).totalCents),
  Description: ({ invoice, note }) => (note ? noteText(invoice, note) : invoice.description),
  Quantity: () => 1,
  UnitAmount: (one) => dollars(one, (one.note ?? one.invoice).totalCents),
  AccountCode: () => '',
  TaxType: () => 'GST on Expenses',
  TaxAmount: (one) => dollars(one, (one.note ?? one.invoice).gstCents),
  Currency: () => 'AUD',
};

/** Voided invoices were never owed. */
const isOwed = ({ invoice }: Document) => invoice.status !== 'void';

/** A financial year's documents as bills to import. */
export async function invoicesCsv({ db }: Context, payer: Payer, financialYear: number): Promise<FileReply> {
  const documents = await documentsIn(db, payer, rangeOf(financialYear));
  return { name: nameOf(financialYear, 'csv'), body: csvOf(columns, documents.filter(isOwed)) };
}

/** A financial year's PDFs. They are compressed already. */
export async function invoicesZip(
  context: Context,
  payer: Payer,
  financialYear: number,
  readerId: string,
): Promise<FileReply> {
  const files: Record<string, Uint8Array> = {};
  for (const one of await documentsIn(context.db, payer, rangeOf(financialYear))) {
    const { name, body } = await pdfOf(context, one, readerId);
    files[`${sydneyDate((one.note ?? one.invoice).issuedAt)} ${name}`] = body;
  }
  return { name: nameOf(financialYear, 'zip'), body: zipSync(files, { level: 0 }) };
}
