import { minute, plus } from '#shared/rules/dates.ts';
import { customerDetails, type Payer } from '#server/payers/service.ts';
import { askStripe, askStripeUnlessRefused, detachCards, idOf, letCustomersCardPay } from '#server/stripe/service.ts';
import { payableByCard, syncStripeSubscription } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';
import { syncCard } from './card-on-file.ts';

/** What was owed and is paid now, and what was refused. */
export type Owed = { paidCents: number; refusedCents: number };

const nothing: Owed = { paidCents: 0, refusedCents: 0 };

/**
 * Makes the payer's newest card pay everything: it becomes the default, no subscription keeps a card of its own, older cards
 * are detached; with `payOwed` it pays what is owed. All this follows from Stripe's state, so it may run twice or start again.
 * A refusal (a declined card, an invoice paid meanwhile) is ignored: the next sync shows the result.
 */
export async function spreadCard(context: Context, payer: Payer, { payOwed = false } = {}): Promise<Owed> {
  const { stripeCustomerId: customer } = await customerDetails(context.db, payer);
  if (!customer) return nothing;
  const { card } = await syncCard(context, payer, customer);
  if (!card) return nothing;
  const page = await askStripe(context, (stripe) => stripe.subscriptions.list({ customer, limit: 100 }));
  await Promise.all(page.data.map((subscription) => letCustomersCardPay(context, subscription)));
  const owed = payOwed ? await payWhatIsOwed(context, payer, customer, card.id) : nothing;
  // Of two cards of the same second only one may detach the other, or both would be gone. After a minute the default detaches either.
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

/**
 * Pays open invoices, but not those of an unconfirmed purchase or a cancelled subscription. The idempotency key names invoice
 * and card, so that each card is tried once.
 */
async function payWhatIsOwed(context: Context, payer: Payer, customer: string, methodId: string): Promise<Owed> {
  const open = await askStripe(context, (stripe) => stripe.invoices.list({ customer, status: 'open', limit: 100 }));
  const owed = { ...nothing };
  if (open.data.length === 0) return owed;
  const chargeable = new Set((await payableByCard(context, payer)).map(({ stripeId }) => stripeId));
  for (const invoice of open.data) {
    const subscription = idOf(invoice.parent?.subscription_details?.subscription);
    const { id } = invoice;
    if (!id || !subscription || !chargeable.has(subscription)) continue;
    const paid = await askStripeUnlessRefused(context, (stripe) =>
      stripe.invoices.pay(
        id,
        { payment_method: methodId, off_session: false },
        { idempotencyKey: `invoice:pay:${id}:${methodId}` },
      ),
    );
    owed[paid ? 'paidCents' : 'refusedCents'] += invoice.amount_remaining;
    await syncStripeSubscription(context, subscription, async () => undefined);
  }
  return owed;
}
