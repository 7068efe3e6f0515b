import type Stripe from 'stripe';
import type { Context } from '#server/platform/context.ts';
import { convergeProviderSubscription } from '#server/subscriptions/service.ts';
import type { Payer } from './payer.ts';
import { asked, idOf, isRefusal } from './provider.ts';
import { customerDetails } from './queries-payer.ts';
import { collectedSubscriptions } from './queries-invoices.ts';
import { readCard } from './read-card.ts';

/**
 * Makes the default card of the payer's customer the one that pays every live subscription, tries what is owed with it and
 * takes older cards off. What it does follows from the provider's state alone, so that it may run twice or be resumed.
 */
export async function spreadCard(context: Context, payer: Payer): Promise<void> {
  const { stripeCustomerId: customer } = await customerDetails(context.db, payer);
  if (!customer) return;
  const method = await readCard(context, payer, customer);
  if (!method) return;
  const page = await asked(context, (stripe) => stripe.subscriptions.list({ customer, limit: 100 }));
  const live = page.data.filter(({ status }) => status !== 'incomplete');
  await Promise.all(
    live
      .filter((subscription) => idOf(subscription.default_payment_method) !== method.id)
      .map(({ id }) =>
        unlessRefused(() =>
          asked(context, (stripe) => stripe.subscriptions.update(id, { default_payment_method: method.id })),
        ),
      ),
  );
  await payWhatIsOwed(context, payer, customer, method.id);
  await detachOlder(context, customer, method);
}

/**
 * Tries the open invoices of subscriptions that go on; never those of a purchase nobody has confirmed, or of one that was
 * cancelled. Each invoice once per card: the key tells a repetition from a new card.
 */
async function payWhatIsOwed(context: Context, payer: Payer, customer: string, methodId: string): Promise<void> {
  const open = await asked(context, (stripe) => stripe.invoices.list({ customer, status: 'open', limit: 100 }));
  if (open.data.length === 0) return;
  const collected = new Set(await collectedSubscriptions(context.db, payer));
  for (const invoice of open.data) {
    const subscription = idOf(invoice.parent?.subscription_details?.subscription);
    const { id } = invoice;
    if (!id || !subscription || !collected.has(subscription)) continue;
    await unlessRefused(() =>
      asked(context, (stripe) =>
        stripe.invoices.pay(
          id,
          { payment_method: methodId, off_session: false },
          { idempotencyKey: `invoice:pay:${id}:${methodId}` },
        ),
      ),
    );
    await convergeProviderSubscription(context, subscription, async () => undefined);
  }
}

/** Cards given before this one; a newer one may be on its way to take its place. */
async function detachOlder(context: Context, customer: string, kept: Stripe.PaymentMethod): Promise<void> {
  const cards = await asked(context, (stripe) => stripe.customers.listPaymentMethods(customer, { limit: 100 }));
  for (const { id, created } of cards.data)
    if (id !== kept.id && created <= kept.created)
      await unlessRefused(() => asked(context, (stripe) => stripe.paymentMethods.detach(id)));
}

/** A card that is declined, an invoice paid meanwhile, a card detached already: the next reading shows how it stands. */
async function unlessRefused(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
