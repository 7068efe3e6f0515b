import type Stripe from 'stripe';
import { billOf, productOf } from './bills.ts';
import { invoiceOf, periodOf, refusal, short, type Case, type Scene } from './scene.ts';

const idsOf = (lines: Stripe.InvoiceLineItem[]) =>
  lines.map((line) => line.parent?.invoice_item_details?.invoice_item ?? null);
const sumOf = (lines: Stripe.InvoiceLineItem[]) => lines.reduce((total, { amount }) => total + amount, 0);

/** Says what waits for a bill: an amount for part of a month. */
export async function adjust(
  { stripe, customer, rate }: Scene,
  bill: Stripe.Subscription | null,
  amount: number,
  more: Stripe.InvoiceItemCreateParams = {},
) {
  const own = { currency: 'aud', discountable: false, tax_rates: [await rate()], description: 'Hugh Lang joined' };
  const of = bill && { subscription: bill.id };
  return stripe.invoiceItems.create({ customer, amount, ...own, ...of, ...more });
}

/** Amounts that wait for a bill, or are put on its draft. */
export const adjustments: Case[] = [
  {
    name: 'charges and credits that wait are on the next invoice, the newest first, each with its own GST and metadata',
    async run(scene) {
      const bill = await billOf(scene, 5000);
      const { start, end } = periodOf(bill);
      const period = { start: start + 3600, end };
      const joined = await adjust(scene, bill, 4760, { period, metadata: { adjustment: '1' } });
      await scene.clock.pass(1);
      const left = await adjust(scene, bill, -1100, { period, metadata: { adjustment: '2' } });
      const preview = await scene.stripe.invoices.createPreview({ subscription: bill.id });
      const { lines, total, total_taxes: taxes } = invoiceOf(await scene.renewed(bill));
      const [first, second, month] = lines.data;
      return [
        [preview.total, total, (taxes ?? []).map(({ amount }) => amount), sumOf(lines.data)],
        [idsOf(lines.data)[0] === left.id, idsOf(lines.data)[1] === joined.id],
        [first, second, month].map((line) => [
          line!.amount,
          line!.parent?.type,
          line!.taxes?.map(({ amount }) => amount),
        ]),
        [first, second].map((line) => [line!.metadata, line!.discountable, line!.period.start === period.start]),
        first!.parent?.invoice_item_details?.subscription === bill.id,
        (await scene.waiting()).length,
      ];
    },
    is: [
      [8660, 8660, [788], 8660],
      [true, true],
      [
        [-1100, 'invoice_item_details', [-100]],
        [4760, 'invoice_item_details', [433]],
        [5000, 'subscription_item_details', [455]],
      ],
      [
        [{ adjustment: '2' }, false, true],
        [{ adjustment: '1' }, false, true],
      ],
      true,
      0,
    ],
  },
  {
    name: 'what waits for one bill is not on another, and what names none is on the next of any',
    async run(scene) {
      const [one, other] = [await billOf(scene, 5000), await billOf(scene, 2000)];
      await adjust(scene, one, 300);
      await adjust(scene, null, 70);
      const total = async ({ id }: Stripe.Subscription) =>
        (await scene.stripe.invoices.createPreview({ subscription: id })).total;
      return [await total(one), await total(other)];
    },
    is: [5370, 2070],
  },
  {
    name: 'a tool’s product is named by an adjustment with a price, which is never below nothing; another has a product of its own',
    async run(scene) {
      const bill = await billOf(scene, 5000);
      const product = await scene.newProduct('Risk profile');
      const price_data = (unit_amount: number) => ({ currency: 'aud', product, unit_amount });
      const create = (params: Stripe.InvoiceItemCreateParams) =>
        scene.stripe.invoiceItems.create({ customer: scene.customer, subscription: bill.id, ...params });
      const item = await create({ price_data: price_data(240), quantity: 2 });
      const refused = await short(create({ price_data: price_data(-240) }));
      const plain = await adjust(scene, bill, 100);
      const { lines } = await scene.stripe.invoices.createPreview({ subscription: bill.id });
      const found = lines.data.filter((line) => productOf(line) === product);
      return [
        [item.amount, item.quantity, found.map(({ amount, quantity }) => [amount, quantity])],
        refused === 'accepted',
        [typeof plain.pricing?.price_details?.product, plain.pricing?.price_details?.product === product],
      ];
    },
    is: [[480, 2, [[480, 2]]], false, ['string', false]],
  },
  {
    name: 'an adjustment that waits is read, changed and deleted',
    async run(scene) {
      const bill = await billOf(scene, 5000);
      const { id } = await adjust(scene, bill, 300, { metadata: { adjustment: '1' } });
      const items = scene.stripe.invoiceItems;
      await items.update(id, { amount: -200, description: 'Hugh Lang left', metadata: { cause: 'left' } });
      const { amount, description, metadata } = await items.retrieve(id);
      const deleted = await items.del(id);
      const { total } = await scene.stripe.invoices.createPreview({ subscription: bill.id });
      return [amount, description, metadata, deleted.deleted, total, await short(items.retrieve(id))];
    },
    is: [
      -200,
      'Hugh Lang left',
      { adjustment: '1', cause: 'left' },
      true,
      5000,
      { status: 404, code: 'resource_missing' },
    ],
  },
  {
    name: 'amounts are put on a draft after its lines, changed and taken off there, until it is final',
    async run(scene) {
      const { stripe, toRenewal, clock, read } = scene;
      const bill = await toRenewal(await billOf(scene, 5000));
      const { id } = invoiceOf(bill);
      const add = (amount: number) => adjust(scene, null, amount, { invoice: id });
      const [stays, goes] = [await add(300), await add(1000)];
      await stripe.invoiceItems.update(stays.id, { amount: -400 });
      await stripe.invoiceItems.del(goes.id);
      const draft = await stripe.invoices.retrieve(id);
      await clock.pass(2 / 24);
      const paid = invoiceOf(await read(bill));
      const late = [await refusal(add(100)), await refusal(stripe.invoiceItems.del(stays.id))];
      return [
        draft.lines.data.map(({ amount }) => amount),
        [draft.total, paid.status, paid.amount_paid, (paid.total_taxes ?? []).map(({ amount }) => amount)],
        late.map((said) => said !== 'accepted'),
        (await stripe.invoiceItems.list({ invoice: id })).data.map(({ amount }) => amount),
      ];
    },
    is: [[5000, -400], [4600, 'paid', 4600, [419]], [true, true], [-400]],
  },
  {
    name: 'credits of more than the bill become the customer’s credit',
    async run(scene) {
      const bill = await billOf(scene, 5000);
      await adjust(scene, bill, -7000);
      const { total, amount_due: due, status } = invoiceOf(await scene.renewed(bill));
      return [total, due, status, await scene.balance()];
    },
    is: [-2000, 0, 'paid', -2000],
  },
  {
    name: 'cancelled at once, a bill of several tools leaves its adjustments waiting, to be deleted',
    async run(scene) {
      const { stripe, clock, waiting } = scene;
      const bill = await billOf(scene, 5000, 2000);
      await adjust(scene, bill, 300);
      await stripe.subscriptions.cancel(bill.id, { invoice_now: false, prorate: false });
      const left = await waiting();
      for (const { id } of left) await stripe.invoiceItems.del(id);
      await clock.pass(32);
      const { data } = await stripe.invoices.list({ customer: scene.customer });
      return [left.length, (await waiting()).length, data.length];
    },
    is: [1, 0, 1],
  },
  {
    name: 'a draft that is told not to advance waits, takes an amount, and is charged once it is made final',
    async run(scene) {
      const { stripe, toRenewal, clock, read } = scene;
      const bill = await toRenewal(await billOf(scene, 5000));
      const { id } = invoiceOf(bill);
      const held = await stripe.invoices.update(id, { auto_advance: false, metadata: { checked: 'no' } });
      await clock.pass(5 / 24);
      const waits = await stripe.invoices.retrieve(id);
      await adjust(scene, null, -400, { invoice: id });
      const final = await stripe.invoices.finalizeInvoice(id, { auto_advance: true });
      await clock.pass(2 / 24);
      const { status, amount_paid: paid } = invoiceOf(await read(bill));
      return [
        [held.auto_advance, held.automatically_finalizes_at, held.metadata],
        [waits.status, waits.attempted],
        [final.status, final.auto_advance, final.total],
        [status, paid],
      ];
    },
    is: [
      [false, null, { checked: 'no' }],
      ['draft', false],
      ['open', true, 4600],
      ['paid', 4600],
    ],
  },
  {
    name: 'a draft that may advance again is made final and charged by itself',
    async run(scene) {
      const { stripe, toRenewal, clock, read } = scene;
      const bill = await toRenewal(await billOf(scene, 5000));
      const { id } = invoiceOf(bill);
      await stripe.invoices.update(id, { auto_advance: false });
      await clock.pass(1);
      const on = await stripe.invoices.update(id, { auto_advance: true });
      await clock.pass(3 / 24);
      const after = invoiceOf(await read(bill));
      return [on.status, on.auto_advance, on.automatically_finalizes_at !== null, after.status, after.amount_paid];
    },
    is: ['draft', true, true, 'paid', 5000],
  },
];
