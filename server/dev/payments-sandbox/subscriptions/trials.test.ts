import type Stripe from 'stripe';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { intentId, sandboxWorld, seedSandbox, setupSecret, type World } from '../testing.ts';

let world: World;
let shop: Awaited<ReturnType<typeof seedSandbox>>;
beforeAll(async () => {
  world = await sandboxWorld();
  shop = await seedSandbox(world);
});
afterEach(() => expect(world.faults).toEqual([]));

const retrieve = (id: string) => world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.payments'] });
const latest = (subscription: Stripe.Subscription) => subscription.latest_invoice as Stripe.Invoice;
const giveCard = (subscription: Stripe.Subscription, card: string) => {
  const secret = setupSecret(subscription);
  return world.browser(`setup_intents/${intentId(secret)}/confirm`, { client_secret: secret, payment_method: card });
};
const eventsAbout = (id: string) =>
  world.received.filter((event) => (event.data.object as { id?: string }).id === id).map((event) => event.type);

test('without a card: a reminder three days before, then the end', async () => {
  const subscription = await shop.trial();
  expect(await world.sandbox.nextTrialEnd()).not.toBeNull();
  await world.advance(27);
  expect(eventsAbout(subscription.id)).toContain('customer.subscription.trial_will_end');
  expect((await retrieve(subscription.id)).status).toBe('trialing');
  await world.advance(3);
  const ended = await retrieve(subscription.id);
  expect(ended).toMatchObject({ status: 'canceled', ended_at: subscription.trial_end });
  expect(eventsAbout(subscription.id).filter((type) => type === 'customer.subscription.trial_will_end')).toHaveLength(
    1,
  );
  expect(eventsAbout(subscription.id)).toContain('customer.subscription.deleted');
  await expect(world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })).rejects.toThrow(
    /canceled/,
  );
});

test('with a card: active at the end, a draft for an hour, then charged', async () => {
  const subscription = await shop.trial({ discounts: [{ coupon: 'PARTNER50' }] });
  expect((await giveCard(subscription, 'pm_card_mastercard')).body.status).toBe('succeeded');
  const kept = await retrieve(subscription.id);
  expect(kept).toMatchObject({ pending_setup_intent: null });
  expect(kept.default_payment_method).toMatch(/^pm_/);

  await world.advance(30);
  const started = await retrieve(subscription.id);
  expect(started.status).toBe('active');
  expect(latest(started)).toMatchObject({ status: 'draft', total: 1250, created: subscription.trial_end });
  expect(started.items.data[0]?.current_period_start).toBe(subscription.trial_end);
  await world.advance(1 / 24);
  const charged = await retrieve(subscription.id);
  expect(latest(charged)).toMatchObject({ status: 'paid', amount_paid: 1250, billing_reason: 'subscription_cycle' });
  expect(latest(charged).status_transitions.paid_at).toBe((subscription.trial_end ?? 0) + 3600);
  expect(latest(charged).payments?.data[0]).toMatchObject({ status: 'paid', amount_paid: 1250 });
});

test('a card that can be kept and not charged: in arrears, tried again, then over', async () => {
  await world.sandbox.controls.endInArrears(true);
  const subscription = await shop.trial();
  expect((await giveCard(subscription, 'pm_card_chargeCustomerFail')).body.status).toBe('succeeded');
  await world.advance(31);
  const late = await retrieve(subscription.id);
  expect(late.status).toBe('past_due');
  expect(latest(late)).toMatchObject({ status: 'open', attempt_count: 1 });
  expect(eventsAbout(latest(late).id)).toContain('invoice.payment_failed');

  await world.advance(3);
  expect(latest(await retrieve(subscription.id)).attempt_count).toBe(2);
  await world.advance(4);
  const over = await retrieve(subscription.id);
  expect(over).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'payment_failed' } });
  expect(latest(over)).toMatchObject({ attempt_count: 4, next_payment_attempt: null });
});

test('arrears end with a new card and Pay now', async () => {
  const subscription = await shop.trial();
  await giveCard(subscription, 'pm_card_chargeCustomerFail');
  await world.advance(31);
  const invoice = latest(await retrieve(subscription.id));
  await expect(world.stripe.invoices.pay(invoice.id)).rejects.toMatchObject({
    type: 'StripeCardError',
    code: 'card_declined',
  });
  const card = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: shop.customer.id });
  await world.stripe.subscriptions.update(subscription.id, { default_payment_method: card.id });
  expect((await world.stripe.invoices.pay(invoice.id)).status).toBe('paid');
  expect((await retrieve(subscription.id)).status).toBe('active');
});

test('a bank that wants the cardholder at the renewal', async () => {
  const subscription = await shop.trial();
  const secret = setupSecret(subscription);
  expect((await giveCard(subscription, 'pm_card_authenticationRequired')).body.status).toBe('requires_action');
  await world.browser(`setup_intents/${intentId(secret)}/authenticate`, { client_secret: secret, result: 'complete' });
  await world.advance(31);
  const late = await retrieve(subscription.id);
  expect(late.status).toBe('past_due');
  expect(eventsAbout(latest(late).id)).toContain('invoice.payment_action_required');
});

test('a card that wants authentication once is charged in peace afterwards', async () => {
  const subscription = await shop.trial();
  const secret = setupSecret(subscription);
  await giveCard(subscription, 'pm_card_authenticationRequiredOnSetup');
  const id = intentId(secret);
  const refused = await world.browser(`setup_intents/${id}/authenticate`, { client_secret: secret, result: 'fail' });
  expect(refused.body).toMatchObject({
    status: 'requires_payment_method',
    last_setup_error: { code: 'setup_intent_authentication_failure' },
  });
  await giveCard(subscription, 'pm_card_authenticationRequiredOnSetup');
  await world.browser(`setup_intents/${id}/authenticate`, { client_secret: secret, result: 'complete' });
  await world.advance(31);
  expect(await retrieve(subscription.id)).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
});
