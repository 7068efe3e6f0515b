import { expect, it } from 'vitest';
import { buy, confirm, DAY, passToBill, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();

const sign = (payload: string, { secret = 'whsec_sandbox', timestamp }: { secret?: string; timestamp?: number } = {}) =>
  app.context.payments.stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp !== undefined && { timestamp }),
  });
const send = (payload: string, signature: string) =>
  app
    .agent()
    .post('/api/webhooks/stripe')
    .set('content-type', 'application/json')
    .set('stripe-signature', signature)
    .send(payload);

let sequence = 0;
const event = (type: string, object: object, rest: object = {}) =>
  JSON.stringify({
    id: `evt_test_${(sequence += 1)}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
    data: { object },
    ...rest,
  });
const stored = async (payload: string) =>
  (await rowsOf(app, 'select * from stripe_events where id = $1', [(JSON.parse(payload) as { id: string }).id]))[0];
const statusOf = async (agent: Agent, toolId: string) => (await shown(agent, toolId))?.status;
const subscriptionOf = async (userId: string) => (await providerSubscriptions(app, userId))[0]!.id;

it('the webhook refuses what is unsigned, badly signed, old or dated in the future, and stores nothing of it', async () => {
  const payload = event('customer.subscription.updated', { id: 'sub_x', object: 'subscription' });
  const now = Math.floor(Date.now() / 1000);
  const refused = [
    '',
    'nonsense',
    't=,v1=',
    sign(payload, { secret: 'whsec_other' }),
    sign(`${payload} `),
    sign(payload, { timestamp: now - 400 }),
    sign(payload, { timestamp: now + 400 }),
  ];
  for (const signature of refused) {
    const { body } = await send(payload, signature).expect(400).expect('content-type', /json/);
    expect(body).toMatchObject({
      code: 'malformed_request',
      message: expect.any(String),
      requestId: expect.any(String),
    });
  }
  await app.agent().post('/api/webhooks/stripe').type('form').send({ a: 1 }).expect(400);
  expect(await stored(payload)).toBeUndefined();
});

it('an event of an unknown type is recorded and ignored', async () => {
  const payload = event('moon.phase_changed', { id: 'moon_1', object: 'moon' });
  await send(payload, sign(payload)).expect(200, { received: true });
  await app.context.queue.drain();
  expect(await stored(payload)).toMatchObject({ status: 'ignored', type: 'moon.phase_changed' });
});

it('an event of a subscription that is none of ours is ignored', async () => {
  const payload = event('customer.subscription.updated', { id: 'sub_foreign', object: 'subscription' });
  await send(payload, sign(payload)).expect(200);
  await app.context.queue.drain();
  expect(await stored(payload)).toMatchObject({ status: 'ignored', subscription_id: 'sub_foreign' });
});

it('an event that comes ten times makes one row and one effect', async () => {
  const { agent, user } = await app.signedIn();
  const { body } = await agent.post('/api/create-subscription').send({ toolId: 'pre-fill-ai' }).expect(200);
  await confirm(app, body.clientSecret as string, 'pm_card_visa');
  const id = await subscriptionOf(user.id);
  const payload = event('customer.subscription.updated', { id, object: 'subscription', customer: 'cus_1' });
  await Promise.all(Array.from({ length: 10 }, () => send(payload, sign(payload)).expect(200)));
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
  expect(await stored(payload)).toMatchObject({ status: 'processed', subscription_id: id, customer_id: 'cus_1' });
  expect(await statusOf(agent, 'pre-fill-ai')).toBe('active');
  expect(await rowsOf(app, 'select title from notifications where user_id = $1', [user.id])).toHaveLength(1);
  expect(await rowsOf(app, 'select id from invoices where user_id = $1', [user.id])).toHaveLength(1);
});

it('the row ends as Stripe says it is, in whatever order events come', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'fact-find-ai');
  const id = await subscriptionOf(user.id);
  const claims = ['customer.subscription.deleted', 'customer.subscription.created', 'customer.subscription.paused'];
  for (const type of claims) {
    const payload = event(type, { id, object: 'subscription', status: 'canceled' }, { created: 1 });
    await send(payload, sign(payload)).expect(200);
  }
  await app.context.queue.drain();
  expect(await statusOf(agent, 'fact-find-ai')).toBe('active');

  await app.context.payments.stripe.subscriptions.cancel(id);
  const late = event('customer.subscription.created', { id, object: 'subscription', status: 'active' });
  await send(late, sign(late)).expect(200);
  await app.context.queue.drain();
  // It doesn't renew; what is paid stays open until its end.
  expect(await shown(agent, 'fact-find-ai')).toMatchObject({ status: 'active', autoRenew: false, hasAccess: true });
});

it('one reading follows all that wait to say the same of an object, but not a subscription’s end', async () => {
  const { processStripeEvent } = await import('./jobs.ts');
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'file-note-ai');
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
  const of = { id: await subscriptionOf(user.id), object: 'subscription' };
  const elsewhere = { ...of, id: 'sub_elsewhere' };
  const updated = event('customer.subscription.updated', of);
  const alike = event('customer.subscription.created', of);
  const other = [event('customer.subscription.deleted', of), event('customer.subscription.updated', elsewhere)];
  for (const payload of [updated, alike, ...other]) await send(payload, sign(payload)).expect(200);
  const { id } = JSON.parse(updated) as { id: string };
  await processStripeEvent(app.context, id, { lastAttempt: false });
  for (const payload of [updated, alike]) expect(await stored(payload)).toMatchObject({ status: 'processed' });
  for (const payload of other) expect(await stored(payload)).toMatchObject({ status: 'pending' });
  await app.context.queue.drain();
  for (const payload of other) expect((await stored(payload))!['status']).not.toBe('pending');
});

it('a renewal reaches row and invoices by webhooks alone', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'portfolio-ai');
  await passToBill(app, agent);
  const [row] = await rowsOf(app, "select * from tool_subscriptions where user_id = $1 and tool_id = 'portfolio-ai'", [
    user.id,
  ]);
  expect((row!.end_date as Date).getTime()).toBeGreaterThan(app.context.now().getTime() + 25 * DAY);
  expect(await rowsOf(app, 'select total_cents, status from invoices where user_id = $1', [user.id])).toEqual([
    { total_cents: 4000, status: 'paid' },
    { total_cents: 4000, status: 'paid' },
  ]);
});

it('an event that can’t be processed is kept with its fault, and parked at the last try', async () => {
  const { processStripeEvent } = await import('./jobs.ts');
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  const id = await subscriptionOf(user.id);
  await rowsOf(app, "update users set stripe_subscription_id = 'sub_lost' where id = $1", [user.id]);
  const payload = event('customer.subscription.updated', { id: 'sub_lost', object: 'subscription' });
  const eventId = (JSON.parse(payload) as { id: string }).id;
  await send(payload, sign(payload)).expect(200);
  await expect(processStripeEvent(app.context, eventId, { lastAttempt: false })).rejects.toThrow(
    'does not know this subscription',
  );
  expect(await stored(payload)).toMatchObject({ status: 'pending', attempts: 1 });
  await expect(processStripeEvent(app.context, eventId, { lastAttempt: true })).rejects.toThrow('does not know');
  expect(await stored(payload)).toMatchObject({
    status: 'parked',
    attempts: 2,
    last_error: expect.stringContaining('sub_lost'),
  });
  await rowsOf(app, 'update users set stripe_subscription_id = $2 where id = $1', [user.id, id]);
});

it('the configuration says how the browser reaches Stripe', async () => {
  const { agent } = await app.signedIn({ profileCompleted: false });
  await agent.get('/api/billing/config').expect(200, {
    mode: 'sandbox',
    publishableKey: 'pk_test_sandbox',
    stripeJsUrl: '/sandbox/stripe.js',
    apiBase: `${app.context.env.appUrl}/sandbox`,
  });
  await app.agent().get('/api/billing/config').expect(401);
});
