import type { Invoice } from '#shared/api/billing.ts';
import type { FileReply } from '#shared/api/endpoint.ts';
import { onFile, type Payer, payerOf } from '#server/payers/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { askerOf } from '#server/platform/http/rate-limit.ts';
import { drawn } from './drawings.ts';
import {
  countDocuments,
  type Document,
  documentPage,
  findDocument,
  findReadableDocument,
  sellerOn,
} from './queries-documents.ts';

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
export { newestInvoices, noteSeller, notesOf } from './queries-documents.ts';
export * as takings from './queries-takings.ts';

const pageSize = 20;
const shown: readonly Invoice['status'][] = ['paid', 'open', 'void', 'uncollectible', 'refunded', 'issued'];

/** `GET /api/billing/invoices`: invoices and adjustment notes from our copies, newest first; `year` is the one in which a financial year ends. */
export async function invoicesOf(
  context: Context,
  payer: Payer,
  { page, year }: { page: number; year?: number | undefined },
) {
  const [rows, total] = await Promise.all([
    documentPage(context.db, payer, year, { limit: pageSize, offset: (page - 1) * pageSize }),
    countDocuments(context.db, payer, year),
  ]);
  const invoices: Invoice[] = rows.map(({ totalCents, gstCents, issuedAt, status, ...row }) => ({
    ...row,
    date: issuedAt,
    amount: totalCents,
    gst: gstCents,
    status: shown.find((known) => known === status) ?? 'open',
    invoiceUrl: `/api/billing/invoices/${row.id}/pdf`,
  }));
  return { invoices, pagination: { page, total, totalPages: Math.max(1, Math.ceil(total / pageSize)) } };
}

/** `GET /api/billing/invoices/{id}/pdf`: an invoice or a note. Those of somebody else are not found. */
export const invoicePdf = async (context: Context, readerId: string, id: string): Promise<FileReply> =>
  draw(context, readerId, await findReadableDocument(context.db, id, readerId));

/** Anybody's, for an administrator. */
export const anyInvoicePdf = async (context: Context, readerId: string, id: string): Promise<FileReply> =>
  draw(context, readerId, await findDocument(context.db, id));

async function draw(context: Context, readerId: string, found: Document | null): Promise<FileReply> {
  if (!found) throw new AppError('not_found');
  const { invoice, note } = found;
  // The oldest copies have no buyer of their own: they name the buyer of today.
  const buyer = invoice.buyer ?? (await onFile.buyerOf(context.db, payerOf(invoice)));
  const seller = (await sellerOn(context.db, (note ?? invoice).issuedAt)) ?? context.env.seller;
  const name = note ? `adjustment-note-${note.number}.pdf` : `tax-invoice-${invoice.number ?? invoice.id}.pdf`;
  return { name, body: await drawn({ invoice, note, buyer, seller }, askerOf(context, readerId)) };
}
