import type Stripe from 'stripe';
import { moveBalance } from '../customers.ts';
import { createPaymentIntent, paymentIntents } from '../payments/intents.ts';
import { idOf, idOrNull } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { afterBalance } from './draft.ts';
import { closePayment, fallBehind, halted, leaveArrears, markPaid, subscriptionOf } from './outcome.ts';

/** Gives the invoice its number and its payment; with nothing due it is paid at once. */
export async function finalizeInvoice(store: Store, draft: Stripe.Invoice): Promise<Stripe.Invoice> {
  const customer = await store.get('customer', idOf(draft.customer ?? ''));
  const sequence = customer.next_invoice_sequence ?? 1;
  await store.save({ ...customer, currency: 'aud', next_invoice_sequence: sequence + 1 });
  const { due, balance } = afterBalance(draft.total, customer.balance);
  const open = await store.save<Stripe.Invoice>({
    ...draft,
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    starting_balance: customer.balance,
    ending_balance: balance,
    next_payment_attempt: null,
    number: `${customer.invoice_prefix ?? 'SANDBOX'}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: store.at },
  });
  const used = balance - customer.balance;
  if (used !== 0) await moveBalance(store, customer.id, used, 'applied_to_invoice', { invoice: open.id });
  await store.emit('invoice.finalized', open);
  if (due === 0) return markPaid(store, open, null);
  const { id: payment_intent } = await createPaymentIntent(store, open);
  await store.create('invoice_payment', {
    invoice: open.id,
    payment: { payment_intent, type: 'payment_intent' },
    status: 'open',
  });
  return open;
}

export async function intentOf(store: Store, { id: invoice }: Stripe.Invoice): Promise<Stripe.PaymentIntent | null> {
  const [payment] = await store.select('invoice_payment', { equal: { invoice } });
  const id = idOrNull(payment?.payment.payment_intent);
  return id ? store.get('payment_intent', id) : null;
}

/** The subscription's own card comes before the customer's. */
export async function cardOnFile(store: Store, subscription: Stripe.Subscription | null, customerId: string) {
  const own = idOrNull(subscription?.default_payment_method);
  return own ?? idOrNull((await store.get('customer', customerId)).invoice_settings.default_payment_method);
}

/** Charges an open invoice to the card on file, with nobody watching. */
export async function collectInvoice(store: Store, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  const intent = await intentOf(store, invoice);
  if (invoice.status !== 'open' || !intent || intent.status === 'canceled') return invoice;
  const card = await cardOnFile(store, await subscriptionOf(store, invoice), idOf(invoice.customer ?? ''));
  if (card) await paymentIntents.attempt(store, intent, await store.get('payment_method', card), 'wait');
  else await fallBehind(store, invoice);
  return store.get('invoice', invoice.id);
}

/** Cancels the invoice's payment, so that nobody can pay it any more. */
export async function cancelPayment(store: Store, invoice: Stripe.Invoice): Promise<void> {
  const intent = await intentOf(store, invoice);
  if (intent && intent.status !== 'succeeded' && intent.status !== 'canceled')
    await store.save({ ...intent, next_action: null, status: 'canceled' }, 'payment_intent.canceled');
  await closePayment(store, invoice, 'canceled');
}

export async function voidInvoice(store: Store, invoice: Stripe.Invoice): Promise<Stripe.Invoice> {
  await cancelPayment(store, invoice);
  const status_transitions = { ...invoice.status_transitions, voided_at: store.at };
  const voided = await store.save<Stripe.Invoice>({ ...invoice, ...halted, status: 'void', status_transitions });
  const { id, customer, starting_balance: before, ending_balance: after } = voided;
  const back = before - (after ?? before);
  if (back !== 0) await moveBalance(store, idOf(customer ?? ''), back, 'unapplied_from_invoice', { invoice: id });
  await store.emit('invoice.voided', voided);
  await leaveArrears(store, voided);
  return voided;
}
