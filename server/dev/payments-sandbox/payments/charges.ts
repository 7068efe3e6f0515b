import { newObject } from '../store/new-object.ts';
import { idOrNull, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import type { Decline } from './test-cards.ts';

type Charge = Objects['charge'];
type Intent = Objects['payment_intent'];
type Method = Objects['payment_method'];

/** One attempt to take money that reached the bank, and what the bank said. */
export async function recordCharge(
  store: Store,
  intent: Intent,
  method: Method,
  decline: Decline | null,
): Promise<Charge> {
  const paid = decline === null;
  const { card = null } = method;
  const id = newId('charge');
  const charge = newObject('charge', store.at, {
    id,
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    billing_details: method.billing_details,
    captured: paid,
    currency: intent.currency,
    customer: idOrNull(intent.customer),
    description: intent.description,
    failure_code: decline?.code,
    failure_message: decline?.message,
    outcome: {
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: decline?.declineCode,
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: card && {
      card: {
        amount_authorized: intent.amount,
        brand: card.brand,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        last4: card.last4,
      },
      type: 'card',
    },
    receipt_url: paid ? `https://pay.sandbox.invalid/receipts/${id}` : null,
    status: paid ? 'succeeded' : 'failed',
  });
  return store.save(charge, paid ? 'charge.succeeded' : 'charge.failed');
}
