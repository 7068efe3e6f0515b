import type Stripe from 'stripe';
import { DAY, HOURS, intentOf, invoiceOf, periodOf, refusal, short, type Case, type Scene } from './scene.ts';

const cancelNow = { invoice_now: false, prorate: false } as const;
const inWeek = ({ clock }: Scene) => clock.now() + 7 * DAY;
export const sum = (items: { amount: number }[]) => items.reduce((total, { amount }) => total + amount, 0);

/** A paid subscription ten days into its period; `rest` is the share of an amount that is left from a moment on. */
export async function tenDaysIn(scene: Scene, params: Parameters<Scene['paid']>[0] = {}) {
  const subscription = await scene.paid(params);
  await scene.clock.pass(10);
  const { start, end } = periodOf(subscription);
  const rest = (cents: number, from = scene.clock.now()) => Math.round((cents * (end - from)) / (end - start));
  const seats = (quantity: number, more: Stripe.SubscriptionUpdateParams = {}) =>
    scene.stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]!.id, quantity }],
      ...more,
    });
  const item = ({
    proration_behavior,
    ...own
  }: Stripe.SubscriptionUpdateParams.Item & Stripe.SubscriptionUpdateParams) =>
    scene.stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]!.id, ...own }],
      ...(proration_behavior && { proration_behavior }),
    });
  const change = (params_: Stripe.SubscriptionUpdateParams) =>
    scene.stripe.subscriptions.update(subscription.id, params_);
  return { subscription, start, end, rest, seats, item, change };
}

export const changes: Case[] = [
  {
    name: 'more seats in a period cost their share of it, on the next invoice',
    async run(scene) {
      const { rest, seats } = await tenDaysIn(scene);
      await seats(3);
      const items = await scene.waiting();
      return [items.length, items.every(({ proration }) => proration), sum(items) - (rest(7500) - rest(2500))];
    },
    is: [2, true, 0],
  },
  {
    name: 'seats that are not to be prorated cost nothing until the next invoice',
    async run(scene) {
      const { subscription, seats } = await tenDaysIn(scene);
      await seats(3, { proration_behavior: 'none' });
      const waiting = (await scene.waiting()).length;
      return [waiting, invoiceOf(await scene.renewed(subscription)).total];
    },
    is: [0, 7500],
  },
  {
    name: 'prorations that wait are on the next invoice, beside the month',
    async run(scene) {
      const { subscription, rest, seats } = await tenDaysIn(scene);
      await seats(2);
      const share = rest(5000) - rest(2500);
      const { total } = await scene.stripe.invoices.createPreview({ subscription: subscription.id });
      const invoice = invoiceOf(await scene.renewed(subscription));
      const prorated = invoice.lines.data.filter((line) => line.parent?.subscription_item_details?.proration);
      return [total === invoice.total, sum(prorated) - share, invoice.total - sum(prorated)];
    },
    is: [true, 0, 5000],
  },
  {
    name: 'a proration counts the subscription’s discounts',
    async run(scene) {
      const discounts = [{ coupon: await scene.coupon(50) }];
      const { rest, seats } = await tenDaysIn(scene, { discounts });
      await seats(2);
      const items = await scene.waiting();
      return sum(items.map(({ net_amount, amount }) => ({ amount: net_amount ?? amount }))) - (rest(2500) - rest(1250));
    },
    is: 0,
  },
  {
    name: 'a proration that waits can be deleted',
    async run(scene) {
      const { seats } = await tenDaysIn(scene);
      await seats(2);
      for (const { id } of await scene.waiting()) await scene.stripe.invoiceItems.del(id);
      return (await scene.waiting()).length;
    },
    is: 0,
  },
  {
    name: 'an end with the period is scheduled and taken back, and moves nothing',
    async run(scene) {
      const { end, change } = await tenDaysIn(scene);
      const ending = await change({ cancel_at_period_end: true, proration_behavior: 'none' });
      const going = await change({ cancel_at_period_end: false, proration_behavior: 'none' });
      return [
        [ending.cancel_at === end, periodOf(ending).end === end, ending.status],
        [going.cancel_at, going.cancel_at_period_end, (await scene.waiting()).length],
      ];
    },
    is: [
      [true, true, 'active'],
      [null, false, 0],
    ],
  },
  {
    name: 'an end within the period shortens it, and credits nothing where nothing is to be prorated',
    async run(scene) {
      const { change } = await tenDaysIn(scene);
      const ending = await change({ cancel_at: inWeek(scene), proration_behavior: 'none' });
      return [periodOf(ending).end === ending.cancel_at, (await scene.waiting()).length];
    },
    is: [true, 0],
  },
  {
    name: 'an end within the period credits the rest of it unless told not to',
    async run(scene) {
      const { rest, change } = await tenDaysIn(scene);
      const at = inWeek(scene);
      await change({ cancel_at: at });
      return sum(await scene.waiting()) + rest(2500, at);
    },
    is: 0,
  },
  {
    name: 'taking an end within the period back restores it, and charges nothing where nothing is to be prorated',
    async run(scene) {
      const { subscription, end, change } = await tenDaysIn(scene);
      await change({ cancel_at: inWeek(scene), proration_behavior: 'none' });
      const going = await change({ cancel_at: '', proration_behavior: 'none' });
      return [
        [going.cancel_at, periodOf(going).end === end, (await scene.waiting()).length],
        invoiceOf(await scene.renewed(subscription)).total,
      ];
    },
    is: [[null, true, 0], 2500],
  },
  {
    name: 'taking an end within the period back charges the rest of it unless told not to',
    async run(scene) {
      const { rest, change } = await tenDaysIn(scene);
      const at = inWeek(scene);
      await change({ cancel_at: at, proration_behavior: 'none' });
      await change({ cancel_at: '' });
      return sum(await scene.waiting()) - rest(2500, at);
    },
    is: 0,
  },
  {
    name: 'an end in the past is refused',
    run: async (scene) => {
      const { id } = await scene.paid();
      const past = { cancel_at: scene.clock.now() - DAY };
      return (await refusal(scene.stripe.subscriptions.update(id, past))) !== 'accepted';
    },
    is: true,
  },
  {
    name: 'the reason for an end is kept with it',
    async run(scene) {
      const { id } = await scene.paid();
      const { cancellation_details: said } = await scene.stripe.subscriptions.update(id, {
        cancel_at_period_end: true,
        cancellation_details: { feedback: 'too_expensive', comment: 'For now' },
      });
      return [said?.feedback, said?.comment, said?.reason];
    },
    is: ['too_expensive', 'For now', 'cancellation_requested'],
  },
  {
    name: 'at a scheduled end it is cancelled, and nothing is charged',
    async run(scene) {
      const { subscription, change } = await tenDaysIn(scene);
      await change({ cancel_at: inWeek(scene), proration_behavior: 'none' });
      await scene.clock.pass(7 + 2 * HOURS);
      const { data } = await scene.stripe.invoices.list({ subscription: subscription.id });
      return [(await scene.read(subscription)).status, data.length];
    },
    is: ['canceled', 1],
  },
  {
    name: 'a subscription with a scheduled end has no next invoice',
    async run({ paid, stripe }) {
      const { id } = await paid();
      await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      return short(stripe.invoices.createPreview({ subscription: id }));
    },
    is: { status: 404, code: 'invoice_upcoming_none' },
  },
  {
    name: 'cancelled at once it is over, once and for all',
    async run({ paid, stripe }) {
      const { id } = await paid();
      const { status } = await stripe.subscriptions.cancel(id, cancelNow);
      const again = (await refusal(stripe.subscriptions.cancel(id, cancelNow))) as Record<string, unknown>;
      const revived = await refusal(stripe.subscriptions.update(id, { cancel_at_period_end: false }));
      return [status, again['status'], again['code'], revived !== 'accepted'];
    },
    is: ['canceled', 404, 'resource_missing', true],
  },
  {
    name: 'cancelled at once, what waited for an invoice is dropped',
    async run(scene) {
      const { subscription, seats } = await tenDaysIn(scene);
      await seats(3);
      await scene.stripe.subscriptions.cancel(subscription.id, cancelNow);
      return (await scene.waiting()).length;
    },
    is: 0,
  },
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
  {
    name: 'a refund gives back a part, and never more than was paid',
    async run({ stripe, paid }) {
      const payment_intent = intentOf(invoiceOf(await paid()));
      const { status, amount } = await stripe.refunds.create({ payment_intent, amount: 1000 });
      const much = await refusal(stripe.refunds.create({ payment_intent, amount: 1501 }));
      await stripe.refunds.create({ payment_intent });
      const twice = (await refusal(stripe.refunds.create({ payment_intent }))) as Record<string, unknown>;
      return [status, amount, much !== 'accepted', twice['code']];
    },
    is: ['succeeded', 1000, true, 'charge_already_refunded'],
  },
  {
    name: 'a credit note gives back with its share of GST, and the invoice stays paid',
    async run({ stripe, paid, gst }) {
      const { id: invoice } = invoiceOf(await paid({ default_tax_rates: [await gst()] }));
      const note = await stripe.creditNotes.create({ invoice, amount: 1100, refund_amount: 1100 });
      const tax = (note.total_taxes ?? []).map(({ amount }) => amount);
      const much = await refusal(stripe.creditNotes.create({ invoice, amount: 1401, refund_amount: 1401 }));
      const { status } = await stripe.invoices.retrieve(invoice);
      return [note.status, note.total, tax, note.refunds.length, much !== 'accepted', status];
    },
    is: ['issued', 1100, [100], 1, true, 'paid'],
  },
  {
    name: 'the invoice of a payment is found by its intent',
    async run({ stripe, paid }) {
      const invoice = invoiceOf(await paid());
      const { data } = await stripe.invoicePayments.list({
        payment: { type: 'payment_intent', payment_intent: intentOf(invoice) },
        limit: 1,
      });
      return data.map((payment) => payment.invoice === invoice.id);
    },
    is: [true],
  },
];
