import type Stripe from 'stripe';
import { SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { idOrNull, newId } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { DAY } from '../subscriptions/periods.ts';

type Charge = Stripe.Charge;

/** One attempt to take money that reached the bank, and whether the bank paid. */
export function recordCharge(store: Store, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, paid: boolean) {
  const id = newId('charge');
  const { brand = null, last4 = null } = method.card ?? {};
  const charge = {
    id,
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    customer: idOrNull(intent.customer),
    paid,
    payment_intent: intent.id,
    payment_method_details: method.card && { card: { brand, last4 }, type: 'card' },
    receipt_url: paid ? `https://pay.sandbox.invalid/receipts/${id}` : null,
    status: paid ? ('succeeded' as const) : ('failed' as const),
  };
  return store.create('charge', charge, paid ? 'charge.succeeded' : 'charge.failed');
}

export async function chargeOf(store: Store, intent: Stripe.PaymentIntent): Promise<Charge> {
  const id = intent.status === 'succeeded' ? idOrNull(intent.latest_charge) : null;
  if (id) return store.get('charge', id);
  throw new SandboxError(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
}

export const leftOf = (charge: Charge) => charge.amount_captured - charge.amount_refunded;

/** Gives money of a charge back to its card; refuses more than was taken. */
export async function refundCharge(
  store: Store,
  charge: Charge,
  amount = leftOf(charge),
  reason: Stripe.Refund['reason'] = null,
): Promise<Stripe.Refund> {
  const left = leftOf(charge);
  if (charge.refunded)
    throw new SandboxError(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const disputes = charge.disputed ? await store.select('dispute', { equal: { charge: charge.id } }) : [];
  if (disputes.some((dispute) => !dispute.is_charge_refundable))
    throw new SandboxError(`Charge ${charge.id} has been charged back.`, { code: 'charge_disputed' });
  if (amount < 1 || amount > left) throw new SandboxError(`The refund must be positive and at most ${left}.`);
  const refund = await store.create(
    'refund',
    {
      amount,
      charge: charge.id,
      customer: idOrNull(charge.customer),
      payment_intent: idOrNull(charge.payment_intent),
      reason,
      status: 'succeeded',
    },
    'refund.created',
  );
  const refunded = { ...charge, amount_refunded: charge.amount_refunded + amount, refunded: amount === left };
  await store.save(refunded, 'charge.refunded');
  return refund;
}

export const createRefund = handle<Stripe.RefundCreateParams>(
  ['payment_intent', 'amount', 'reason'],
  async (store, { payment_intent: intent, amount, reason }) => {
    if (!intent) throw unsupported('refunds without a payment_intent', 'payment_intent');
    const charge = await chargeOf(store, await store.get('payment_intent', intent, 'payment_intent'));
    return refundCharge(store, charge, amount, reason);
  },
);

/**
 * The cardholder's bank takes the money back until the dispute is decided; with an inquiry it only asks, and a refund answers it. The
 * charge stays disputed for good, whatever is decided.
 */
export async function openDispute(store: Store, charge: Charge, { inquiry = false } = {}): Promise<Stripe.Dispute> {
  const { id, paid, disputed, refunded } = charge;
  if (!paid || disputed || refunded) throw new SandboxError(`Charge ${id} cannot be disputed.`);
  await store.save({ ...charge, disputed: true });
  const dispute = await store.create(
    'dispute',
    {
      amount: leftOf(charge),
      charge: id,
      evidence_details: { due_by: store.at + 7 * DAY, submission_method: 'not_submitted' },
      is_charge_refundable: inquiry,
      payment_intent: idOrNull(charge.payment_intent),
      reason: 'fraudulent',
      status: inquiry ? 'warning_needs_response' : 'needs_response',
    },
    'charge.dispute.created',
  );
  if (!inquiry) await store.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Won, the money comes back and can be refunded; lost, it stays with the cardholder; prevented, it was settled before it became a dispute. */
export async function closeDispute(
  store: Store,
  dispute: Stripe.Dispute,
  outcome: 'won' | 'lost' | 'prevented',
): Promise<Stripe.Dispute> {
  if (dispute.status !== 'needs_response') throw new SandboxError(`Dispute ${dispute.id} is ${dispute.status}.`);
  const closed: Stripe.Dispute = { ...dispute, status: outcome, is_charge_refundable: outcome === 'won' };
  await store.save(closed);
  if (outcome === 'won') await store.emit('charge.dispute.funds_reinstated', closed);
  await store.emit('charge.dispute.closed', closed);
  return closed;
}
