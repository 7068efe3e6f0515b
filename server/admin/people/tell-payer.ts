import { brand } from '#shared/brand.ts';
import { notify } from '#server/notifications/service.ts';
import { findPayerFacts, type Payer, type PayerWords, wordsFor } from '#server/payers/service.ts';
import { nextBill } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';

type Told = {
  kind: string;
  title: string;
  /** What was done, addressed to whoever pays. */
  sentence: (words: PayerWords) => string;
  reason: string;
  /** Identifies the act, so that it is told once. */
  key: string;
};

/** Tells whoever pays, in the app and by mail, what an administrator did, why, and what is charged next. */
export async function tellPayer(
  context: Context,
  payer: Payer,
  { kind, title, sentence, reason, key }: Told,
): Promise<void> {
  const facts = await findPayerFacts(context.db, payer);
  if (!facts) return;
  const words = wordsFor(payer, facts);
  const message = `${sentence(words)} The reason: ${reason}`;
  await notify(context, {
    userId: facts.contactId,
    type: 'system_alert',
    title,
    message,
    actionUrl: words.tools.actionUrl,
    dedupeKey: `${kind}:${key}`,
    mail: {
      kind,
      subject: `${title}${words.whose}`,
      paragraphs: [
        message,
        ...(await nextBill.whatComesNext(context, payer)),
        `If you think this is a mistake, write to ${brand.supportEmail}.`,
      ],
      actionLabel: words.tools.actionLabel,
      always: true,
    },
  });
}
