import type { FileReply } from '#shared/api/endpoint.ts';
import { onFile, payerOf } from '#server/payers/service.ts';
import { orRefuse } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { askerOf } from '#server/platform/http/rate-limit.ts';
import { drawn } from './drawings.ts';
import { type Document, findDocument, findReadableDocument, sellerOn } from './queries-documents.ts';

type Pdf = { name: string; body: Uint8Array };

/** `GET /api/billing/invoices/{id}/pdf`: an invoice or a note. Those of somebody else are not found. */
export async function invoicePdf(context: Context, readerId: string, id: string): Promise<FileReply> {
  const found = await orRefuse(findReadableDocument(context.db, id, readerId), 'not_found');
  return pdfOf(context, found, readerId);
}

/** Anybody's, for an administrator. */
export async function anyInvoicePdf(context: Context, readerId: string, id: string): Promise<FileReply> {
  const found = await orRefuse(findDocument(context.db, id), 'not_found');
  return pdfOf(context, found, readerId);
}

export async function pdfOf(context: Context, { invoice, note }: Document, readerId: string): Promise<Pdf> {
  // The oldest copies have no buyer of their own: they name the buyer of today.
  const buyer = invoice.buyer ?? (await onFile.buyerOf(context.db, payerOf(invoice)));
  const seller = (await sellerOn(context.db, (note ?? invoice).issuedAt)) ?? context.env.seller;
  const name = note ? `adjustment-note-${note.number}.pdf` : `tax-invoice-${invoice.number ?? invoice.id}.pdf`;
  return { name, body: await drawn({ invoice, note, buyer, seller }, askerOf(context, readerId)) };
}
