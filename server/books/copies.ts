import { day, plus, second } from '#shared/rules/dates.ts';
import { documents, pdfOf } from '#server/invoices/service.ts';
import { columnsOf, payerOf, requirePayerFacts } from '#server/payers/service.ts';
import { realNow } from '#server/platform/clock.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { mailCopy } from './mails.ts';
import { claimCopy, dueCopies } from './queries.ts';

/** What was issued longer ago is not copied any more, in days: a bill in grace is paid within 21. */
const copiedDays = 100;
const perRun = 200;
const runMs = 20 * second;

/**
 * Mails bookkeepers what was paid or refunded since they were asked, each document once. It finds its work by state, so it may run at
 * any time and twice.
 */
export async function mailCopies(context: Context): Promise<void> {
  const until = realNow().getTime() + runMs;
  for (const due of await dueCopies(context.db, plus(context.now(), -copiedDays * day), perRun)) {
    if (realNow().getTime() > until) return;
    try {
      await copyOne(context, due);
    } catch (error) {
      // The next run tries again; the others don't wait for it.
      context.log.error({ err: error, documentId: due.documentId }, 'a copy was not mailed');
    }
  }
}

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
