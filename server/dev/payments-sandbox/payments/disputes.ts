import { SandboxError } from '../http/error.ts';
import { newObject } from '../store/new-object.ts';
import { idOrNull, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { DAY } from '../subscriptions/periods.ts';

type Dispute = Objects['dispute'];
type Charge = Objects['charge'];
const ANSWER_WITHIN = 7 * DAY;

/**
 * The cardholder's bank takes the money back until the dispute is decided; with an inquiry it only asks, and a refund answers it. The
 * charge stays disputed for good, whatever is decided.
 */
export async function openDispute(store: Store, charge: Charge, { inquiry = false } = {}): Promise<Dispute> {
  if (!charge.paid || charge.disputed || charge.refunded)
    throw new SandboxError(`Charge ${charge.id} cannot be disputed.`, { code: 'charge_disputed' });
  await store.save({ ...charge, disputed: true });
  const brand = charge.payment_method_details?.card?.brand ?? 'visa';
  const dispute = newObject('dispute', store.at, {
    amount: charge.amount - charge.amount_refunded,
    charge: charge.id,
    currency: charge.currency,
    evidence_details: { due_by: store.at + ANSWER_WITHIN, submission_method: 'not_submitted' },
    is_charge_refundable: inquiry,
    payment_intent: idOrNull(charge.payment_intent),
    payment_method_details: {
      card: { brand, case_type: inquiry ? 'inquiry' : 'chargeback', network: brand, network_reason_code: '10.4' },
      type: 'card',
    },
    reason: 'fraudulent',
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  });
  await store.save(dispute, 'charge.dispute.created');
  if (!inquiry) await store.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

export type Outcome = 'won' | 'lost' | 'prevented';

/** Won, the money comes back and can be refunded; lost, it stays with the cardholder; prevented, it was settled before it became a dispute. */
export async function closeDispute(store: Store, dispute: Dispute, outcome: Outcome): Promise<Dispute> {
  if (dispute.status !== 'needs_response')
    throw new SandboxError(`Dispute ${dispute.id} is ${dispute.status}.`, { code: 'dispute_closed' });
  const closed = await store.save<Dispute>({ ...dispute, status: outcome, is_charge_refundable: outcome === 'won' });
  if (outcome === 'won') await store.emit('charge.dispute.funds_reinstated', closed);
  await store.emit('charge.dispute.closed', closed);
  return closed;
}
