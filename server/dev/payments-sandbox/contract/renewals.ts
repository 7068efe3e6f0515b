import type Stripe from 'stripe';
import { HOURS, idOf, invoiceOf, periodOf, refusal, type Case, type Scene } from './scene.ts';

const totals = async ({ stripe }: Scene, { id }: Stripe.Subscription) =>
  (await stripe.invoices.list({ subscription: id, limit: 100 })).data.map(({ total }) => total).toReversed();

export const renewals: Case[] = [
  {
    name: 'a renewal begins where the period ended, as a draft, and is charged after an hour',
    async run({ paid, toRenewal, clock, read }) {
      const subscription = await paid();
      const draft = await toRenewal(subscription);
      await clock.pass(2 * HOURS);
      const after = await read(subscription);
      return [
        periodOf(draft).start === periodOf(subscription).end,
        [invoiceOf(draft).status, invoiceOf(draft).billing_reason],
        [after.status, invoiceOf(after).status, invoiceOf(after).amount_paid],
      ];
    },
    is: [true, ['draft', 'subscription_cycle'], ['active', 'paid', 2500]],
  },
  {
    name: 'a renewal is a draft for an hour: not charged after fifty minutes, charged after seventy',
    async run({ paid, toRenewal, clock, read }) {
      const draft = await toRenewal(await paid());
      const seen = [invoiceOf(draft).status];
      for (const minutes of [44, 20]) {
        await clock.pass((minutes / 60) * HOURS);
        seen.push(invoiceOf(await read(draft)).status);
      }
      return seen;
    },
    is: ['draft', 'draft', 'paid'],
  },
  {
    name: 'a once-only coupon counts for the first invoice, a lasting one for all',
    async run(scene) {
      const { paid, coupon, renewed } = scene;
      const discounts = [{ coupon: await coupon(50) }, { coupon: await coupon(15, 'once') }];
      const subscription = await paid({ discounts });
      await renewed(subscription);
      return totals(scene, subscription);
    },
    is: [1062, 1250],
  },
  {
    name: 'a coupon of two months counts for two invoices',
    async run(scene) {
      const { paid, coupon, renewed } = scene;
      const subscription = await paid({ discounts: [{ coupon: await coupon(20, 2) }] });
      const after = await renewed(await renewed(subscription));
      return [await totals(scene, subscription), after.discounts.length];
    },
    is: [[2000, 2000, 2500], 0],
  },
  {
    name: 'discounts given later don’t reach a draft',
    async run({ paid, toRenewal, stripe, coupon, read }) {
      const subscription = await toRenewal(await paid());
      await stripe.subscriptions.update(subscription.id, {
        discounts: [{ coupon: await coupon(10) }],
        proration_behavior: 'none',
      });
      return [invoiceOf(await read(subscription)).status, invoiceOf(await read(subscription)).total];
    },
    is: ['draft', 2500],
  },
  {
    name: 'a draft takes the discounts of its subscription when it is told to, and is charged so',
    async run({ paid, toRenewal, stripe, coupon, clock, read }) {
      const subscription = await toRenewal(await paid());
      const { discounts } = await stripe.subscriptions.update(subscription.id, {
        discounts: [{ coupon: await coupon(50) }, { coupon: await coupon(10) }],
        proration_behavior: 'none',
      });
      const draft = await stripe.invoices.update(invoiceOf(subscription).id, {
        discounts: discounts.map((discount) => ({ discount: idOf(discount) })),
      });
      await clock.pass(2 * HOURS);
      const { status, total } = invoiceOf(await read(subscription));
      return [draft.total, draft.discounts.length, status, total];
    },
    is: [1125, 2, 'paid', 1125],
  },
  {
    name: 'a draft loses its discounts when it is told to',
    async run({ paid, toRenewal, stripe, coupon }) {
      const subscription = await toRenewal(await paid({ discounts: [{ coupon: await coupon(10) }] }));
      const draft = await stripe.invoices.update(invoiceOf(subscription).id, { discounts: '' });
      return [invoiceOf(subscription).total, draft.total];
    },
    is: [2250, 2500],
  },
  {
    name: 'a final invoice keeps its discounts',
    async run({ paid, stripe }) {
      const invoice = invoiceOf(await paid());
      return (await refusal(stripe.invoices.update(invoice.id, { discounts: '' }))) !== 'accepted';
    },
    is: true,
  },
  {
    name: 'a running discount that is named by its own id keeps its end',
    async run({ paid, stripe, coupon, clock }) {
      const { id } = await paid({ discounts: [{ coupon: await coupon(20, 3) }] });
      const read = async () => (await stripe.subscriptions.retrieve(id, { expand: ['discounts'] })).discounts;
      const [before] = (await read()) as [Stripe.Discount];
      await clock.pass(5);
      await stripe.subscriptions.update(id, {
        discounts: [{ discount: before.id }, { coupon: await coupon(5) }],
        proration_behavior: 'none',
      });
      const after = (await read()) as Stripe.Discount[];
      return [after.length, after.some(({ end }) => end === before.end)];
    },
    is: [2, true],
  },
  {
    name: 'a new list of discounts replaces the old one, an empty one takes all away',
    async run({ paid, stripe, coupon }) {
      const { id } = await paid({ discounts: [{ coupon: await coupon(20) }] });
      const to = async (discounts: Stripe.SubscriptionUpdateParams['discounts']) =>
        (await stripe.subscriptions.update(id, { discounts: discounts!, proration_behavior: 'none' })).discounts.length;
      return [await to([{ coupon: await coupon(5) }]), await to('')];
    },
    is: [1, 0],
  },
  {
    name: 'while collection is paused, renewals are void at once and the subscription stays active; resumed, it is charged',
    async run({ stripe, paid, renewed, read }) {
      const { id } = await paid();
      await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
      const paused = await renewed(await read({ id }));
      const resumed = await stripe.subscriptions.update(id, { pause_collection: '' });
      const after = await renewed(await read({ id }));
      return [
        [paused.status, paused.pause_collection?.behavior, invoiceOf(paused).status],
        [resumed.pause_collection, after.status, invoiceOf(after).status, invoiceOf(after).amount_paid],
      ];
    },
    is: [
      ['active', 'void', 'void'],
      [null, 'active', 'paid', 2500],
    ],
  },
  {
    name: 'a pause does not reach a draft; finalised by hand it can be made void, and is not charged',
    async run({ stripe, paid, toRenewal, clock, read }) {
      const subscription = await toRenewal(await paid());
      await stripe.subscriptions.update(subscription.id, { pause_collection: { behavior: 'void' } });
      const { id, status } = invoiceOf(await read(subscription));
      const open = await stripe.invoices.finalizeInvoice(id, { auto_advance: false });
      await stripe.invoices.voidInvoice(id);
      await clock.pass(2 * HOURS);
      const after = await read(subscription);
      return [status, open.status, after.status, invoiceOf(after).status, invoiceOf(after).amount_paid];
    },
    is: ['draft', 'open', 'active', 'void', 0],
  },
  {
    name: 'a paid invoice is not paid again',
    run: async ({ paid, stripe }) => (await refusal(stripe.invoices.pay(invoiceOf(await paid()).id))) !== 'accepted',
    is: true,
  },
  {
    name: 'a renewal whose card wants authentication waits for its owner',
    async run({ paid, stripe, card, renewed }) {
      const subscription = await paid();
      await stripe.subscriptions.update(subscription.id, {
        default_payment_method: await card('pm_card_authenticationRequired'),
      });
      const after = await renewed(subscription);
      return [after.status, invoiceOf(after).status, Boolean(invoiceOf(after).confirmation_secret)];
    },
    is: ['past_due', 'open', true],
  },
  {
    name: 'the customer’s default card pays what has none of its own',
    async run({ trial, defaultCard, renewed }) {
      const subscription = await trial();
      await defaultCard('pm_card_visa');
      const after = await renewed(subscription);
      return [after.status, invoiceOf(after).status];
    },
    is: ['active', 'paid'],
  },
  {
    name: 'the subscription’s own card comes before the customer’s default',
    async run({ paid, defaultCard, renewed }) {
      const subscription = await paid();
      await defaultCard('pm_card_chargeCustomerFail');
      return (await renewed(subscription)).status;
    },
    is: 'active',
  },
  {
    name: 'credit of the customer pays first',
    async run({ stripe, customer, paid, renewed, balance }) {
      const subscription = await paid();
      await stripe.customers.createBalanceTransaction(customer, { amount: -1000, currency: 'aud' });
      const { total, amount_due: due } = invoiceOf(await renewed(subscription));
      return [total, due, await balance()];
    },
    is: [2500, 1500, 0],
  },
  {
    name: 'the next invoice is previewed as it will be',
    async run({ stripe, paid, coupon, renewed }) {
      const subscription = await paid({ discounts: [{ coupon: await coupon(10) }] });
      const { total } = await stripe.invoices.createPreview({ subscription: subscription.id });
      return [total, invoiceOf(await renewed(subscription)).total];
    },
    is: [2250, 2250],
  },
  {
    name: 'a renewal is told in events: its invoice made, final and paid, its subscription moved on',
    async run({ stripe, paid, renewed }) {
      const subscription = await paid();
      const invoice = invoiceOf(await renewed(subscription));
      const { data } = await stripe.events.list({
        types: ['invoice.created', 'invoice.finalized', 'invoice.paid', 'customer.subscription.updated'],
        limit: 100,
      });
      const about = data.filter(({ data: { object } }) =>
        [invoice.id, subscription.id].includes((object as { id: string }).id),
      );
      return [...new Set(about.map(({ type }) => type))].toSorted();
    },
    is: ['customer.subscription.updated', 'invoice.created', 'invoice.finalized', 'invoice.paid'],
  },
];
