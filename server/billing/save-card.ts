import type { PaymentMethod } from '#shared/api/billing.ts';
import { audit } from '#server/audit/service.ts';
import { customerDetails, type Payer, subjectOf } from '#server/payers/service.ts';
import { askStripe, askStripeIfThere, idOf, isRefusal } from '#server/stripe/ask.ts';
import { ensureCustomer, setDefaultCard } from '#server/stripe/customers.ts';
import { fromStripe } from '#server/subscriptions/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { cardOnFile } from './card-on-file.ts';
import { spreadCard } from './spread-card.ts';

/** Seconds after which a job makes sure that the new card is used everywhere, in case the request died. */
const checkAfter = 60;

/** `POST /api/billing/setup-intent`: what the browser confirms a card with, and what saving it will charge. */
export async function beginCard(context: Context, payer: Payer): Promise<{ clientSecret: string; owedCents: number }> {
  const customer = await ensureCustomer(context, payer);
  const intent = await askStripe(context, (stripe) =>
    stripe.setupIntents.create({
      customer,
      usage: 'off_session',
      // Nothing else that the account has enabled: subscriptions can charge cards only.
      allowed_payment_method_types: ['card'],
    }),
  );
  if (!intent.client_secret) throw new Error(`setup intent ${intent.id} has no secret`);
  return { clientSecret: intent.client_secret, owedCents: await fromStripe.owedByNewCard(context, payer) };
}

/**
 * `POST /api/billing/payment-method`: the card that this payer has confirmed pays everything from now on, including what
 * is owed. Somebody else's setup intent is not found (404). Repeating it is safe.
 */
export async function saveCard(
  context: Context,
  payer: Payer,
  setupIntentId: string,
): Promise<PaymentMethod & fromStripe.Owed> {
  const { stripeCustomerId: customer } = await customerDetails(context.db, payer);
  const intent =
    customer === null
      ? null
      : await askStripeIfThere(context, (stripe) =>
          stripe.setupIntents.retrieve(setupIntentId, { expand: ['payment_method'] }),
        );
  if (!intent || idOf(intent.customer) !== customer || customer === null) throw new AppError('not_found');
  const method = intent.payment_method;
  if (intent.status !== 'succeeded' || !method || typeof method === 'string' || idOf(method.customer) !== customer)
    throw new AppError('card_unconfirmed');
  if (method.type !== 'card') throw new AppError('card_only');

  await context.queue.send(context.db, 'spread-card', { payer, payOwed: true }, { startAfter: checkAfter });
  await setDefaultCard(context, customer, method.id).catch((error: unknown) => {
    // Another card has replaced it meanwhile, and this one was detached.
    throw isRefusal(error) ? new AppError('card_unconfirmed', { cause: error }) : error;
  });
  const owed = await spreadCard(context, payer, { payOwed: true });
  const saved = cardOnFile(await customerDetails(context.db, payer));
  // Another card was saved at the same moment, and this one was detached for it.
  if (!saved) throw new AppError('card_unconfirmed');
  await transaction(context.db, (tx) =>
    audit(within(context, tx), 'billing.card_changed', {
      ...subjectOf(payer),
      after: { brand: method.card?.brand ?? null, last4: method.card?.last4 ?? null },
    }),
  );
  return { ...saved, ...owed };
}
