import { minute, plus } from '#shared/rules/dates.ts';
import { customerDetails, type Payer } from '#server/payers/service.ts';
import { askStripe } from '#server/stripe/ask.ts';
import { detachCards, letCustomersCardPay } from '#server/stripe/customers.ts';
import { fromStripe } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';
import { syncCard } from './card-on-file.ts';

const nothing: fromStripe.Owed = { paidCents: 0, refusedCents: 0 };

/**
 * Makes the payer's newest card pay everything: it becomes the default, no subscription keeps a card of its own, older cards
 * are detached; with `payOwed` it pays what is owed. All this follows from Stripe's state, so it may run twice or start again.
 */
export async function spreadCard(context: Context, payer: Payer, { payOwed = false } = {}): Promise<fromStripe.Owed> {
  const { stripeCustomerId: customer } = await customerDetails(context.db, payer);
  if (!customer) return nothing;
  const { card } = await syncCard(context, payer, customer);
  if (!card) return nothing;
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
  await syncCard(context, payer, customer);
  return owed;
}
