import { formatCents } from '#shared/rules/billing/money.ts';
import { financialYearText, sydneyDate } from '#shared/rules/dates.ts';
import type { FileReply } from '#shared/api/endpoint.ts';
import { invoicesCsv, statements } from '#server/invoices/service.ts';
import { type MoneyMail, notify } from '#server/notifications/service.ts';
import { columnsOf, type Payer, payerKey, requirePayerFacts } from '#server/payers/service.ts';
import { toldBills } from '#server/subscriptions/service.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { heading } from '#server/platform/mail-subject.ts';
import type { MailTable } from '#server/platform/mail-content.ts';
import type { MailFile } from '#server/platform/mailer.ts';
import { eachOf } from '#server/platform/queue/each-of.ts';
import { mailBookkeeper, whyCopies } from './mails.ts';
import { claimStatement, findBookkeeper, payersWithoutStatement } from './queries.ts';

const perRun = 500;

/** The financial year whose statements are due: the one that has ended, for three months from 1 July in Sydney. */
export function yearDue(now: Date): number | null {
  const [year, month] = sydneyDate(now).split('-').map(Number);
  return month! >= 7 && month! <= 9 ? year! : null;
}

/**
 * Mails every payer who paid anything in the year, and their bookkeeper, its statement once. What is sent is kept, so it may run at any
 * time and twice.
 */
export async function sendStatements(context: Context): Promise<void> {
  const financialYear = yearDue(context.now());
  if (financialYear === null) return;
  await eachOf(context, {
    find: async () => {
      const payers = await payersWithoutStatement(context.db, financialYear, perRun);
      return payers.map((payer) => ({ id: payerKey(payer), payer }));
    },
    work: ({ payer }) => sendStatement(context, payer, financialYear),
    fault: 'a statement was not mailed',
  });
}

const fileOf = ({ name, body }: FileReply, contentType: string): MailFile => {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new Error(`${name} is not whole`);
  return { name, contentType, body: Buffer.from(body) };
};

async function sendStatement(context: Context, payer: Payer, financialYear: number): Promise<void> {
  const statement = await statements.readStatement(context, payer, financialYear);
  const files = [
    fileOf(await statements.drawStatement(context, payer, statement), 'application/pdf'),
    fileOf(await invoicesCsv(context, payer, financialYear), 'text/csv'),
  ];
  await inTransaction(context, async (inside, tx) => {
    if (!(await claimStatement(tx, payer, financialYear, inside.now()))) return;
    const facts = await requirePayerFacts(tx, payer);
    const words = wordsOf(statement, facts.teamName);
    const { teamId } = columnsOf(payer);
    const isHeard = await notify(inside, {
      userId: facts.contactId,
      type: 'subscription_renewal',
      title: words.title,
      message: words.paragraphs.join(' '),
      actionUrl: `/invoices?year=${financialYear}${teamId === null ? '' : `&team=${teamId}`}`,
      dedupeKey: `statement:${payerKey(payer)}:${financialYear}`,
      mail: { ...words, kind, always: true, actionLabel: 'Open the invoices', files },
    });
    if (isHeard) await toldBills.keepWords(inside, payer, facts.contactId, { ...words, kind });
    const to = await findBookkeeper(tx, payer);
    if (!to?.confirmedAt) return;
    const name = facts.name.trim();
    const { title, subject, ...content } = wordsOf(statement, name);
    await mailBookkeeper(inside, to, {
      ...content,
      kind: 'bookkeeper-statement',
      subject,
      preheader: content.paragraphs[0]!,
      heading: title,
      footer: whyCopies(name),
      files,
    });
  });
}

const kind = 'year-statement' satisfies MoneyMail;

/** `name`: of the payer, where it is not the reader. */
function wordsOf({ financialYear, paid, refunded, unpaidCents, tools }: statements.Statement, name: string | null) {
  const year = financialYearText(financialYear);
  const total = { cents: paid.cents - refunded.cents, gstCents: paid.gstCents - refunded.gstCents };
  const table: MailTable = {
    rows: [
      ...tools.map(({ name: tool, cents }) => ({ label: tool, amount: formatCents(cents) })),
      ...(refunded.cents > 0 ? [{ label: 'Refunded', amount: formatCents(-refunded.cents) }] : []),
    ],
    total: {
      label: refunded.cents > 0 ? 'Paid less refunds' : 'Paid',
      note: `Includes ${formatCents(total.gstCents)} GST`,
      amount: formatCents(total.cents),
    },
  };
  return {
    ...(name === null ? heading`Statement of the financial year ${year}` : heading`Statement of ${year}, ${name}`),
    paragraphs: [
      `${name ?? 'You'} paid ${formatCents(paid.cents)} in the financial year ${year}, ${formatCents(paid.gstCents)} of it GST.`,
      ...(refunded.cents > 0
        ? [`${formatCents(refunded.cents)} was refunded, ${formatCents(refunded.gstCents)} of it GST.`]
        : []),
      ...(unpaidCents > 0 ? [`${formatCents(unpaidCents)} was invoiced in that year and is not paid yet.`] : []),
      'The statement is attached as a PDF, and its invoices as a CSV file for Xero and MYOB.',
    ],
    table,
  };
}
