import { describe, expect, it } from 'vitest';
import { createTeam } from '#server/testing/factories.ts';
import { startFaultyProvider } from '#server/testing/faulty-provider.ts';
import { buy, confirm, giveCard, passToBill, rowsOf } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { ensureCustomer } from '#server/stripe/customers.ts';
import { userPayer } from '#server/payers/queries.ts';
import { saveCard, spreadCard } from './cards.ts';

const app = testApp();

const path = '/api/billing/payment-method';
const stripe = () => app.context.payments.stripe;
const intentId = (secret: string) => secret.slice(0, secret.indexOf('_secret_'));

/** A setup intent as the Billing tab opens it, confirmed with this card. */
async function confirmedIntent(agent: Agent, method: string, body: object = {}) {
  const { clientSecret } = (await agent.post('/api/billing/setup-intent').send(body).expect(200)).body;
  await confirm(app, clientSecret as string, method);
  return intentId(clientSecret as string);
}
const customerOf = async (userId: string) =>
  (await rowsOf(app, 'select stripe_customer_id from users where id = $1', [userId]))[0]!.stripe_customer_id as string;
const defaultCard = async (customer: string) => {
  const found = await stripe().customers.retrieve(customer);
  return found.deleted ? null : found.invoice_settings.default_payment_method;
};
const ownCards = async (customer: string) =>
  (await stripe().subscriptions.list({ customer })).data.map((subscription) => subscription.default_payment_method);
const statusOf = async (agent: Agent, toolId: string) =>
  ((await agent.get('/api/user/subscriptions')).body as { toolId: string; status: string }[]).find(
    (one) => one.toolId === toolId,
  )?.status;

describe('the payment method', () => {
  it('is missing at first, and then the card that was given: brand, last four, expiry', async () => {
    const { agent, user } = await app.signedIn();
    await agent.get(path).expect(200, 'null');
    const { body } = await giveCard(app, agent, 'pm_card_mastercard');
    const expected = { brand: 'mastercard', last4: '4444', expMonth: 12, expYear: expect.any(Number) };
    expect(body).toEqual({ ...expected, paidCents: 0, refusedCents: 0 });
    expect((await agent.get(path)).body).toEqual(expected);
    const audited = "select * from audit_log where actor_id = $1 and action like 'billing.%'";
    expect(await rowsOf(app, audited, [user.id])).toMatchObject([
      { action: 'billing.card_changed', subject_id: user.id, after: { brand: 'mastercard', last4: '4444' } },
    ]);
  });

  it('becomes the customer’s default, which the bill uses, and the old card is detached', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await buy(app, agent, 'fact-find-ai', 'pm_card_au');
    const customer = await customerOf(user.id);
    await app.clock.advance(2000); // cards of the same second are left to the job
    await giveCard(app, agent, 'pm_card_mastercard').then(({ status }) => expect(status).toBe(200));

    const method = await defaultCard(customer);
    expect(await ownCards(customer)).toEqual([null]);
    const cards = await stripe().customers.listPaymentMethods(customer);
    expect(cards.data.map(({ id, card }) => [id, card?.last4])).toEqual([[method, '4444']]);
  });

  it('does not pay a purchase that nobody has confirmed', async () => {
    const { agent } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId: 'portfolio-ai' }).expect(200);
    await giveCard(app, agent, 'pm_card_mastercard');
    expect(await statusOf(agent, 'portfolio-ai')).toBeUndefined();
    await agent.get('/api/billing/invoices').expect(200, {
      invoices: [],
      years: [],
      pagination: { page: 1, total: 0, totalPages: 1 },
    });
  });

  it('is tried for what is owed at once: a bill that failed recovers whole', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    await buy(app, agent, 'fact-find-ai');
    await app.sandbox!.controls.failNextCharges(await customerOf(user.id));
    await passToBill(app, agent);
    expect(await statusOf(agent, 'file-note-ai')).toBe('grace_period');
    const { body: intent } = await agent.post('/api/billing/setup-intent').send({}).expect(200);
    expect(intent).toMatchObject({ owedCents: 7125 });
    expect((await giveCard(app, agent, 'pm_card_mastercard')).body).toMatchObject({ paidCents: 7125, refusedCents: 0 });
    for (const toolId of ['file-note-ai', 'fact-find-ai']) expect(await statusOf(agent, toolId)).toBe('active');
    const { body } = await agent.get('/api/billing/invoices').expect(200);
    const invoices = body.invoices as { status: string; amount: number }[];
    expect(invoices.map(({ status, amount }) => `${status} ${amount}`).toSorted()).toEqual([
      'paid 2500',
      'paid 4750',
      'paid 7125',
    ]);
    expect((await agent.get('/api/billing/forecast').expect(200)).body).toMatchObject({ owed: null, charging: null });
  });

  it('is kept though it is declined for what is owed, and the grace period goes on', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    await app.sandbox!.controls.failNextCharges(await customerOf(user.id), 2);
    await passToBill(app, agent);
    expect((await giveCard(app, agent, 'pm_card_mastercard')).body).toMatchObject({
      last4: '4444',
      paidCents: 0,
      refusedCents: 2500,
    });
    expect(await statusOf(agent, 'file-note-ai')).toBe('grace_period');
  });

  it('asks for the authentication in the browser before it is kept', async () => {
    const { agent } = await app.signedIn();
    const { clientSecret } = (await agent.post('/api/billing/setup-intent').send({}).expect(200)).body;
    const setupIntentId = intentId(clientSecret as string);
    await confirm(app, clientSecret as string, 'pm_card_authenticationRequired');
    const { body } = await agent.post(path).send({ setupIntentId }).expect(409);
    expect(body).toMatchObject({ code: 'card_unconfirmed' });
    await agent.get(path).expect(200, 'null');
    await confirm(app, clientSecret as string, { result: 'complete' });
    await agent.post(path).send({ setupIntentId }).expect(200);
  });
});

describe('an intent that nobody can trust', () => {
  it('gets 409 and changes nothing, where it was declined or never confirmed', async () => {
    const { agent } = await app.signedIn();
    const setupIntentId = await confirmedIntent(agent, 'pm_card_chargeDeclined');
    const { body } = await agent.post(path).send({ setupIntentId }).expect(409);
    expect(body.message).toBe('This card was not confirmed. Please enter it again.');
    await agent.get(path).expect(200, 'null');
  });

  it('is refused for anything but a card, before anything has changed', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const customer = await customerOf(user.id);
    const before = await defaultCard(customer);
    const { clientSecret } = (await agent.post('/api/billing/setup-intent').send({}).expect(200)).body;
    const offered = await stripe().setupIntents.retrieve(intentId(clientSecret as string));
    expect(offered.payment_method_types).toEqual(['card']);
    expect((await confirm(app, clientSecret as string, 'pm_link')).status).toBe(400);

    // As an account with Link would offer it.
    const intent = await stripe().setupIntents.create({ customer, automatic_payment_methods: { enabled: true } });
    expect((await confirm(app, intent.client_secret!, 'pm_link')).status).toBe(200);
    const { body } = await agent.post(path).send({ setupIntentId: intent.id }).expect(409);
    expect(body).toMatchObject({
      code: 'card_only',
      message: 'Only a card can pay here. Nothing has changed; please enter a card.',
    });
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    expect(await defaultCard(customer)).toBe(before);
    expect((await agent.get(path)).body).toMatchObject({ last4: '4242' });
  });

  it('does not exist where it is somebody else’s, also for an adviser without a customer', async () => {
    const owner = await app.signedIn();
    const setupIntentId = await confirmedIntent(owner.agent, 'pm_card_visa');
    const stranger = await app.signedIn();
    await stranger.agent.post(path).send({ setupIntentId }).expect(404);
    await buy(app, stranger.agent, 'risk-profile-ai');
    await stranger.agent.post(path).send({ setupIntentId }).expect(404);
    await owner.agent.post(path).send({ setupIntentId: 'seti_nobody' }).expect(404);
    await owner.agent.post(path).send({ setupIntentId: 'pi_123' }).expect(400);
    await owner.agent.get(path).expect(200, 'null');
  });

  it('does not bring a card back that has been replaced', async () => {
    const { agent } = await app.signedIn();
    const first = await confirmedIntent(agent, 'pm_card_visa');
    await agent.post(path).send({ setupIntentId: first }).expect(200);
    await app.clock.advance(2000); // cards of the same second are left to the job
    await giveCard(app, agent, 'pm_card_mastercard');
    await agent.post(path).send({ setupIntentId: first }).expect(409);
    expect((await agent.get(path)).body).toMatchObject({ last4: '4444' });
  });
});

it('two cards given at once end as one, which pays everything', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  const [a, b] = [await confirmedIntent(agent, 'pm_card_mastercard'), await confirmedIntent(agent, 'pm_card_au')];
  const answers = await Promise.all([a, b].map((setupIntentId) => agent.post(path).send({ setupIntentId })));
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true);
  await spreadCard(app.context, userPayer(user.id));
  const customer = await customerOf(user.id);
  const method = await defaultCard(customer);
  expect(method).not.toBeNull();
  expect(await ownCards(customer)).toEqual([null]);
  const kept = await stripe().paymentMethods.retrieve(method as string);
  expect((await agent.get(path)).body).toMatchObject({ last4: kept.card?.last4 });
});

it('one card sent twice at once is one card, and what is owed is charged once', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'file-note-ai');
  await app.sandbox!.controls.failNextCharges(await customerOf(user.id));
  await passToBill(app, agent);
  const setupIntentId = await confirmedIntent(agent, 'pm_card_mastercard');
  await Promise.all([1, 2, 3].map(() => agent.post(path).send({ setupIntentId }).expect(200)));
  const charges = await stripe().charges.list({ customer: await customerOf(user.id), limit: 100 });
  expect(charges.data.filter(({ status }) => status === 'succeeded')).toHaveLength(2);
  expect(await statusOf(agent, 'file-note-ai')).toBe('active');
});

describe('a card, while Stripe fails,', () => {
  it('gets 503 where Stripe does not answer, and the same call succeeds once it does', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const setupIntentId = await confirmedIntent(agent, 'pm_card_mastercard');
    const line = await startFaultyProvider(app.context.payments, app.sandbox!);
    const context = { ...app.context, payments: line.payments };
    line.set('broken');
    await expect(saveCard(context, userPayer(user.id), setupIntentId)).rejects.toMatchObject({
      code: 'payment_provider_unavailable',
    });
    line.set('none');
    await expect(saveCard(context, userPayer(user.id), setupIntentId)).resolves.toMatchObject({
      last4: '4444',
    });
    await line.stop();
  });

  it('is brought everywhere by the job where the process dies after the customer has it', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const customer = await customerOf(user.id);
    const setupIntentId = await confirmedIntent(agent, 'pm_card_mastercard');
    const { payment_method: method } = await stripe().setupIntents.retrieve(setupIntentId);
    await stripe().customers.update(customer, { invoice_settings: { default_payment_method: method as string } });
    await spreadCard(app.context, userPayer(user.id));
    expect(await defaultCard(customer)).toBe(method);
    expect(await ownCards(customer)).toEqual([null]);
    expect((await agent.get(path)).body).toMatchObject({ last4: '4444' });
  });

  it('gets a new customer where Stripe does not know the old one (other keys on this database)', async () => {
    const { agent, user } = await app.signedIn();
    await rowsOf(app, "update users set stripe_customer_id = 'cus_of_other_keys', card_last4 = '4242' where id = $1", [
      user.id,
    ]);
    const made = await Promise.all([1, 2, 3].map(() => ensureCustomer(app.context, userPayer(user.id))));
    expect(new Set(made).size).toBe(1);
    expect(made[0]).not.toBe('cus_of_other_keys');
    expect(await customerOf(user.id)).toBe(made[0]);
    await agent.get(path).expect(200, 'null');
    await buy(app, agent, 'risk-profile-ai');
    expect(await statusOf(agent, 'risk-profile-ai')).toBe('active');
  });
});

it('the limit refuses more than thirty cards an hour: somebody is trying stolen ones', async () => {
  const { agent } = await app.signedIn();
  for (let i = 0; i < 30; i += 1) await agent.post(path).send({ setupIntentId: 'seti_nobody' }).expect(404);
  const { headers } = await agent.post(path).send({ setupIntentId: 'seti_nobody' }).expect(429);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  await agent.post('/api/billing/setup-intent').send({}).expect(429);
});

it('a team has a card of its own, which its owner alone can change', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id });
  expect((await giveCard(app, agent, 'pm_card_mastercard', { teamId: team.id })).body).toMatchObject({ last4: '4444' });
  expect((await agent.get(path).query({ teamId: team.id })).body).toMatchObject({ last4: '4444' });
  await agent.get(path).expect(200, 'null');
  const outsider = await app.signedIn();
  await outsider.agent.get(path).query({ teamId: team.id }).expect(404);
  await outsider.agent.post('/api/billing/setup-intent').send({ teamId: team.id }).expect(404);
});
