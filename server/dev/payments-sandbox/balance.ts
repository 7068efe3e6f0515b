import type Stripe from 'stripe';
import { handle } from './handler.ts';
import { given, listPage } from './lists.ts';
import { idOf, mergeMetadata, newId, type Objects } from './objects.ts';
import { missing, SandboxError } from './sandbox-error.ts';
import type { Store } from './store.ts';

type Transaction = Objects['customer_balance_transaction'];
type About = Partial<Pick<Transaction, 'invoice' | 'credit_note' | 'description' | 'metadata'>>;

/** Moves a customer's balance; negative cents are a credit, which later invoices use up. */
export async function moveBalance(
  store: Store,
  customerId: string,
  amount: number,
  type: Stripe.CustomerBalanceTransaction.Type,
  { currency, ...about }: About & { currency: string },
): Promise<Transaction> {
  const customer = await store.get('customer', customerId);
  const moved = await store.save({ ...customer, balance: customer.balance + amount, currency });
  const transaction = await store.save<Transaction>({
    id: newId('customer_balance_transaction'),
    object: 'customer_balance_transaction',
    amount,
    checkout_session: null,
    created: store.at,
    credit_note: null,
    currency,
    customer: customerId,
    customer_account: null,
    description: null,
    ending_balance: moved.balance,
    invoice: null,
    livemode: false,
    metadata: {},
    type,
    ...about,
  });
  await store.emit('customer.updated', moved, { balance: customer.balance });
  return transaction;
}

/** What an invoice of this total asks for after the balance, and what is left of the balance then. */
export function afterBalance(total: number, balance: number): { due: number; balance: number } {
  const due = Math.max(0, total + balance);
  return { due, balance: total + balance - due };
}

export const create = handle<Stripe.CustomerCreateBalanceTransactionParams>(
  ['amount', 'currency', 'description', 'metadata'],
  async (store, params, id) => {
    if (!Number.isInteger(params.amount))
      throw new SandboxError('Invalid integer: amount', { code: 'parameter_invalid_integer', param: 'amount' });
    return moveBalance(store, id, params.amount, 'adjustment', {
      currency: params.currency,
      description: params.description ?? null,
      metadata: mergeMetadata({}, params.metadata),
    });
  },
);
export const list = handle<Stripe.CustomerListBalanceTransactionsParams>(
  ['invoice', 'created', 'limit', 'starting_after', 'ending_before'],
  (store, params, id) =>
    listPage(
      store,
      'customer_balance_transaction',
      params,
      { equal: { customer: id, ...given({ invoice: params.invoice }) } },
      `/v1/customers/${id}/balance_transactions`,
    ),
);
export const retrieve = handle<Stripe.CustomerRetrieveBalanceTransactionParams>(
  [],
  async (store, _params, id, owner) => {
    const transaction = await store.get('customer_balance_transaction', id);
    if (idOf(transaction.customer) !== owner) throw missing('customer_balance_transaction', id);
    return transaction;
  },
);
