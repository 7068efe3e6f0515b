import type Stripe from 'stripe';
import { notWhole } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { newObject } from '../store/new-object.ts';
import type { Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';

type Transaction = Objects['customer_balance_transaction'];
type About = Partial<Pick<Transaction, 'invoice' | 'credit_note'>>;

/** Moves a customer's balance; negative cents are a credit, which later invoices use up. */
export async function moveBalance(
  store: Store,
  customerId: string,
  amount: number,
  type: Stripe.CustomerBalanceTransaction.Type,
  { currency, ...about }: About & { currency: string },
): Promise<Transaction> {
  const customer = await store.get('customer', customerId);
  const moved = { ...customer, balance: customer.balance + amount, currency };
  await store.save(moved, 'customer.updated', { balance: customer.balance });
  const transaction = { amount, currency, customer: customerId, ending_balance: moved.balance, type, ...about };
  return store.save(newObject('customer_balance_transaction', store.at, transaction));
}

/** No card can be charged less, in cents. */
const SMALLEST_CHARGE = 50;

/**
 * What an invoice of this total asks for after the balance, and what is left of the balance then. Less than can be charged
 * is owed until the next invoice.
 */
export function afterBalance(total: number, balance: number): { due: number; balance: number } {
  const due = total + balance < SMALLEST_CHARGE ? 0 : total + balance;
  return { due, balance: total + balance - due };
}

export const create = handle<Stripe.CustomerCreateBalanceTransactionParams>(
  ['amount', 'currency'],
  async (store, { amount, currency }, id) => {
    if (!Number.isInteger(amount)) throw notWhole('amount');
    return moveBalance(store, id, amount, 'adjustment', { currency });
  },
);
