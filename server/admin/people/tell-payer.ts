import { seller } from '#shared/brand.ts';
import type { MoneyMail } from '#server/notifications/service.ts';
import type { Payer } from '#server/payers/service.ts';
import { toldBills } from '#server/subscriptions/service.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';

type Told = {
  kind: MoneyMail;
  title: string;
  /** What was done, addressed to whoever pays. */
  sentence: (words: toldBills.Telling['words']) => string;
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
  const telling = await toldBills.tellingOf(context, payer);
  const { words } = telling;
  const message = `${sentence(words)} The reason: ${reason}`;
  await toldBills.tell(telling, {
    key: `${kind}:${key}`,
    title,
    message,
    kind,
    subject: mailSubject`${title}${words.whose}`,
    says: [
      message,
      ...toldBills.whatComesNext(telling),
      `If you think this is a mistake, write to ${seller().supportEmail}.`,
    ],
    isAlert: true,
  });
}
