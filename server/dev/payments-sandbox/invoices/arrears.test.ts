import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { intentId, paymentSecret, sandboxShop } from '../testing/world.ts';

const { world, shop } = await sandboxShop();

const DAY = 86_400;
const expand = ['latest_invoice.confirmation_secret', 'latest_invoice.payments'];
const retrieve = (id: string) => world.stripe.subscriptions.retrieve(id, { expand });
const latest = (subscription: Stripe.Subscription) => subscription.latest_invoice as Stripe.Invoice;
const about = (invoice: string) =>
  world.received.filter(({ data }) => (data.object as { id?: string }).id === invoice).map(({ type }) => type);

/** A paid subscription of a new customer whose card was changed to this one, a month and two hours later. */
async function renewedWith(card: string) {
  const customer = (await world.stripe.customers.create({ name: 'Ada' })).id;
  const bought = await shop.paid({ customer });
  const method = await world.stripe.paymentMethods.attach(card, { customer });
  await world.stripe.subscriptions.update(bought.id, { default_payment_method: method.id });
  await world.advance((bought.items.data[0]!.current_period_end - world.seconds()) / DAY + 2 / 24);
  const subscription = await retrieve(bought.id);
  return { customer, subscription, invoice: latest(subscription), secret: paymentSecret(subscription) };
}
const answer = (secret: string, action: 'confirm' | 'authenticate', form: Record<string, string>) =>
  world.browser(`payment_intents/${intentId(secret)}/${action}`, { client_secret: secret, ...form });

describe('a card that attaches and fails at the renewal', () => {
  test('leaves the subscription past due; a second bill comes, and void invoices end the arrears', async () => {
    const { subscription, invoice } = await renewedWith('pm_card_chargeCustomerFail');
    await world.advance(10);
    const failedAt = invoice.created + 3600;
    const tried = world.received.filter(
      ({ type, data }) => type === 'invoice.payment_failed' && data.object.id === invoice.id,
    );
    expect(tried.map(({ created }) => (created - failedAt) / DAY)).toEqual([0, 3, 5, 7]);
    const late = await retrieve(subscription.id);
    expect(late).toMatchObject({ status: 'past_due', ended_at: null });
    expect(latest(late)).toMatchObject({
      id: invoice.id,
      status: 'open',
      attempt_count: 4,
      next_payment_attempt: null,
    });
    await world.advance(30);
    const next = await retrieve(subscription.id);
    expect(latest(next)).toMatchObject({ status: 'open', billing_reason: 'subscription_cycle' });
    expect(latest(next).id).not.toBe(invoice.id);
    await world.stripe.invoices.voidInvoice(invoice.id);
    expect((await retrieve(subscription.id)).status).toBe('past_due');
    await world.stripe.invoices.update(latest(next).id, { auto_advance: false });
    await world.stripe.invoices.voidInvoice(latest(next).id);
    expect((await retrieve(subscription.id)).status).toBe('active');
    await world.stripe.subscriptions.cancel(subscription.id, { invoice_now: false, prorate: false });
  });

  test('is not tried again while its invoice may not advance, and is tried again once it may', async () => {
    const { subscription, invoice } = await renewedWith('pm_card_chargeCustomerFail');
    const advance = (auto_advance: boolean) => world.stripe.invoices.update(invoice.id, { auto_advance });
    expect(await advance(false)).toMatchObject({ status: 'open', auto_advance: false, next_payment_attempt: null });
    await world.advance(4);
    await expect(world.stripe.invoices.pay(invoice.id)).rejects.toMatchObject({ code: 'card_declined' });
    expect(await retrieve(subscription.id)).toMatchObject({ status: 'past_due', latest_invoice: { attempt_count: 2 } });
    const failedAt = invoice.created + 3600;
    expect((await advance(true)).next_payment_attempt).toBe(failedAt + 5 * DAY);
    const card = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: invoice.customer as string });
    await world.stripe.subscriptions.update(subscription.id, { default_payment_method: card.id });
    await world.advance(2);
    expect(await retrieve(subscription.id)).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
    await expect(advance(true)).rejects.toMatchObject({ code: 'invoice_not_editable' });
    await world.stripe.subscriptions.cancel(subscription.id);
  });

  test('makes way for another card, which pays the open invoice and is kept', async () => {
    const { customer, subscription, invoice, secret } = await renewedWith('pm_card_chargeCustomerFail');
    expect((await answer(secret, 'confirm', { payment_method: 'pm_card_chargeDeclined' })).status).toBe(402);
    expect((await answer(secret, 'confirm', { payment_method: 'pm_card_visa' })).body.status).toBe('succeeded');
    const recovered = await retrieve(subscription.id);
    expect(recovered).toMatchObject({ status: 'active', latest_invoice: { id: invoice.id, status: 'paid' } });
    const kept = recovered.default_payment_method as string;
    expect((await world.stripe.paymentMethods.retrieve(kept)).customer).toBe(customer);
    await world.stripe.subscriptions.cancel(subscription.id);
  });

  test('makes way for the new default card at the next automatic try', async () => {
    const { customer, subscription } = await renewedWith('pm_card_chargeCustomerFail');
    const card = await world.stripe.paymentMethods.attach('pm_card_mastercard', { customer });
    await world.stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } });
    await world.stripe.subscriptions.update(subscription.id, { default_payment_method: '' });
    await world.advance(3);
    expect(await retrieve(subscription.id)).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
    await world.stripe.subscriptions.cancel(subscription.id);
  });

  test('can be taken off, and the renewal then fails without a charge', async () => {
    const { customer, subscription } = await renewedWith('pm_card_visa');
    await world.stripe.paymentMethods.detach(subscription.default_payment_method as string);
    await world.advance(31);
    const late = await retrieve(subscription.id);
    expect(late).toMatchObject({ status: 'past_due', default_payment_method: null });
    expect((await world.stripe.charges.list({ customer })).data.map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
    ]);
    await world.stripe.subscriptions.cancel(subscription.id);
  });
});

describe('a bank that asks for the cardholder at the renewal', () => {
  test('gets the answer by the open invoice’s secret, and the arrears end', async () => {
    const { subscription, invoice, secret } = await renewedWith('pm_card_authenticationRequired');
    expect(subscription.status).toBe('past_due');
    expect(about(invoice.id)).toContain('invoice.payment_action_required');
    const waiting = await world.stripe.paymentIntents.retrieve(intentId(secret));
    expect(waiting).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
    expect((await answer(secret, 'authenticate', { result: 'fail' })).body.status).toBe('requires_payment_method');
    const card = { payment_method: 'pm_card_authenticationRequired' };
    expect((await answer(secret, 'confirm', card)).body.status).toBe('requires_action');
    expect((await answer(secret, 'authenticate', { result: 'complete' })).body.status).toBe('succeeded');
    expect(await retrieve(subscription.id)).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
    await world.stripe.subscriptions.cancel(subscription.id);
  });

  test('gets it for an invoice of its own, too', async () => {
    const customer = shop.customer.id;
    const { id } = await world.stripe.invoices.create({ customer, pending_invoice_items_behavior: 'exclude' });
    await world.stripe.invoiceItems.create({ customer, invoice: id, amount: 1710, currency: 'aud' });
    await world.stripe.invoices.finalizeInvoice(id, { auto_advance: false });
    const card = await world.stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer });
    const pay = world.stripe.invoices.pay(id, { payment_method: card.id, off_session: false });
    await expect(pay).rejects.toMatchObject({ code: 'invoice_payment_intent_requires_action' });
    const { confirmation_secret } = await world.stripe.invoices.retrieve(id, { expand: ['confirmation_secret'] });
    const { body } = await answer(confirmation_secret!.client_secret, 'authenticate', { result: 'complete' });
    expect(body.status).toBe('succeeded');
    expect(await world.stripe.invoices.retrieve(id)).toMatchObject({ status: 'paid', amount_paid: 1710 });
  });
});
