import type Stripe from 'stripe';
import { notWhole, SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { newObject } from '../store/new-object.ts';
import { idOrNull, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';

type Charge = Objects['charge'];
type Refund = Objects['refund'];
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** Gives money of a charge back to its card; refuses more than was taken. */
export async function refundCharge(
  store: Store,
  charge: Charge,
  cents: number | undefined,
  reason: Refund['reason'] = null,
): Promise<Refund> {
  const left = charge.amount_captured - charge.amount_refunded;
  if (charge.refunded)
    throw new SandboxError(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const disputes = charge.disputed ? await store.select('dispute', { equal: { charge: charge.id } }) : [];
  if (disputes.some((dispute) => !dispute.is_charge_refundable))
    throw new SandboxError(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  const amount = cents ?? left;
  if (!Number.isInteger(amount) || amount < 1) throw notWhole('amount', 'positive integer');
  if (amount > left)
    throw new SandboxError(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      { param: 'amount' },
    );
  const refund = newObject('refund', store.at, {
    amount,
    charge: charge.id,
    currency: charge.currency,
    customer: idOrNull(charge.customer),
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    payment_intent: idOrNull(charge.payment_intent),
    payment_method: charge.payment_method,
    reason,
    status: 'succeeded',
  });
  await store.save(refund, 'refund.created');
  const refunded = { ...charge, amount_refunded: charge.amount_refunded + amount, refunded: amount === left };
  await store.save(refunded, 'charge.refunded', { amount_refunded: charge.amount_refunded });
  return refund;
}

/** The charge that took an intent's money. */
export async function chargeOf(store: Store, intent: Objects['payment_intent']): Promise<Charge> {
  const id = intent.status === 'succeeded' ? idOrNull(intent.latest_charge) : null;
  if (!id)
    throw new SandboxError(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      code: 'payment_intent_unexpected_state',
    });
  return store.get('charge', id);
}

export const create = handle<Stripe.RefundCreateParams>(
  ['payment_intent', 'amount', 'reason'],
  async (store, { payment_intent: intent, amount, reason }) => {
    if (!intent) throw unsupported('refunds without a payment_intent', 'payment_intent');
    const charge = await chargeOf(store, await store.get('payment_intent', intent, 'payment_intent'));
    return refundCharge(store, charge, amount, reason);
  },
);
