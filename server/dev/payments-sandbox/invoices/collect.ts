import type Stripe from 'stripe';
import { afterBalance, moveBalance } from '../customers/balance.ts';
import { cancelIntent, createIntent, paymentIntents } from '../payments/payment-intents.ts';
import { newObject } from '../store/new-object.ts';
import { idOf, idOrNull, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { changeSubscription } from '../subscriptions/subscriptions.ts';
import { fallBehind, markPaid, openInvoices, subscriptionOf } from './outcome.ts';

type Invoice = Objects['invoice'];
type Subscription = Objects['subscription'];

/** Gives the invoice its number and its payment; with nothing due it is paid at once. */
export async function finalizeInvoice(store: Store, draft: Invoice): Promise<Invoice> {
  const customer = await store.get('customer', idOf(draft.customer ?? ''));
  const sequence = customer.next_invoice_sequence ?? 1;
  await store.save({ ...customer, currency: draft.currency, next_invoice_sequence: sequence + 1 });
  const { due, balance } = afterBalance(draft.total, customer.balance);
  const open = await store.save<Invoice>({
    ...draft,
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    effective_at: store.at,
    starting_balance: customer.balance,
    ending_balance: balance,
    hosted_invoice_url: `https://invoice.sandbox.invalid/${draft.id}`,
    invoice_pdf: `https://invoice.sandbox.invalid/${draft.id}/pdf`,
    next_payment_attempt: null,
    number: `${customer.invoice_prefix ?? 'SANDBOX'}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: store.at },
  });
  const about = { currency: open.currency, invoice: open.id };
  if (balance !== customer.balance)
    await moveBalance(store, customer.id, balance - customer.balance, 'applied_to_invoice', about);
  await store.emit('invoice.finalized', open);
  if (open.amount_due === 0) return markPaid(store, open, null);
  const intent = await createIntent(store, open);
  const payment = newObject('invoice_payment', store.at, {
    amount_requested: open.amount_due,
    currency: open.currency,
    invoice: open.id,
    is_default: true,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
  });
  await store.save(payment);
  return open;
}

export async function intentOf(store: Store, invoice: Invoice): Promise<Objects['payment_intent'] | null> {
  const [payment] = await store.select('invoice_payment', { equal: { invoice: invoice.id, is_default: true } });
  const id = payment?.payment.payment_intent;
  return id ? store.get('payment_intent', idOf(id)) : null;
}

/** The subscription's own card comes before the customer's. */
export async function cardOnFile(
  store: Store,
  subscription: Subscription | null,
  customerId: string,
): Promise<string | null> {
  const own = idOrNull(subscription?.default_payment_method);
  return own ?? idOrNull((await store.get('customer', customerId)).invoice_settings.default_payment_method);
}

/** Charges an open invoice to the card on file, with nobody watching. */
export async function collectInvoice(store: Store, invoice: Invoice): Promise<Invoice> {
  const intent = await intentOf(store, invoice);
  if (invoice.status !== 'open' || !intent || intent.status === 'canceled') return invoice;
  const card = await cardOnFile(store, await subscriptionOf(store, invoice), idOf(invoice.customer ?? ''));
  if (card) await paymentIntents.attempt(store, intent, await store.get('payment_method', card), 'wait');
  else await fallBehind(store, invoice);
  return store.get('invoice', invoice.id);
}

/** Cancels the invoice's payment, so that nobody can pay it any more. */
export async function cancelPayment(
  store: Store,
  invoice: Invoice,
  reason: Stripe.PaymentIntent.CancellationReason,
): Promise<void> {
  const intent = await intentOf(store, invoice);
  if (intent) await cancelIntent(store, intent, reason);
  for (const payment of await store.select('invoice_payment', { equal: { invoice: invoice.id, status: 'open' } }))
    await store.save({
      ...payment,
      status: 'canceled',
      status_transitions: { ...payment.status_transitions, canceled_at: store.at },
    });
}

export async function voidInvoice(store: Store, invoice: Invoice): Promise<Invoice> {
  await cancelPayment(store, invoice, 'void_invoice');
  const voided: Invoice = {
    ...invoice,
    status: 'void',
    auto_advance: false,
    next_payment_attempt: null,
    automatically_finalizes_at: null,
    status_transitions: { ...invoice.status_transitions, voided_at: store.at },
  };
  await store.save(voided);
  const back = voided.starting_balance - (voided.ending_balance ?? voided.starting_balance);
  if (back !== 0)
    await moveBalance(store, idOf(voided.customer ?? ''), back, 'unapplied_from_invoice', {
      currency: voided.currency,
      invoice: voided.id,
    });
  await store.emit('invoice.voided', voided);
  const subscription = await subscriptionOf(store, voided);
  if (subscription?.status === 'past_due' && !(await openInvoices(store, subscription)).length)
    await changeSubscription(store, subscription, { status: 'active' });
  return voided;
}
