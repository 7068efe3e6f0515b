import type Stripe from 'stripe';
import { invoiceOf, refusal, type Case, type Scene } from './scene.ts';

/** A renewal whose card is refused. */
async function inArrears(scene: Scene) {
  const { stripe, card, paid, renewed } = scene;
  const subscription = await paid();
  await stripe.subscriptions.update(subscription.id, {
    default_payment_method: await card('pm_card_chargeCustomerFail'),
  });
  return renewed(subscription);
}

/** A renewal that was not paid. */
export const arrears: Case[] = [
  {
    name: 'a refused renewal leaves the subscription past due and its invoice open, to be tried again',
    async run(scene) {
      const subscription = await inArrears(scene);
      const { status, attempt_count: tries, amount_remaining, next_payment_attempt: next } = invoiceOf(subscription);
      return [subscription.status, status, tries, amount_remaining, next !== null];
    },
    is: ['past_due', 'open', 1, 2500, true],
  },
  {
    name: 'another card that pays the open invoice makes it active again',
    async run(scene) {
      const subscription = await inArrears(scene);
      const payment_method = await scene.card('pm_card_visa');
      const paid = await scene.stripe.invoices.pay(invoiceOf(subscription).id, { payment_method });
      return [paid.status, (await scene.read(subscription)).status];
    },
    is: ['paid', 'active'],
  },
  {
    name: 'an open invoice that the card refuses again says so',
    async run(scene) {
      const { stripe, card } = scene;
      const { id } = invoiceOf(await inArrears(scene));
      const payment_method = await card('pm_card_chargeCustomerFail');
      const { type, code } = (await refusal(stripe.invoices.pay(id, { payment_method }))) as Record<string, unknown>;
      return { type, code };
    },
    is: { type: 'card_error', code: 'card_declined' },
  },
  {
    name: 'a renewal in arrears that is cancelled leaves its invoice open, but nobody tries it again',
    async run(scene) {
      const subscription = await inArrears(scene);
      await scene.stripe.subscriptions.cancel(subscription.id, { invoice_now: false, prorate: false });
      const { status, auto_advance: automatic } = invoiceOf(await scene.read(subscription));
      return [status, automatic];
    },
    is: ['open', false],
  },
  {
    name: 'an open invoice can be made void, a paid one can’t',
    async run(scene) {
      const { stripe, paid } = scene;
      const open = invoiceOf(await inArrears(scene));
      const other = invoiceOf(await paid());
      const voided = await stripe.invoices.voidInvoice(open.id);
      return [voided.status, (await refusal(stripe.invoices.voidInvoice(other.id))) !== 'accepted'];
    },
    is: ['void', true],
  },
  {
    name: 'arrears whose invoice is made void are over',
    async run(scene) {
      const subscription = await inArrears(scene);
      await scene.stripe.invoices.voidInvoice(invoiceOf(subscription).id);
      return (await scene.read(subscription)).status;
    },
    is: 'active',
  },
  {
    name: 'one subscription that is cancelled stops the collection of the customer’s other open invoices; it can go on',
    async run(scene) {
      const { stripe, paid, read } = scene;
      const owing = await inArrears(scene);
      const other = await paid();
      await stripe.subscriptions.cancel(other.id, { invoice_now: false, prorate: false });
      const stopped = invoiceOf(await read(owing));
      const again = await stripe.invoices.update(stopped.id, { auto_advance: true });
      return [
        [stopped.status, stopped.auto_advance, stopped.next_payment_attempt],
        [again.status, again.auto_advance, again.next_payment_attempt !== null],
      ];
    },
    is: [
      ['open', false, null],
      ['open', true, true],
    ],
  },
  {
    name: 'a void gives the credit back that its invoice had used up',
    async run(scene) {
      const { stripe, customer, balance } = scene;
      await stripe.customers.createBalanceTransaction(customer, { amount: -1000, currency: 'aud' });
      const open = invoiceOf(await scene.subscribe());
      const used = [open.amount_due, await balance()];
      await stripe.invoices.voidInvoice(open.id);
      return [used, await balance()];
    },
    is: [[1500, 0], -1000],
  },
  {
    name: 'a refused renewal is tried again after three, five and seven days, and then no more: its subscription stays past due',
    async run(scene) {
      const owing = await inArrears(scene);
      const seen = [];
      for (const days of [2, 2, 2, 2]) {
        await scene.clock.pass(days);
        const { status, latest_invoice: invoice } = await scene.read(owing);
        seen.push([status, (invoice as Stripe.Invoice).attempt_count]);
      }
      return seen;
    },
    is: [
      ['past_due', 1],
      ['past_due', 2],
      ['past_due', 3],
      ['past_due', 4],
    ],
  },
];
