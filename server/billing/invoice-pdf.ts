import type { FileReply } from '#shared/api/endpoint.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { payerOf } from './payer.ts';
import { buyerOf } from './queries-buyer.ts';
import { readableDocument } from './queries-documents.ts';
import { adjustmentNotePdf, taxInvoicePdf } from './tax-invoice.ts';

/** `GET /api/billing/invoices/{id}/pdf`: of an invoice or a note; what somebody else paid does not exist. */
export async function invoicePdf(context: Context, readerId: string, id: string): Promise<FileReply> {
  const found = await readableDocument(context.db, id, readerId);
  if (!found) throw new AppError('not_found');
  const { invoice, note } = found;
  // Copies older than the snapshot of their buyer name the buyer of today.
  const buyer = invoice.buyer ?? (await buyerOf(context.db, payerOf(invoice)));
  return note
    ? { name: `adjustment-note-${note.number}.pdf`, body: await adjustmentNotePdf(note, invoice, buyer) }
    : { name: `tax-invoice-${invoice.number ?? invoice.id}.pdf`, body: await taxInvoicePdf(invoice, buyer) };
}
