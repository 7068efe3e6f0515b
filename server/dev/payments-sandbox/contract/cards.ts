import type Stripe from 'stripe';
import { refusal, type Case } from './scene.ts';

/** Cards that are kept, and who may use them. */
export const cards: Case[] = [
  {
    name: 'a card is attached, listed and detached, and nothing pays with it then',
    async run({ stripe, customer, paid, defaultCard, read }) {
      const subscription = await paid();
      const id = await defaultCard('pm_card_mastercard');
      await stripe.subscriptions.update(subscription.id, { default_payment_method: id });
      const { data } = await stripe.customers.listPaymentMethods(customer, { limit: 100 });
      const { customer: owner } = await stripe.paymentMethods.detach(id);
      const after = (await stripe.customers.retrieve(customer)) as Stripe.Customer;
      return [
        [data.length, data.some(({ card }) => card?.last4 === '4444')],
        [owner, after.invoice_settings.default_payment_method, (await read(subscription)).default_payment_method],
        (await refusal(stripe.paymentMethods.detach(id))) !== 'accepted',
      ];
    },
    is: [[2, true], [null, null, null], true],
  },
  {
    name: 'a card that the bank refuses is not attached',
    async run({ card }) {
      const { status, type, code } = (await refusal(card('pm_card_chargeDeclined'))) as Record<string, unknown>;
      return { status, type, code };
    },
    is: { status: 402, type: 'card_error', code: 'card_declined' },
  },
  {
    name: 'somebody else’s card can’t be a default',
    async run({ stripe, customer, newCustomer, card }) {
      const other = await card('pm_card_visa', await newCustomer());
      const update = stripe.customers.update(customer, { invoice_settings: { default_payment_method: other } });
      return (await refusal(update)) !== 'accepted';
    },
    is: true,
  },
  {
    name: 'a setup intent for cards keeps one without charging it',
    async run({ stripe, customer }) {
      const { id } = await stripe.setupIntents.create({
        customer,
        usage: 'off_session',
        allowed_payment_method_types: ['card'],
      });
      const { status } = await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' });
      const { data } = await stripe.customers.listPaymentMethods(customer);
      return [status, data.length, (await stripe.charges.list({ customer })).data.length];
    },
    is: ['succeeded', 1, 0],
  },
];
