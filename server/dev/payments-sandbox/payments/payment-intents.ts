import type Stripe from 'stripe';
import { invoiceFailed, invoiceNeedsAction, invoicePaid } from '../invoices/outcome.ts';
import { newObject } from '../store/new-object.ts';
import { idOf, idOrNull, newClientSecret, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { recordCharge } from './charges.ts';
import { openDispute } from './disputes.ts';
import { confirming, failed, intentActions, succeeded } from './intents.ts';
import { attachMethod, cardBehind } from './payment-methods.ts';
import { declined, type Decline } from './test-cards.ts';

type Intent = Objects['payment_intent'];

const descriptions: Record<string, string> = {
  subscription_create: 'Subscription creation',
  manual: 'Payment for Invoice',
};

/** A card that pays a subscription's invoice is attached to its customer, whatever the subscription itself keeps; another invoice keeps none. */
export async function createIntent(store: Store, invoice: Objects['invoice']): Promise<Intent> {
  const id = newId('payment_intent');
  const intent = newObject('payment_intent', store.at, {
    id,
    allowed_payment_method_types: ['card'],
    amount: invoice.amount_due,
    capture_method: 'automatic',
    client_secret: newClientSecret(id),
    confirmation_method: 'automatic',
    currency: invoice.currency,
    customer: invoice.customer,
    description: descriptions[invoice.billing_reason ?? ''] ?? 'Subscription update',
    payment_method_types: ['card'],
    setup_future_usage: invoice.parent ? 'off_session' : null,
    status: 'requires_payment_method',
  });
  return store.save(intent, 'payment_intent.created');
}

/** Whether the controls asked for this customer's next charges to fail. */
async function orderedDecline(store: Store, intent: Intent): Promise<Decline | null> {
  const id = idOrNull(intent.customer);
  const left = id ? ((await store.hidden(id)).failCharges ?? 0) : 0;
  if (!id || left < 1) return null;
  await store.hide(await store.get('customer', id), { failCharges: left - 1 });
  return declined('generic_decline');
}

export const paymentIntents = intentActions<Intent>({
  refusal: async (store, intent, card) => card.decline ?? card.chargeDecline ?? (await orderedDecline(store, intent)),
  async succeed(store, intent, method) {
    const charge = await recordCharge(store, intent, method, null);
    const paid = { ...succeeded(intent, method), amount_received: intent.amount, latest_charge: charge.id };
    await store.save(paid);
    if (intent.customer && intent.setup_future_usage) await attachMethod(store, method, idOf(intent.customer));
    await store.emit('payment_intent.succeeded', paid);
    await invoicePaid(store, paid);
    if ((await cardBehind(store, method.id)).card.disputed) await openDispute(store, charge);
    return paid;
  },
  async fail(store, intent, method, decline) {
    // a challenge that was not passed never reached the bank
    const asked = decline.code !== 'payment_intent_authentication_failure';
    const charge = asked ? await recordCharge(store, intent, method, decline) : null;
    const after = failed(intent, method, decline, charge?.id);
    const unpaid = { ...after, latest_charge: charge?.id ?? intent.latest_charge };
    await store.save(unpaid, 'payment_intent.payment_failed');
    await invoiceFailed(store, unpaid);
    return unpaid;
  },
  wait: invoiceNeedsAction,
});
export const confirm = confirming('payment_intent', paymentIntents);

export async function cancelIntent(
  store: Store,
  intent: Intent,
  reason: Stripe.PaymentIntent.CancellationReason,
): Promise<Intent> {
  if (intent.status === 'succeeded' || intent.status === 'canceled') return intent;
  const end = { canceled_at: store.at, cancellation_reason: reason, next_action: null };
  return store.save<Intent>({ ...intent, ...end, status: 'canceled' }, 'payment_intent.canceled');
}
