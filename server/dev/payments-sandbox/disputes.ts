import type Stripe from 'stripe';
import { DAY } from './due.ts';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { idOf, idOrNull, newId, type Objects } from './objects.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

type Dispute = Objects['dispute'];
type Charge = Objects['charge'];
const ANSWER_WITHIN = 7 * DAY;

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** The cardholder's bank takes the money back until the dispute is decided. */
export async function openDispute(store: Store, charge: Charge, reason = 'fraudulent'): Promise<Dispute> {
  if (!charge.paid || charge.disputed || charge.refunded)
    throw new SandboxError(`Charge ${charge.id} cannot be disputed.`, { code: 'charge_disputed' });
  await store.save({ ...charge, disputed: true });
  const brand = charge.payment_method_details?.card?.brand ?? 'visa';
  const dispute = await store.save<Dispute>({
    id: newId('dispute'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: store.at,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: store.at + ANSWER_WITHIN,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: idOrNull(charge.payment_intent),
    payment_method_details: {
      card: { brand, case_type: 'chargeback', network: brand, network_reason_code: '10.4' },
      type: 'card',
    },
    reason,
    status: 'needs_response',
  });
  await store.emit('charge.dispute.created', dispute);
  await store.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Won, the money comes back; lost, it stays with the cardholder. */
export async function closeDispute(store: Store, dispute: Dispute, outcome: 'won' | 'lost'): Promise<Dispute> {
  if (dispute.status !== 'needs_response')
    throw new SandboxError(`Dispute ${dispute.id} is closed.`, { code: 'dispute_closed' });
  const closed = await store.save<Dispute>({ ...dispute, status: outcome });
  const charge = await store.get('charge', idOf(dispute.charge));
  if (outcome === 'won') {
    await store.save({ ...charge, disputed: false });
    await store.emit('charge.dispute.funds_reinstated', closed);
  }
  await store.emit('charge.dispute.closed', closed);
  return closed;
}

export const retrieve = handle<Stripe.DisputeRetrieveParams>([], (store, _params, id) => store.get('dispute', id));
export const list = handle<Stripe.DisputeListParams>(
  ['charge', 'payment_intent', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    const equal = given({ charge: params.charge, payment_intent: params.payment_intent });
    return listPage(store, 'dispute', params, { equal }, '/v1/disputes');
  },
);
