import type Stripe from 'stripe';
import { DAY, HOURS, invoiceOf, periodOf, refusal, short, type Case, type Scene } from './scene.ts';

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
    name: 'fewer seats in a period give their share of it back, on the next invoice',
    async run(scene) {
      const three = { items: [{ price: (await scene.newPrice(2500)).id, quantity: 3 }] };
      const { subscription, rest, seats } = await tenDaysIn(scene, three);
      await seats(1);
      const share = rest(2500) - rest(7500);
      const credit = sum(await scene.waiting()) - share;
      return [credit, invoiceOf(await scene.renewed(subscription)).total - (2500 + share)];
    },
    is: [0, 0],
  },
  {
    name: 'a proration says its net amount, and a credit which line it gives back',
    async run(scene) {
      const { subscription, seats } = await tenDaysIn(scene);
      await seats(2);
      const [charge, credit] = await scene.waiting();
      const { id, lines } = invoiceOf(subscription);
      return [
        [charge!.net_amount === charge!.amount, charge!.proration_details?.credited_items],
        credit!.proration_details?.credited_items?.invoice_line_item_details?.invoice === id,
        credit!.proration_details?.credited_items?.invoice_line_item_details?.invoice_line_items.join() ===
          lines.data[0]!.id,
      ];
    },
    is: [[true, null], true, true],
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
    name: 'an invoice carries its first ten lines, newest prorations first; all of them are listed, the month last',
    async run(scene) {
      const { subscription, seats } = await tenDaysIn(scene);
      for (const quantity of [2, 3, 4, 5, 6, 7]) {
        await seats(quantity);
        await scene.clock.pass(1 * HOURS);
      }
      const { id, total, lines } = invoiceOf(await scene.renewed(subscription));
      const all = await scene.stripe.invoices.listLineItems(id, { limit: 100 });
      const rest = await scene.stripe.invoices.listLineItems(id, { starting_after: lines.data.at(-1)!.id });
      const isProration = (line?: Stripe.InvoiceLineItem) => line?.parent?.subscription_item_details?.proration;
      return [
        [lines.data.length, lines.has_more, all.data.length, sum(all.data) === total],
        [lines.data[0]!.quantity, lines.data.every(isProration), isProration(all.data.at(-1))],
        [...lines.data, ...rest.data].map((line) => line.id).join() === all.data.map((line) => line.id).join(),
      ];
    },
    is: [[10, true, 13, true], [7, true, false], true],
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
    name: 'what ends at once while an end was scheduled is no longer scheduled to end',
    async run({ paid, stripe }) {
      const { id } = await paid();
      await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      const ended = await stripe.subscriptions.cancel(id, cancelNow);
      return [ended.status, ended.cancel_at, ended.cancel_at_period_end];
    },
    is: ['canceled', null, false],
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
];
