import type { InvoiceRow, NoteRow } from './queries.ts';

/** Whether a note gives money back: one from before the payment has only made the invoice less, and what was never paid can't come back. */
export const isRefund = ({ status, paidAt }: InvoiceRow, { issuedAt }: Pick<NoteRow, 'issuedAt'>): boolean =>
  status === 'paid' && !(paidAt && issuedAt < paidAt);

/** What a note is for. */
export const noteText = (invoice: InvoiceRow, note: NoteRow): string =>
  `${isRefund(invoice, note) ? 'Refund for' : 'Taken off:'} ${invoice.description}`;
