import type { PaymentMethod } from '#shared/api/billing.ts';
import { minute, plus } from '#shared/rules/dates.ts';
import { audit } from '#server/audit/service.ts';
import { type Payer, requirePayerFacts, subjectOf } from '#server/payers/service.ts';
import { askStripe, askStripeIfThere, idOf, isRefusal } from '#server/stripe/ask.ts';
import {
  detachCards,
  ensureCustomer,
  keepNewestCard,
  letCustomersCardPay,
  setDefaultCard,
} from '#server/stripe/customers.ts';
import { fromStripe, queueMirror } from '#server/subscriptions/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';

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
  const { stripeCustomerId: customer } = await requirePayerFacts(context.db, payer);
  if (customer === null) throw new AppError('not_found');
  const intent = await askStripeIfThere(context, (stripe) =>
    stripe.setupIntents.retrieve(setupIntentId, { expand: ['payment_method'] }),
  );
  if (!intent || idOf(intent.customer) !== customer) throw new AppError('not_found');
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
  const { card: saved } = await requirePayerFacts(context.db, payer);
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

/** Makes the payer's newest card at Stripe the one that pays. With a card, trials go on, and count for the volume discount. */
export async function syncCard(context: Context, payer: Payer) {
  const kept = await keepNewestCard(context, payer);
  await queueMirror(context, payer);
  return kept;
}

const nothing: fromStripe.Owed = { paidCents: 0, refusedCents: 0 };

/**
 * Makes the payer's newest card pay everything: it becomes the default, no subscription keeps a card of its own, older cards
 * are detached; with `payOwed` it pays what is owed. All this follows from Stripe's state, so it may run twice or start again.
 */
export async function spreadCard(context: Context, payer: Payer, { payOwed = false } = {}): Promise<fromStripe.Owed> {
  const kept = await syncCard(context, payer);
  if (!kept?.card) return nothing;
  const { customer, card } = kept;
  const page = await askStripe(context, (stripe) => stripe.subscriptions.list({ customer, limit: 100 }));
  await Promise.all(page.data.map((subscription) => letCustomersCardPay(context, subscription)));
  const owed = payOwed ? await fromStripe.payOpenBills(context, payer, card) : nothing;
  // Only one of two cards of one second may detach the other, or both would be gone. After a minute the default detaches either.
  const sameSecond = plus(new Date(card.created * 1000), minute) > context.now();
  await detachCards(
    context,
    customer,
    ({ id, created }) =>
      id !== card.id && (created < card.created || (created === card.created && (id < card.id || !sameSecond))),
  );
  // The card of a simultaneous request may have become the default just before it was detached.
  await syncCard(context, payer);
  return owed;
}

/** Detaches every card given until then from the payer's customer; later cards stay. It may be repeated. */
export async function detachCardsGivenUntil(context: Context, payer: Payer, until: Date): Promise<void> {
  const { stripeCustomerId: customer } = await requirePayerFacts(context.db, payer);
  if (!customer) return;
  await detachCards(context, customer, ({ created }) => created * 1000 <= until.getTime());
  await syncCard(context, payer);
}
