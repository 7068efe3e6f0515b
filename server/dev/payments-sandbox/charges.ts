import type Stripe from 'stripe';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { idOrNull, newId, type Objects } from './objects.ts';
import type { Store } from './store.ts';
import type { Decline } from './test-cards.ts';

type Charge = Objects['charge'];
type Intent = Objects['payment_intent'];
type Method = Objects['payment_method'];

const detailsOf = (amount: number, { card }: Method): Charge['payment_method_details'] =>
  card
    ? {
        card: {
          amount_authorized: amount,
          authorization_code: null,
          brand: card.brand,
          checks: card.checks,
          country: card.country,
          electronic_commerce_indicator: null,
          exp_month: card.exp_month,
          exp_year: card.exp_year,
          fingerprint: card.fingerprint ?? null,
          funding: card.funding,
          installments: null,
          last4: card.last4,
          mandate: null,
          network: card.brand,
          network_transaction_id: null,
          regulated_status: 'unregulated',
          three_d_secure: null,
          transaction_link_id: null,
          wallet: null,
        },
        type: 'card',
      }
    : null;

/** One attempt to take money that reached the bank, and what the bank said. */
export async function recordCharge(
  store: Store,
  intent: Intent,
  method: Method,
  decline: Decline | null,
): Promise<Charge> {
  const paid = decline === null;
  const charge = await store.save<Charge>({
    id: newId('charge'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'ADVISERLY SANDBOX',
    captured: paid,
    created: store.at,
    currency: intent.currency,
    customer: idOrNull(intent.customer),
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: decline?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details with this decline.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(intent.amount, method),
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  });
  await store.emit(paid ? 'charge.succeeded' : 'charge.failed', charge);
  return charge;
}

export const retrieve = handle<Stripe.ChargeRetrieveParams>([], (store, _params, id) => store.get('charge', id));
export const list = handle<Stripe.ChargeListParams>(
  ['customer', 'payment_intent', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    const equal = given({ customer: params.customer, payment_intent: params.payment_intent });
    return listPage(store, 'charge', params, { equal }, '/v1/charges');
  },
);
