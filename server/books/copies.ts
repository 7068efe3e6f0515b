import { day, plus } from '#shared/rules/dates.ts';
import { documents, pdfOf } from '#server/invoices/service.ts';
import { columnsOf, payerOf, requirePayerFacts } from '#server/payers/service.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { eachOf } from '#server/platform/queue/each-of.ts';
import { mailCopy } from './mails.ts';
import { claimCopy, dueCopies } from './queries.ts';

/** What was issued longer ago is not copied any more, in days: a bill in grace is paid within 21. */
const copiedDays = 100;
const perRun = 200;

/**
 * Mails bookkeepers what was paid or refunded since they were asked, each document once. It finds its work by state, so it may run at
 * any time and twice.
 */
export const mailCopies = (context: Context): Promise<void> =>
  eachOf(context, {
    find: async () => {
      const due = await dueCopies(context.db, plus(context.now(), -copiedDays * day), perRun);
      return due.map((one) => ({ ...one, id: one.documentId }));
    },
    work: (due) => copyOne(context, due),
    fault: 'a copy was not mailed',
  });

async function copyOne(context: Context, due: { documentId: string; bookkeeperId: string }): Promise<void> {
  const document = await documents.findDocument(context.db, due.documentId);
  if (!document) return;
  const payer = payerOf(document.invoice);
  const { userId, teamId } = columnsOf(payer);
  const { name, body } = await pdfOf(context, document, userId ?? teamId!);
  const facts = await requirePayerFacts(context.db, payer);
  await inTransaction(context, async (inside, tx) => {
    const to = await claimCopy(tx, due, inside.now());
    const file = { name, contentType: 'application/pdf', body };
    if (to) await mailCopy(inside, to, facts.name.trim(), document, file);
  });
}
