import { expect, test } from 'vitest';
import { contract, HOURS, invalid, invoiceOf, now, periodOf } from '../testing/scene.ts';

const scene = await contract();

test('a renewal begins where the period ended, and is a draft for an hour: it is charged after seventy minutes, not fifty', async () => {
  const { paid, toRenewal, clock, read } = await scene();
  const subscription = await paid();
  const draft = await toRenewal(subscription);
  expect(periodOf(draft).start).toBe(periodOf(subscription).end);
  expect(invoiceOf(draft)).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle' });
  await clock.pass((44 / 60) * HOURS);
  expect(invoiceOf(await read(draft)).status).toBe('draft');
  await clock.pass((20 / 60) * HOURS);
  expect(await read(draft)).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', amount_paid: 2500 } });
});

test('a pause of collection makes renewals void at once and leaves the subscription active; resumed, it is charged', async () => {
  const { stripe, paid, renewed } = await scene();
  const { id } = await paid();
  const paused = await renewed(await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } }));
  expect(paused).toMatchObject({ status: 'active', latest_invoice: { status: 'void' } });
  const resumed = await stripe.subscriptions.update(id, { pause_collection: '' });
  expect(resumed.pause_collection).toBeNull();
  expect(invoiceOf(await renewed(resumed))).toMatchObject({ status: 'paid', amount_paid: 2500 });
});

test('a draft that is finalised by hand is not charged, and can be made void', async () => {
  const { stripe, paid, toRenewal, clock, read } = await scene();
  const subscription = await toRenewal(await paid());
  const { id } = invoiceOf(subscription);
  expect((await stripe.invoices.finalizeInvoice(id, { auto_advance: false })).status).toBe('open');
  await stripe.invoices.voidInvoice(id);
  await clock.pass(2 * HOURS);
  expect(await read(subscription)).toMatchObject({
    status: 'active',
    latest_invoice: { status: 'void', amount_paid: 0 },
  });
});

test('a renewal whose card wants authentication waits for its owner', async () => {
  const { paid, stripe, card, renewed } = await scene();
  const { id } = await paid();
  const default_payment_method = await card('pm_card_authenticationRequired');
  const late = await renewed(await stripe.subscriptions.update(id, { default_payment_method }));
  expect(late).toMatchObject({ status: 'past_due', latest_invoice: { status: 'open' } });
  expect(invoiceOf(late).confirmation_secret).toBeTruthy();
});

test('the customer’s default card pays what has no card of its own, which would come first', async () => {
  const { stripe, paid, defaultCard, renewed } = await scene();
  const own = await paid();
  await defaultCard('pm_card_chargeCustomerFail');
  const { id, status } = await renewed(own);
  expect(status).toBe('active');
  await defaultCard('pm_card_visa');
  const default_payment_method = '';
  expect((await renewed(await stripe.subscriptions.update(id, { default_payment_method }))).status).toBe('active');
});

test('the customer’s credit pays first', async () => {
  const { stripe, customer, paid, renewed, balance } = await scene();
  const subscription = await paid();
  await stripe.customers.createBalanceTransaction(customer, { amount: -1000, currency: 'aud' });
  expect(invoiceOf(await renewed(subscription))).toMatchObject({ total: 2500, amount_due: 1500 });
  expect(await balance()).toBe(0);
});

test('a renewal sends events: its invoice is made, final and paid, and its subscription moves on', async () => {
  const { stripe, paid, renewed } = await scene();
  const subscription = await paid();
  const ids = [invoiceOf(await renewed(subscription)).id, subscription.id];
  const types = ['customer.subscription.updated', 'invoice.created', 'invoice.finalized', 'invoice.paid'];
  const { data } = await stripe.events.list({ types, limit: 100 });
  const about = data.filter((event) => ids.includes((event.data.object as { id: string }).id));
  expect([...new Set(about.map(({ type }) => type))].toSorted()).toEqual(types);
});

test('a refused renewal leaves the subscription past due and its invoice open, to be tried again', async () => {
  const { inArrears } = await scene();
  const latest_invoice = { status: 'open', attempt_count: 1, amount_remaining: 2500 };
  const late = await inArrears();
  expect(late).toMatchObject({ status: 'past_due', latest_invoice });
  expect(invoiceOf(late).next_payment_attempt).not.toBeNull();
});

test('a refused renewal is tried again after three, five and seven days, and its subscription stays past due', async () => {
  const { inArrears, clock, read } = await scene();
  const owing = await inArrears();
  const seen = [];
  for (let days = 2; days <= 8; days += 2) {
    await clock.pass(2);
    const late = await read(owing);
    seen.push([late.status, invoiceOf(late).attempt_count]);
  }
  expect(seen).toEqual([1, 2, 3, 4].map((tries) => ['past_due', tries]));
});

test('an open invoice is refused again with that card, and another card that pays it makes the subscription active', async () => {
  const { inArrears, stripe, card, read } = await scene();
  const owing = await inArrears();
  const pay = async (name: string) => stripe.invoices.pay(invoiceOf(owing).id, { payment_method: await card(name) });
  const refused = { rawType: 'card_error', code: 'card_declined' };
  await expect(pay('pm_card_chargeCustomerFail')).rejects.toMatchObject(refused);
  expect((await pay('pm_card_visa')).status).toBe('paid');
  expect((await read(owing)).status).toBe('active');
});

test('an open invoice can be made void, which ends its arrears; a paid one can’t', async () => {
  const { inArrears, stripe, paid, read } = await scene();
  const owing = await inArrears();
  expect((await stripe.invoices.voidInvoice(invoiceOf(owing).id)).status).toBe('void');
  expect((await read(owing)).status).toBe('active');
  await expect(stripe.invoices.voidInvoice(invoiceOf(await paid()).id)).rejects.toMatchObject(invalid());
});

test('a subscription that is cancelled stops the collection of all the customer’s open invoices; it can be resumed', async () => {
  const { inArrears, stripe, paid, read } = await scene();
  const owing = await inArrears();
  await stripe.subscriptions.cancel((await paid()).id, now);
  const stopped = invoiceOf(await read(owing));
  expect(stopped).toMatchObject({ status: 'open', auto_advance: false, next_payment_attempt: null });
  const again = await stripe.invoices.update(stopped.id, { auto_advance: true });
  expect(again).toMatchObject({ status: 'open', auto_advance: true });
  expect(again.next_payment_attempt).not.toBeNull();
  await stripe.subscriptions.cancel(owing.id, now);
  expect(invoiceOf(await read(owing))).toMatchObject({ status: 'open', auto_advance: false });
});

test('a void gives the credit back that its invoice had used up', async () => {
  const { stripe, customer, subscribe, balance } = await scene();
  await stripe.customers.createBalanceTransaction(customer, { amount: -1000, currency: 'aud' });
  const open = invoiceOf(await subscribe());
  expect([open.amount_due, await balance()]).toEqual([1500, 0]);
  await stripe.invoices.voidInvoice(open.id);
  expect(await balance()).toBe(-1000);
});

test('an end with the period can be scheduled and taken back, and moves nothing', async () => {
  const { stripe, paid } = await scene();
  const before = await paid();
  const [{ id }, { end }] = [before, periodOf(before)];
  const change = (cancel_at_period_end: boolean) => stripe.subscriptions.update(id, { cancel_at_period_end });
  const ending = await change(true);
  expect(ending).toMatchObject({ status: 'active', cancel_at: end });
  expect(periodOf(ending).end).toBe(end);
  expect(await change(false)).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
});

test('a scheduled end leaves no next invoice; at the end the subscription is cancelled, and nothing is charged', async () => {
  const { stripe, paid, toRenewal } = await scene();
  const { id } = await paid();
  const ending = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  const refused = { statusCode: 404, code: 'invoice_upcoming_none' };
  await expect(stripe.invoices.createPreview({ subscription: id })).rejects.toMatchObject(refused);
  expect((await toRenewal(ending)).status).toBe('canceled');
  expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
});

test('a subscription that is cancelled at once is over for good, and no longer scheduled to end', async () => {
  const { paid, stripe } = await scene();
  const { id } = await paid();
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  const ended = await stripe.subscriptions.cancel(id, now);
  expect(ended).toMatchObject({ status: 'canceled', cancel_at: null, cancel_at_period_end: false });
  const gone = { statusCode: 404, code: 'resource_missing' };
  await expect(stripe.subscriptions.cancel(id, now)).rejects.toMatchObject(gone);
  await expect(stripe.subscriptions.update(id, { cancel_at_period_end: false })).rejects.toMatchObject(invalid());
});
