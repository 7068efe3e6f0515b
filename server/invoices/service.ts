import type { Invoice } from '#shared/api/billing.ts';
import { financialYearOf, sydneyDate } from '#shared/rules/dates.ts';
import type { Payer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { countDocuments, documentPage, documentSpan, rangeOf } from './queries-documents.ts';

/** Our copies of Stripe's invoices, and the PDFs made from them. */
export { billKeyOf, copyInvoice, copyStripeInvoice } from './copy.ts';
export {
  findCopiedInvoice,
  findInvoiceByStripeId,
  invoicesKnownAs,
  replaceNotes,
  type InvoiceRow,
  type NoteRow,
} from './queries.ts';
export * as documents from './queries-documents.ts';
export { invoicesCsv, invoicesZip } from './books.ts';
export * as statements from './read-statement.ts';
export { isRefund } from './notes.ts';
export { anyInvoicePdf, invoicePdf, pdfOf } from './pdf.ts';

const pageSize = 20;
const shown: readonly Invoice['status'][] = ['paid', 'open', 'void', 'uncollectible', 'refunded', 'issued'];

/** `GET /api/billing/invoices`: invoices and adjustment notes from our copies, newest first, of a financial year if one is given. */
export async function invoicesOf(context: Context, payer: Payer, page: number, financialYear?: number) {
  const range = financialYear === undefined ? undefined : rangeOf(financialYear);
  const [rows, total, span] = await Promise.all([
    documentPage(context.db, payer, { limit: pageSize, offset: (page - 1) * pageSize, range }),
    countDocuments(context.db, payer, range),
    documentSpan(context.db, payer),
  ]);
  const invoices: Invoice[] = rows.map(({ totalCents, gstCents, issuedAt, status, ...row }) => ({
    ...row,
    date: issuedAt,
    amount: totalCents,
    gst: gstCents,
    status: shown.find((known) => known === status) ?? 'open',
    invoiceUrl: `/api/billing/invoices/${row.id}/pdf`,
  }));
  const [first, last] = span ? [span.first, span.last].map((at) => financialYearOf(sydneyDate(at))) : [1, 0];
  const years = Array.from({ length: last! - first! + 1 }, (_, index) => last! - index);
  return { invoices, years, pagination: { page, total, totalPages: Math.max(1, Math.ceil(total / pageSize)) } };
}
