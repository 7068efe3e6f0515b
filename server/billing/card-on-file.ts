import type { Forecast, PaymentMethod } from '#shared/api/billing.ts';
import { type Card, customerDetails, type Payer, storeCard, storeCredit } from '#server/payers/service.ts';
import { cardOf, detachCards, keepNewestCard } from '#server/stripe/customers.ts';
import { billingForecast, queueMirror } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';

type Stored = { [field in keyof Card]: Card[field] | null };

/** The stored card as the Billing tab shows it; null where there is none. */
export const cardOnFile = (stored: Stored): PaymentMethod | null =>
  stored.cardLast4 === null
    ? null
    : {
        brand: stored.cardBrand ?? 'card',
        last4: stored.cardLast4,
        expMonth: stored.cardExpMonth ?? 0,
        expYear: stored.cardExpYear ?? 0,
      };

/** What a payer is shown of the bills to come, with the card that is charged. */
export async function forecastWithCard(context: Context, payer: Payer): Promise<Forecast> {
  const [forecast, customer] = await Promise.all([billingForecast(context, payer), customerDetails(context.db, payer)]);
  return { ...forecast, card: cardOnFile(customer) };
}

/** Makes the newest card at Stripe the one that pays, and stores the customer's credit and what the Billing tab shows of the card. */
export async function syncCard(context: Context, payer: Payer, customerId: string) {
  const kept = await keepNewestCard(context, customerId);
  await storeCard(context.db, payer, cardOf(kept.card));
  await storeCredit(context.db, payer, kept.creditCents);
  // With a card, trials go on, and count for the volume discount.
  await queueMirror(context, payer);
  return kept;
}

/**
 * Detaches every card given until then from the payer's customer, so that it is no longer charged; later cards stay.
 * Repeating it is safe.
 */
export async function detachCardsGivenUntil(context: Context, payer: Payer, until: Date): Promise<void> {
  const { stripeCustomerId: customer } = await customerDetails(context.db, payer);
  if (!customer) return;
  await detachCards(context, customer, ({ created }) => created * 1000 <= until.getTime());
  await syncCard(context, payer, customer);
}
