import { brand } from '#shared/brand.ts';
import { notify } from '#server/notifications/service.ts';
import { findPayerFacts, type Payer, type PayerWords, wordsFor } from '#server/payers/service.ts';
import { chargeSentence, endingSentence, forecastFor, nextCharge, refusalsFor } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';

type Told = {
  kind: string;
  title: string;
  /** What was done, addressed to whoever pays. */
  sentence: (words: PayerWords) => string;
  reason: string;
  /** Its next charge, or its end, is told; without one, the payer's next charge for anything. */
  subscriptionId?: string;
  /** Identifies the act, so that it is told once. */
  key: string;
};

/** Tells whoever pays, in the app and by mail, what an administrator did, why, and what is charged next. */
export async function tellPayer(
  context: Context,
  payer: Payer,
  { kind, title, sentence, reason, subscriptionId, key }: Told,
): Promise<void> {
  const facts = await findPayerFacts(context.db, payer);
  if (!facts) return;
  const words = wordsFor(payer, facts);
  const forecast = await forecastFor(context, payer);
  const charge = forecast.charges.find((one) => one.subscriptionId === subscriptionId);
  const ending = forecast.endings.find((one) => one.subscriptionId === subscriptionId);
  const refusals = await refusalsFor(context, facts.contactId);
  const next = charge
    ? [chargeSentence(charge, words, refusals(charge.toolId))]
    : ending
      ? [endingSentence(ending, words, refusals(ending.toolId))]
      : nextCharge(forecast, words, refusals);
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
      paragraphs: [message, ...next, `If you think this is a mistake, write to ${brand.supportEmail}.`],
      actionLabel: words.tools.actionLabel,
      always: true,
    },
  });
}
