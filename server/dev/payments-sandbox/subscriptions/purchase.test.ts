import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { intentId, paymentSecret, sandboxShop } from '../testing/world.ts';

const { world, shop } = await sandboxShop();

const latest = (subscription: Stripe.Subscription) => subscription.latest_invoice as Stripe.Invoice;
const confirm = (secret: string, paymentMethod: string) =>
  world.browser(`payment_intents/${intentId(secret)}/confirm`, {
    client_secret: secret,
    payment_method: paymentMethod,
  });

test('an intent refuses a declined card, then one with too little money, and takes a good one', async () => {
  const subscription = await shop.subscribe();
  const secret = paymentSecret(subscription);
  const declined = await confirm(secret, 'pm_card_chargeDeclined');
  expect(declined).toMatchObject({
    status: 402,
    body: { error: { code: 'card_declined', decline_code: 'generic_decline' } },
  });
  const poor = await confirm(secret, 'pm_card_chargeDeclinedInsufficientFunds');
  expect(poor).toMatchObject({
    status: 402,
    body: { error: { decline_code: 'insufficient_funds', type: 'card_error' } },
  });
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete');

  expect(await confirm(secret, 'pm_card_visa')).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  const active = await world.stripe.subscriptions.retrieve(subscription.id, {
    expand: ['default_payment_method', 'latest_invoice'],
  });
  expect(active.status).toBe('active');
  expect((active.default_payment_method as Stripe.PaymentMethod).card?.last4).toBe('4242');
  expect(latest(active)).toMatchObject({ status: 'paid', amount_paid: 2500, attempt_count: 3 });
  await world.sandbox.deliverPending();
  expect(world.types()).toEqual(
    expect.arrayContaining([
      'payment_intent.payment_failed',
      'invoice.payment_failed',
      'invoice.paid',
      'customer.subscription.updated',
    ]),
  );
  expect(await confirm(secret, 'pm_card_visa')).toMatchObject({
    status: 400,
    body: { error: { code: 'payment_intent_unexpected_state' } },
  });
});

test('an intent fails where authentication is refused, and succeeds where it is accepted', async () => {
  const secret = paymentSecret(await shop.subscribe());
  const id = intentId(secret);
  expect(await confirm(secret, 'pm_card_authenticationRequired')).toMatchObject({
    status: 200,
    body: { status: 'requires_action' },
  });
  const answer = (result: string) =>
    world.browser(`payment_intents/${id}/authenticate`, { client_secret: secret, result });
  expect(await answer('fail')).toMatchObject({
    body: { status: 'requires_payment_method', last_payment_error: { code: 'payment_intent_authentication_failure' } },
  });
  await confirm(secret, 'pm_card_authenticationRequired');
  expect(await answer('complete')).toMatchObject({ body: { status: 'succeeded' } });
});

test('the browser needs the publishable key and the right secret', async () => {
  const secret = paymentSecret(await shop.subscribe());
  const id = intentId(secret);
  const other = await world.browser(`payment_intents/${id}/confirm`, {
    client_secret: `${id}_secret_x`,
    payment_method: 'pm_card_visa',
  });
  expect(other).toMatchObject({ status: 404, body: { error: { type: 'invalid_request_error' } } });
  const secretKey = await world.browser(`payment_intents/${id}/confirm`, {
    key: 'sk_test_sandbox',
    client_secret: secret,
  });
  expect(secretKey.status).toBe(401);
  expect((await world.browser('customers', { email: 'x@example.com' })).status).toBe(404);
});

test('a number outside the test cards is refused and nothing of it is kept', async () => {
  const secret = paymentSecret(await shop.subscribe());
  const typed = (number: string) =>
    world.browser(`payment_intents/${intentId(secret)}/confirm`, {
      client_secret: secret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2034',
      'payment_method_data[card][cvc]': '123',
    });
  expect(await typed('4111 1111 1111 1111')).toMatchObject({
    status: 402,
    body: { error: { decline_code: 'test_mode_live_card' } },
  });
  expect(await typed('4242 4242 4242 4242')).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  const kept = JSON.stringify(await world.sandbox.list());
  expect(kept).not.toContain('4242424242424242');
  expect(kept).not.toContain('41111111');
});

test('a card that asks for authentication once is kept after it, and later charged without', async () => {
  const customer = (await world.stripe.customers.create({})).id;
  const allowed_payment_method_types = ['card' as const];
  const { client_secret } = await world.stripe.setupIntents.create({ customer, allowed_payment_method_types });
  const id = intentId(client_secret!);
  const act = (action: string, form: Record<string, string>) =>
    world.browser(`setup_intents/${id}/${action}`, { client_secret: client_secret!, ...form });
  const card = { payment_method: 'pm_card_authenticationRequiredOnSetup' };
  expect((await act('confirm', card)).body.status).toBe('requires_action');
  expect((await act('authenticate', { result: 'fail' })).body).toMatchObject({
    status: 'requires_payment_method',
    last_setup_error: { code: 'setup_intent_authentication_failure' },
  });
  await act('confirm', card);
  expect((await act('authenticate', { result: 'complete' })).body.status).toBe('succeeded');
  const [kept] = (await world.stripe.customers.listPaymentMethods(customer)).data;
  const invoice = latest(await shop.subscribe({ customer })).id;
  expect((await world.stripe.invoices.pay(invoice, { payment_method: kept!.id })).status).toBe('paid');
});
