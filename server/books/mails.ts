import { brand } from '#shared/brand.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { type documents, type InvoiceRow, isRefund } from '#server/invoices/service.ts';
import type { Context } from '#server/platform/context.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { MailFile } from '#server/platform/mailer.ts';
import { type Letter, sendMail } from '#server/platform/send-mail.ts';
import { stopLinks } from '#server/platform/stop-links.ts';
import type { BookkeeperRow } from './queries.ts';

/** Mails a bookkeeper, with a way to stop that needs no account, when the caller's transaction commits. */
export const mailBookkeeper = (inside: Context, { id, email }: BookkeeperRow, letter: Omit<Letter, 'to' | 'stop'>) =>
  sendMail(inside, {
    ...letter,
    to: email,
    stop: { label: 'Stop these emails', ...stopLinks(inside, 'bookkeeper', id) },
  });

/** Asks whether the address wants copies. Nothing else is mailed to it before that. */
export const mailQuestion = (
  inside: Context,
  to: BookkeeperRow,
  { name, asker, token }: { name: string; asker: string; token: string },
) =>
  mailBookkeeper(inside, to, {
    kind: 'bookkeeper-question',
    subject: mailSubject`Get the receipts of ${name}?`,
    preheader: `${asker} would like them to come to this address too.`,
    heading: `Get the receipts of ${name}?`,
    paragraphs: [
      `${asker} would like copies of the receipts and tax invoices that ${brand.name} sends to ${name} to come to this address too, as PDFs.`,
      'If you agree, press the button. It works for seven days.',
    ],
    action: { label: 'Get the copies', url: `${inside.env.appUrl}/bookkeeper/confirm?token=${token}` },
    footer: `If you don’t know ${name}, ignore this email: nothing else comes.`,
  });

export const whyCopies = (name: string) =>
  `You’re receiving this because ${name} asked for copies to this address, and it was confirmed.`;

/** What was charged in the end may be less than the invoice asked for: credit or an earlier note has paid the rest. */
function paidText(name: string, invoice: InvoiceRow): string {
  const { description, totalCents, amountPaidCents, gstCents, paidAt, issuedAt } = invoice;
  const [total, paid, gst] = [totalCents, amountPaidCents, gstCents].map(formatCents);
  const on = formatSydneyDate(paidAt ?? issuedAt);
  const credit = totalCents - amountPaidCents;
  return credit > 0
    ? `${name} paid ${paid} of ${total} for ${description} on ${on}; ${formatCents(credit)} was credit. ${gst} of the ${total} is GST.`
    : `${name} paid ${total} for ${description} on ${on}. ${gst} of it is GST.`;
}

/** A receipt, or the note of a refund, with its PDF. */
export function mailCopy(
  inside: Context,
  to: BookkeeperRow,
  name: string,
  document: documents.Document,
  file: MailFile,
) {
  const { invoice, note } = document;
  const { number, totalCents, gstCents } = note ?? invoice;
  const amount = formatCents(totalCents);
  const what = note ? 'Adjustment note' : 'Tax invoice';
  const title = `${what}${number === null ? '' : ` ${number}`}`;
  const gst = `${formatCents(gstCents)} of it is GST.`;
  const of = `${invoice.description} (invoice ${invoice.number ?? 'without a number'})`;
  const says = note
    ? isRefund(invoice, note)
      ? `${amount} of what ${name} paid for ${of} was refunded on ${formatSydneyDate(note.issuedAt)}. ${gst}`
      : `${amount} was taken off what ${name} was to pay for ${of} on ${formatSydneyDate(note.issuedAt)}. ${gst}`
    : paidText(name, invoice);
  return mailBookkeeper(inside, to, {
    kind: 'bookkeeper-copy',
    subject: note ? mailSubject`Adjustment note ${note.number}` : mailSubject`Tax invoice ${number ?? ''}, ${name}`,
    preheader: says,
    heading: title,
    paragraphs: [says, `The ${what.toLowerCase()} is attached.`],
    footer: whyCopies(name),
    files: [file],
  });
}
