import { expect, test } from 'vitest';
import { amountsOf, contract, HOURS, invalid, invoiceOf, none, now, periodOf } from '../testing/scene.ts';

const scene = await contract();

test('several items make one invoice, each a line with its product and its own GST', async () => {
  const { paid, tool, newProduct } = await scene();
  const [note, profile] = [await newProduct('File note'), await newProduct('Risk profile')];
  const { lines, total, total_taxes } = invoiceOf(await paid({ items: [tool(1995, note), tool(3005, profile)] }));
  expect({ total, total_taxes }).toMatchObject({ total: 5000, total_taxes: [{ amount: 454, taxable_amount: 4546 }] });
  const found = lines.data.map(({ amount, taxes, pricing, parent, discounts }) => {
    const details = parent?.subscription_item_details;
    return [pricing?.price_details?.product, amount, amountsOf(taxes), details?.proration_details, discounts];
  });
  const credits = { credited_items: null };
  expect(found.toSorted((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
    [note, 1995, [181], credits, []],
    [profile, 3005, [273], credits, []],
  ]);
});

test('a call without proration adds, changes and drops items, and nothing is charged or given back until the next invoice', async () => {
  const { stripe, paid, tool, clock, waiting, renewed } = await scene();
  const bill = await paid({ cents: [1000, 2000] });
  await clock.pass(10);
  const [stays, goes] = bill.items.data.toSorted((a, b) => a.price.unit_amount! - b.price.unit_amount!);
  const items = [{ id: stays!.id, ...tool(1100) }, { id: goes!.id, deleted: true }, tool(4000)];
  const after = await stripe.subscriptions.update(bill.id, { items, metadata: { tools: 'two' }, ...none });
  for (const { current_period_end } of after.items.data) expect(current_period_end).toBe(periodOf(bill).end);
  expect(await waiting()).toEqual([]);
  expect((await stripe.invoices.createPreview({ subscription: bill.id })).total).toBe(5100);
  const { total, lines } = invoiceOf(await renewed(after));
  expect([total, amountsOf(lines.data).toSorted()]).toEqual([5100, [1100, 4000]]);
});

test.each([
  ['more', 5],
  ['fewer', 1],
])('%s seats without proration cost nothing and give nothing back until the next invoice', async (_what, quantity) => {
  const { stripe, paid, tool, clock, waiting, renewed } = await scene();
  const bill = await paid({ items: [{ ...tool(2500), quantity: 3 }] });
  await clock.pass(10);
  const items = [{ id: bill.items.data[0]!.id, quantity }];
  const after = await stripe.subscriptions.update(bill.id, { items, ...none });
  expect(await waiting()).toEqual([]);
  expect(invoiceOf(await renewed(after))).toMatchObject({ total: 2500 * quantity, amount_paid: 2500 * quantity });
});

test('a bill with fewer items costs less from the next invoice on, and gives nothing back; the last item can’t go', async () => {
  const { stripe, paid, waiting, renewed } = await scene();
  const bill = await paid({ cents: [1000, 2000] });
  const [goes, stays] = bill.items.data;
  const without = (id: string) => ({ items: [{ id, deleted: true }], ...none });
  const after = await stripe.subscriptions.update(bill.id, without(goes!.id));
  expect(await waiting()).toEqual([]);
  expect(invoiceOf(await renewed(after)).total).toBe(stays!.price.unit_amount);
  await expect(stripe.subscriptions.update(bill.id, without(stays!.id))).rejects.toMatchObject(invalid());
});

test('one call changes the items, and schedules the end with the period or takes it back', async () => {
  const { stripe, paid, tool } = await scene();
  const { id, items } = await paid({ cents: [1000, 2000] });
  const gone = [{ id: items.data[0]!.id, deleted: true }];
  const ending = await stripe.subscriptions.update(id, { items: gone, cancel_at_period_end: true, ...none });
  const back = { items: [tool(3000)], cancel_at_period_end: false, ...none };
  const going = await stripe.subscriptions.update(id, back);
  expect(
    [ending, going].map((one) => [one.items.data.length, one.cancel_at_period_end, one.cancel_at === null]),
  ).toEqual([
    [1, true, false],
    [2, false, true],
  ]);
});

test('the next invoice takes waiting charges and credits, the newest first, each with its own GST and metadata', async () => {
  const { stripe, clock, paid, adjust, renewed, waiting } = await scene();
  const bill = await paid({ cents: [5000] });
  const { start, end } = periodOf(bill);
  const about = { subscription: bill.id, period: { start: start + 3600, end } };
  const joined = await adjust(4760, { ...about, metadata: { adjustment: '1' } });
  await clock.pass(1);
  const left = await adjust(-1100, { ...about, metadata: { adjustment: '2' } });
  const sums = { total: 8660, total_taxes: [{ amount: 788 }] };
  expect(await stripe.invoices.createPreview({ subscription: bill.id })).toMatchObject(sums);
  const invoice = invoiceOf(await renewed(bill));
  expect(invoice).toMatchObject({ ...sums, amount_paid: 8660 });
  const item = (invoice_item: string) => ({
    parent: { type: 'invoice_item_details', invoice_item_details: { invoice_item, subscription: bill.id } },
    discountable: false,
    period: about.period,
  });
  expect(invoice.lines.data).toMatchObject([
    { amount: -1100, taxes: [{ amount: -100 }], metadata: { adjustment: '2' }, ...item(left.id) },
    { amount: 4760, taxes: [{ amount: 433 }], metadata: { adjustment: '1' }, ...item(joined.id) },
    { amount: 5000, taxes: [{ amount: 455 }], parent: { type: 'subscription_item_details' } },
  ]);
  expect(await waiting()).toEqual([]);
});

test('an item that waits for one bill is not on another, and one that names no bill is on the next of any', async () => {
  const { stripe, paid, adjust } = await scene();
  const [one, other] = [await paid({ cents: [5000] }), await paid({ cents: [2000] })];
  await adjust(300, { subscription: one.id });
  await adjust(70);
  const total = async (subscription: string) => (await stripe.invoices.createPreview({ subscription })).total;
  expect([await total(one.id), await total(other.id)]).toEqual([5370, 2070]);
});

test('an adjustment that waits is deleted', async () => {
  const { stripe, paid, adjust, waiting } = await scene();
  const { id: subscription } = await paid({ cents: [5000] });
  const { id } = await adjust(300, { subscription });
  expect((await stripe.invoiceItems.del(id)).deleted).toBe(true);
  expect([(await waiting()).length, (await stripe.invoices.createPreview({ subscription })).total]).toEqual([0, 5000]);
});

test('an invoice carries its first ten lines, newest first; the list has all of them, the month last', async () => {
  const { stripe, paid, adjust, renewed } = await scene();
  const bill = await paid({ cents: [5000] });
  for (let amount = 101; amount <= 112; amount += 1) await adjust(amount, { subscription: bill.id });
  const { id, total, lines } = invoiceOf(await renewed(bill));
  expect([lines.data.length, lines.has_more, lines.data[0]!.amount]).toEqual([10, true, 112]);
  const { data: all } = await stripe.invoices.listLineItems(id, { limit: 100 });
  expect([all.length, amountsOf(all).reduce((sum, amount) => sum + amount), all.at(-1)!.amount]).toEqual([
    13,
    total,
    5000,
  ]);
  const rest = await stripe.invoices.listLineItems(id, { starting_after: lines.data.at(-1)!.id });
  expect([...lines.data, ...rest.data].map((line) => line.id)).toEqual(all.map((line) => line.id));
});

test('a draft takes amounts and loses them until it is final', async () => {
  const { stripe, paid, toRenewal, clock, read, adjust } = await scene();
  const bill = await toRenewal(await paid({ cents: [5000] }));
  const { id: invoice } = invoiceOf(bill);
  const [stays, goes] = [await adjust(-400, { invoice }), await adjust(1000, { invoice })];
  await stripe.invoiceItems.del(goes.id);
  const draft = await stripe.invoices.retrieve(invoice);
  expect([draft.total, amountsOf(draft.lines.data)]).toEqual([4600, [5000, -400]]);
  await clock.pass(2 * HOURS);
  const paidInvoice = invoiceOf(await read(bill));
  expect(paidInvoice).toMatchObject({ status: 'paid', amount_paid: 4600, total_taxes: [{ amount: 419 }] });
  await expect(adjust(100, { invoice })).rejects.toMatchObject(invalid());
  await expect(stripe.invoiceItems.del(stays.id)).rejects.toMatchObject(invalid());
});

test('credits that exceed the bill become the customer’s credit', async () => {
  const { paid, adjust, renewed, balance } = await scene();
  const bill = await paid({ cents: [5000] });
  await adjust(-7000, { subscription: bill.id });
  expect(invoiceOf(await renewed(bill))).toMatchObject({ total: -2000, amount_due: 0, status: 'paid' });
  expect(await balance()).toBe(-2000);
});

test('a bill that is cancelled at once leaves its adjustments waiting, and they can be deleted', async () => {
  const { stripe, customer, clock, paid, adjust, waiting } = await scene();
  const { id: subscription } = await paid({ cents: [5000, 2000] });
  await adjust(300, { subscription });
  await stripe.subscriptions.cancel(subscription, now);
  const left = await waiting();
  expect(amountsOf(left)).toEqual([300]);
  for (const { id } of left) await stripe.invoiceItems.del(id);
  await clock.pass(32);
  expect([(await waiting()).length, (await stripe.invoices.list({ customer })).data.length]).toEqual([0, 1]);
});

test('a draft that may not advance waits, takes an amount, and is charged once it is made final', async () => {
  const { stripe, paid, toRenewal, clock, read, adjust } = await scene();
  const bill = await toRenewal(await paid({ cents: [5000] }));
  const { id } = invoiceOf(bill);
  const held = await stripe.invoices.update(id, { auto_advance: false });
  expect(held).toMatchObject({ auto_advance: false, automatically_finalizes_at: null });
  await clock.pass(5 * HOURS);
  expect(await stripe.invoices.retrieve(id)).toMatchObject({ status: 'draft', attempted: false });
  await adjust(-400, { invoice: id });
  const final = await stripe.invoices.finalizeInvoice(id, { auto_advance: true });
  expect(final).toMatchObject({ status: 'open', auto_advance: true, total: 4600 });
  await clock.pass(2 * HOURS);
  expect(invoiceOf(await read(bill))).toMatchObject({ status: 'paid', amount_paid: 4600 });
});

test('a draft that may advance again becomes final and is charged by itself', async () => {
  const { stripe, paid, toRenewal, clock, read } = await scene();
  const bill = await toRenewal(await paid({ cents: [5000] }));
  const { id } = invoiceOf(bill);
  await stripe.invoices.update(id, { auto_advance: false });
  await clock.pass(1);
  const on = await stripe.invoices.update(id, { auto_advance: true });
  expect(on).toMatchObject({ status: 'draft', auto_advance: true });
  expect(on.automatically_finalizes_at).not.toBeNull();
  await clock.pass(3 * HOURS);
  expect(invoiceOf(await read(bill))).toMatchObject({ status: 'paid', amount_paid: 5000 });
});
