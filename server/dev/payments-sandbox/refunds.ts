import type Stripe from 'stripe';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { idOrNull, mergeMetadata, newId, type Objects } from './objects.ts';
import { SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

type Charge = Objects['charge'];
type Refund = Objects['refund'];
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** Gives money of a charge back to its card; refuses more than was taken. */
export async function refundCharge(
  store: Store,
  charge: Charge,
  cents: number | undefined,
  { reason = null, metadata = {} }: { reason?: Refund['reason']; metadata?: Stripe.Metadata } = {},
): Promise<Refund> {
  const left = charge.amount_captured - charge.amount_refunded;
  if (charge.refunded)
    throw new SandboxError(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (charge.disputed)
    throw new SandboxError(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  const amount = cents ?? left;
  if (!Number.isInteger(amount) || amount < 1)
    throw new SandboxError('Invalid positive integer: amount', { code: 'parameter_invalid_integer', param: 'amount' });
  if (amount > left)
    throw new SandboxError(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      { param: 'amount' },
    );
  const refund = await store.save<Refund>({
    id: newId('refund'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: store.at,
    currency: charge.currency,
    customer: idOrNull(charge.customer),
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata,
    payment_intent: idOrNull(charge.payment_intent),
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  });
  const refunded = await store.save<Charge>({
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  });
  await store.emit('refund.created', refund);
  await store.emit('charge.refunded', refunded, { amount_refunded: charge.amount_refunded });
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
  ['payment_intent', 'charge', 'amount', 'reason', 'metadata'],
  async (store, params) => {
    if (Boolean(params.payment_intent) === Boolean(params.charge))
      throw new SandboxError(
        'One of the following params should be provided for this request: payment_intent or charge.',
        {
          code: 'parameter_missing',
          param: 'payment_intent',
        },
      );
    const charge = params.payment_intent
      ? await chargeOf(store, await store.get('payment_intent', params.payment_intent, 'payment_intent'))
      : await store.get('charge', params.charge ?? '', 'charge');
    return refundCharge(store, charge, params.amount, {
      reason: params.reason ?? null,
      metadata: mergeMetadata({}, params.metadata),
    });
  },
);
export const retrieve = handle<Stripe.RefundRetrieveParams>([], (store, _params, id) => store.get('refund', id));
export const list = handle<Stripe.RefundListParams>(
  ['charge', 'payment_intent', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params) => {
    const equal = given({ charge: params.charge, payment_intent: params.payment_intent });
    return listPage(store, 'refund', params, { equal }, '/v1/refunds');
  },
);
