import type Stripe from 'stripe';
import { DAY, HOURS, invoiceOf, periodOf, refusal, short, type Case, type Scene } from './scene.ts';

const none = { proration_behavior: 'none' } as const;
const gstOf = (line: Stripe.InvoiceLineItem) => line.taxes?.map(({ amount }) => amount);
export const productOf = (line: Stripe.InvoiceLineItem) => line.pricing?.price_details?.product;

/** A paid bill with a line for each of these amounts, the item of the last first. */
export async function billOf({ paid, tool }: Scene, ...cents: number[]) {
  const items = [];
  for (const amount of cents) items.push(await tool(amount));
  return paid({ items });
}

/** One subscription with an item for each tool of a payer. */
export const bills: Case[] = [
  {
    name: 'several items are one invoice, each a line with its product and its own GST',
    async run({ paid, tool, newProduct }) {
      const [note, profile] = [await newProduct('File note'), await newProduct('Risk profile')];
      const items = [await tool(1995, note), await tool(3005, profile)];
      const { lines, total, total_taxes: taxes } = invoiceOf(await paid({ items, metadata: { payer: 'ada' } }));
      const found = [note, profile].map((product) => lines.data.find((line) => productOf(line) === product)!);
      return [
        [total, (taxes ?? []).map(({ amount, taxable_amount: taxed }) => [amount, taxed])],
        found.map((line) => [line.amount, gstOf(line), line.parent?.type, line.metadata]),
      ];
    },
    is: [
      [5000, [[454, 4546]]],
      [
        [1995, [181], 'subscription_item_details', { payer: 'ada' }],
        [3005, [273], 'subscription_item_details', { payer: 'ada' }],
      ],
    ],
  },
  {
    name: 'the metadata of a subscription’s line is the subscription’s as it is now',
    async run({ paid, tool, stripe, read }) {
      const bill = await paid({ items: [await tool(1995)], metadata: { payer: 'ada' } });
      await stripe.subscriptions.update(bill.id, { metadata: { payer: 'bob' } });
      return invoiceOf(await read(bill)).lines.data.map(({ metadata }) => metadata);
    },
    is: [{ payer: 'bob' }],
  },
  {
    name: 'an item without tax rates of its own has those of the subscription',
    async run({ paid, tool, gst }) {
      const items = [{ ...(await tool(1100)), tax_rates: [] }];
      const { lines } = invoiceOf(await paid({ items, default_tax_rates: [await gst()] }));
      return lines.data.map(gstOf);
    },
    is: [[100]],
  },
  {
    name: 'items come, go and change in one call without proration, and nothing is charged until the next invoice',
    async run(scene) {
      const { stripe, tool, clock, waiting, renewed } = scene;
      const bill = await billOf(scene, 1000, 2000);
      await clock.pass(10);
      const [stays, goes] = bill.items.data.toSorted((a, b) => a.price.unit_amount! - b.price.unit_amount!);
      const after = await stripe.subscriptions.update(bill.id, {
        items: [{ id: stays!.id, ...(await tool(1100)) }, { id: goes!.id, deleted: true }, await tool(4000)],
        metadata: { tools: 'two' },
        ...none,
      });
      const sameEnd = after.items.data.every((item) => item.current_period_end === periodOf(bill).end);
      const count = (await waiting()).length;
      const { total } = await stripe.invoices.createPreview({ subscription: bill.id });
      const invoice = invoiceOf(await renewed(after));
      return [sameEnd, count, total, invoice.total, invoice.lines.data.map(({ amount }) => amount).toSorted()];
    },
    is: [true, 0, 5100, 5100, [1100, 4000]],
  },
  {
    name: 'another price without a quantity makes the quantity 1',
    async run(scene) {
      const bill = await scene.paid({ items: [{ ...(await scene.tool(1000)), quantity: 3 }] });
      const [item] = bill.items.data;
      const after = await scene.stripe.subscriptions.update(bill.id, {
        items: [{ id: item!.id, ...(await scene.tool(1100)) }],
        ...none,
      });
      return [item!.quantity, after.items.data[0]!.quantity];
    },
    is: [3, 1],
  },
  {
    name: 'the last item can’t be taken away',
    async run(scene) {
      const bill = await billOf(scene, 1000);
      const items = [{ id: bill.items.data[0]!.id, deleted: true }];
      return (await refusal(scene.stripe.subscriptions.update(bill.id, { items, ...none }))) !== 'accepted';
    },
    is: true,
  },
  {
    name: 'an end with the period is scheduled and taken back in the call that changes the items',
    async run(scene) {
      const { stripe, tool } = scene;
      const bill = await billOf(scene, 1000, 2000);
      const [goes] = bill.items.data;
      const items = [{ id: goes!.id, deleted: true }];
      const ending = await stripe.subscriptions.update(bill.id, { items, cancel_at_period_end: true, ...none });
      const going = await stripe.subscriptions.update(bill.id, {
        items: [await tool(3000)],
        cancel_at_period_end: false,
        ...none,
      });
      return [ending, going].map((one) => [one.items.data.length, one.cancel_at_period_end, one.cancel_at === null]);
    },
    is: [
      [1, true, false],
      [2, false, true],
    ],
  },
  {
    name: 'more than twenty items are refused',
    async run({ subscribe, tool }) {
      const items = [];
      for (let count = 0; count < 21; count += 1) items.push(await tool(1000));
      return (await refusal(subscribe({ items }))) !== 'accepted';
    },
    is: true,
  },
  {
    name: 'a price of less than nothing is refused',
    async run({ subscribe, tool }) {
      return (await refusal(subscribe({ items: [await tool(-100)] }))) !== 'accepted';
    },
    is: true,
  },
  {
    name: 'before it is paid, a bill takes no other items, and after its end nothing but metadata',
    async run({ subscribe, tool, stripe }) {
      const { id } = await subscribe({ items: [await tool(1000), await tool(2000)] });
      const add = async () => refusal(stripe.subscriptions.update(id, { items: [await tool(3000)], ...none }));
      const early = (await add()) !== 'accepted';
      await stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false });
      return [early, (await add()) !== 'accepted', await refusal(stripe.subscriptions.update(id, { metadata: {} }))];
    },
    is: [true, true, 'accepted'],
  },
  {
    name: 'a bill begins at a trial_end: nothing is charged before, and that moment is its anchor',
    async run(scene) {
      const { subscribe, tool, defaultCard, clock, read, toRenewal } = scene;
      await defaultCard('pm_card_visa');
      const trial_end = clock.now() + 9 * DAY;
      const bill = await subscribe({ items: [await tool(1000), await tool(2000)], trial_end });
      const drafted = await toRenewal(bill);
      await clock.pass(2 * HOURS);
      const charged = invoiceOf(await read(bill));
      const draft = invoiceOf(drafted);
      return [
        [bill.status, invoiceOf(bill).status, invoiceOf(bill).total, bill.trial_end === trial_end],
        [drafted.status, drafted.billing_cycle_anchor === trial_end, draft.status, draft.total],
        draft.lines.data.map(({ period }) => period.start === trial_end),
        [charged.status, charged.amount_paid],
      ];
    },
    is: [
      ['trialing', 'paid', 0, true],
      ['active', true, 'draft', 3000],
      [true, true],
      ['paid', 3000],
    ],
  },
  {
    name: 'items change before a trial_end, and a bill that is cancelled by then charges nothing',
    async run(scene) {
      const { subscribe, tool, defaultCard, clock, read, stripe } = scene;
      await defaultCard('pm_card_visa');
      const bill = await subscribe({ items: [await tool(1000)], trial_end: clock.now() + 2 * DAY });
      const more = await stripe.subscriptions.update(bill.id, { items: [await tool(2000)], ...none });
      const { total } = await stripe.invoices.createPreview({ subscription: bill.id });
      await stripe.subscriptions.update(bill.id, { cancel_at_period_end: true, ...none });
      await clock.pass(3);
      const over = await read(bill);
      return [more.items.data.length, total, over.status, invoiceOf(over).total];
    },
    is: [2, 3000, 'canceled', 0],
  },
  {
    name: 'a trial_end in the past is refused',
    async run({ subscribe, tool, clock }) {
      const said = await short(subscribe({ items: [await tool(1000)], trial_end: clock.now() - DAY }));
      return typeof said === 'string' ? said : said.status;
    },
    is: 400,
  },
  {
    name: 'a preview shows the bill as it would be with other items or without an end, after the customer’s balance',
    async run(scene) {
      const { stripe, tool, customer, waiting, read } = scene;
      const bill = await billOf(scene, 1000, 2000);
      await stripe.customers.createBalanceTransaction(customer, { amount: -500, currency: 'aud' });
      await stripe.invoiceItems.create({ customer, subscription: bill.id, amount: 300, currency: 'aud' });
      await stripe.subscriptions.update(bill.id, { cancel_at_period_end: true, ...none });
      const preview = (more: Partial<Stripe.InvoiceCreatePreviewParams> = {}) =>
        stripe.invoices.createPreview({ subscription: bill.id, ...more });
      const items = [{ id: bill.items.data[0]!.id, ...(await tool(1100)) }, await tool(4000)];
      const goes = { items, cancel_at_period_end: false, ...none };
      const all = await preview({ subscription_details: goes, preview_mode: 'next' });
      const month = await preview({ subscription_details: goes, preview_mode: 'recurring' });
      const { total } = await preview();
      const after = await read(bill);
      const unchanged = after.items.data.length === 2 && after.cancel_at_period_end;
      const [first] = bill.items.data;
      const rest = 3000 - first!.price.unit_amount! + 1100 + 4000;
      return [
        [all.total - rest, all.starting_balance, all.amount_due - all.total, month.total - rest, total],
        [all.lines.data.length, all.status, all.id.startsWith('upcoming_in')],
        [unchanged, (await waiting()).length],
      ];
    },
    is: [
      [300, -500, -500, 0, 300],
      [4, 'draft', true],
      [true, 1],
    ],
  },
];
