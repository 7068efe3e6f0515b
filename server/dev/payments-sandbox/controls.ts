import type pg from 'pg';
import { SandboxError } from './http/error.ts';
import { intentOf } from './invoices/collect.ts';
import { issueCreditNote } from './invoices/credit-notes.ts';
import { chargeOf, closeDispute, leftOf, openDispute } from './payments/charges.ts';
import { change, createStore, type Store } from './store/store.ts';

/** An invoice that was paid with a card, and its charge. */
async function paidInvoice(store: Store, id: string) {
  const invoice = await store.get('invoice', id);
  const intent = await intentOf(store, invoice);
  if (!intent) throw new SandboxError('This invoice was not paid with a card.');
  return { invoice, charge: await chargeOf(store, intent) };
}

/** What banks and merchants do without the product asking for it, for tests and for the buttons of /dev. */
export function createControls(pool: pg.Pool, seconds: () => number, changed: () => void) {
  const act = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const done = await change(pool, (client) => work(createStore(client, seconds())));
    changed();
    return done;
  };
  return {
    /** The customer's next charges are declined, whatever the card. */
    failNextCharges: (customerId: string, count = 1) =>
      act(async (store) => store.hide((await store.get('customer', customerId)).id, { failCharges: count })),
    /** As in Stripe's dashboard: a credit note whose amount goes back to the card; without `cents`, all that is left. */
    refundInvoice: (invoiceId: string, cents?: number) =>
      act(async (store) => {
        const { invoice, charge } = await paidInvoice(store, invoiceId);
        const amount = cents ?? leftOf(charge);
        if (amount === 0) throw new SandboxError('This invoice has been refunded already.');
        return issueCreditNote(store, invoice, { invoice: invoiceId, amount, refund_amount: amount });
      }),
    /** The cardholder tells their bank that the invoice's charge was not theirs. */
    openDispute: (invoiceId: string, how?: { inquiry?: boolean }) =>
      act(async (store) => openDispute(store, (await paidInvoice(store, invoiceId)).charge, how)),
    closeDispute: (disputeId: string, outcome: 'won' | 'lost' | 'prevented') =>
      act(async (store) => closeDispute(store, await store.get('dispute', disputeId), outcome)),
  };
}
