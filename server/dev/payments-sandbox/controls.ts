import type pg from 'pg';
import { SandboxError } from './http/error.ts';
import { intentOf } from './invoices/collect.ts';
import { issueCreditNote } from './invoices/credit-notes.ts';
import * as disputes from './payments/disputes.ts';
import { chargeOf } from './payments/refunds.ts';
import * as queries from './store/queries.ts';
import { createStore, type Store } from './store/store.ts';

async function chargeBehind(store: Store, invoiceId: string) {
  const intent = await intentOf(store, await store.get('invoice', invoiceId));
  if (intent) return chargeOf(store, intent);
  throw new SandboxError('This invoice was not paid with a card.');
}

/** What banks and merchants do without the product asking for it, for tests and for the buttons of /dev. */
export function createControls(pool: pg.Pool, seconds: () => number, changed: () => void) {
  const act = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const done = await queries.change(pool, (client) => work(createStore(client, seconds())));
    changed();
    return done;
  };
  return {
    /** The customer's next charges are declined, whatever the card. */
    failNextCharges: (customerId: string, count = 1) =>
      act(async (store) => store.hide(await store.get('customer', customerId), { failCharges: count })),
    /** As in Stripe's dashboard: a credit note whose amount goes back to the card; without `cents`, all that is left. */
    refundInvoice: (invoiceId: string, cents?: number) =>
      act(async (store) => {
        const charge = await chargeBehind(store, invoiceId);
        const left = charge.amount_captured - charge.amount_refunded;
        if (left === 0) throw new SandboxError('This invoice has been refunded already.');
        const amount = cents ?? left;
        const invoice = await store.get('invoice', invoiceId);
        return issueCreditNote(store, invoice, { invoice: invoiceId, amount, refund_amount: amount });
      }),
    /** The cardholder tells their bank that the invoice's charge was not theirs. */
    openDispute: (invoiceId: string, how?: { inquiry?: boolean }) =>
      act(async (store) => disputes.openDispute(store, await chargeBehind(store, invoiceId), how)),
    closeDispute: (disputeId: string, outcome: disputes.Outcome) =>
      act(async (store) => disputes.closeDispute(store, await store.get('dispute', disputeId), outcome)),
  };
}
