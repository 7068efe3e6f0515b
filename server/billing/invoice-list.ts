import type { Invoice } from '#shared/api/billing.ts';
import type { Context } from '#server/platform/context.ts';
import type { Payer } from './payer.ts';
import { countDocuments, documentPage } from './queries-documents.ts';

const pageSize = 20;
const shown: readonly Invoice['status'][] = ['paid', 'open', 'void', 'uncollectible', 'refunded', 'issued'];

/** `GET /api/billing/invoices`: invoices and adjustment notes from our copy, newest first. */
export async function invoicesOf(context: Context, payer: Payer, page: number) {
  const [rows, total] = await Promise.all([
    documentPage(context.db, payer, { limit: pageSize, offset: (page - 1) * pageSize }),
    countDocuments(context.db, payer),
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
