import { describe, expect, it } from 'vitest';
import { plus } from '#shared/rules/dates.ts';
import { buy, confirm, DAY, passTo, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { faultyApp } from '#server/testing/replica.ts';
import type { Agent } from '#server/testing/test-app.ts';
import { resumePurchases } from '../jobs.ts';

const { app, line, replica } = faultyApp();

const create = (agent: Agent, toolId: string, rest: object = {}) =>
  agent.post('/api/create-subscription').send({ toolId, ...rest });
const rowsFor = (userId: string, toolId: string) =>
  rowsOf(app, 'select * from tool_subscriptions where user_id = $1 and tool_id = $2', [userId, toolId]);
const keysOf = () => line.hits.filter((hit) => hit.path === '/v1/subscriptions').map((hit) => hit.key);
/** Makes rows look as if written some time ago. */
const ageRows = async () => {
  await rowsOf(app, "update tool_subscriptions set updated_at = now() - interval '5 seconds'");
  await rowsOf(app, "update bills set updated_at = now() - interval '5 seconds'");
};

describe('buyers who press at the same moment', () => {
  it.each([false, true])('make one purchase by twenty presses on two replicas (trial: %s)', async (trial) => {
    const { agent, user } = await app.signedIn();
    const other = await replica.agent(user.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create(i % 2 ? agent : other, 'risk-profile-ai', { trial })),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const secrets = new Set(answers.filter((a) => a.status === 200).map((a) => a.body.clientSecret as string));
    expect(secrets.size).toBe(1);
    expect(await rowsFor(user.id, 'risk-profile-ai')).toHaveLength(1);
    // A trial asks nothing of Stripe.
    expect(await providerSubscriptions(app, user.id)).toHaveLength(trial ? 0 : 1);
    if (trial) return;
    const customers = await app.context.payments.stripe.customers.list({ limit: 100 });
    expect(customers.data.filter((customer) => customer.metadata.userId === user.id)).toHaveLength(1);
    await confirm(app, [...secrets][0]!, 'pm_card_visa');
    const synced = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 ? agent : other).post('/api/subscriptions/risk-profile-ai/sync').send({}),
      ),
    );
    for (const { status, body } of synced) expect([status, body.status]).toEqual([200, 'active']);
    expect(await rowsFor(user.id, 'lost-money-ai')).toHaveLength(1);
    expect(await rowsOf(app, 'select title from notifications where user_id = $1', [user.id])).toHaveLength(1);
  });

  it('get the free tool once with two different tools', async () => {
    const { agent, user } = await app.signedIn();
    const tools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai'];
    const answers = await Promise.all(tools.map((toolId) => create(agent, toolId, { trial: true })));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(await rowsFor(user.id, 'lost-money-ai')).toHaveLength(1);
  });

  it('get one trial where they are one person with two accounts', async () => {
    const stamp = Date.now();
    const one = await app.signedIn({ email: `kim${stamp}@practice.example` });
    const two = await app.signedIn({ email: `kim${stamp}+b@practice.example` });
    const answers = await Promise.all([one, two].map(({ agent }) => create(agent, 'portfolio-ai', { trial: true })));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  });
});

describe('a purchase, while Stripe fails,', () => {
  it('is sent again after a while where Stripe takes a third of the requests only (429, lock_timeout), and nobody notices', async () => {
    const { user } = await app.signedIn();
    const agent = await replica.agent(user.email);
    line.set('busy');
    expect((await create(agent, 'risk-profile-ai').expect(200)).body.clientSecret).toEqual(expect.any(String));
    line.set('none');
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
  });

  it('gets 503 where Stripe’s answer is lost, and the retry finds what was made', async () => {
    const { user } = await app.signedIn();
    const agent = await replica.agent(user.email);
    line.set('lost');
    line.hits.length = 0;
    const { body, headers } = await create(agent, 'fact-find-ai').expect(503);
    expect(body.code).toBe('payment_provider_unavailable');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const [row] = await rowsFor(user.id, 'fact-find-ai');
    expect(row).toMatchObject({ status: 'incomplete', stripe_subscription_id: null });
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);

    line.set('none');
    const again = await create(agent, 'fact-find-ai').expect(200);
    expect(again.body.intent).toBe('payment');
    const [bill] = await rowsOf(app, 'select id from bills where user_id = $1', [user.id]);
    expect(new Set(keysOf())).toEqual(new Set([`bill:begin:${bill!['id'] as string}:1`]));
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
    await confirm(app, again.body.clientSecret as string, 'pm_card_visa');
    const synced = await agent.post('/api/subscriptions/fact-find-ai/sync').send({}).expect(200);
    expect(synced.body.status).toBe('active');
  });

  it('is completed by the job where the process dies between Stripe and row', async () => {
    const { user } = await app.signedIn();
    line.set('lost');
    await create(await replica.agent(user.email), 'pre-fill-ai').expect(503);
    expect((await rowsFor(user.id, 'pre-fill-ai'))[0]).toMatchObject({ status: 'incomplete' });
    await ageRows();
    await Promise.all([resumePurchases(app.context), resumePurchases(app.context)]);
    const [bill] = await rowsOf(app, 'select status, stripe_invoice_id from bills where user_id = $1', [user.id]);
    expect(bill).toMatchObject({ status: 'attempt', stripe_invoice_id: expect.stringMatching(/^in_/) as string });
    expect((await providerSubscriptions(app, user.id)).map((one) => one.status)).toEqual(['incomplete']);
  });

  it('is withdrawn where its answer was lost and the adviser takes the trial instead', async () => {
    const { user } = await app.signedIn();
    const agent = await replica.agent(user.email);
    line.set('lost');
    await create(agent, 'share-advice-ai').expect(503);
    line.set('none');
    const { body } = await create(agent, 'share-advice-ai', { trial: true }).expect(200);
    expect(body).toMatchObject({ intent: 'none', subscription: { status: 'trial' } });
    expect((await providerSubscriptions(app, user.id)).map((one) => one.status)).toEqual(['incomplete_expired']);
  });

  it.each(['away', 'broken'] as const)('gets 503 while Stripe is %s, and succeeds later', async (fault) => {
    const { user } = await app.signedIn();
    const agent = await replica.agent(user.email);
    line.set(fault);
    await create(agent, 'fact-find-ai').expect(503);
    await agent.get('/api/user/subscriptions').expect(200, []);
    await agent.get('/api/pricing/quote?toolId=fact-find-ai').expect(200);
    // Without Stripe nobody knows whether it is already paid for, as after a restore, so nothing is begun.
    expect(await rowsFor(user.id, 'fact-find-ai')).toHaveLength(0);

    line.set('none');
    const { body } = await create(agent, 'fact-find-ai').expect(200);
    expect(body.intent).toBe('payment');
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
  });

  it('waits no longer than a quarter of a minute where Stripe is silent', async () => {
    const { user } = await app.signedIn();
    const agent = await replica.agent(user.email);
    line.set('silent');
    const asked = performance.now();
    const answers = await Promise.all([create(agent, 'fact-find-ai'), create(agent, 'fact-find-ai')]);
    expect(answers.map((answer) => answer.status)).toEqual([503, 503]);
    expect(performance.now() - asked).toBeLessThan(15_000);
    await agent.get('/api/user/subscriptions').expect(200, []);
    line.set('none');
    await create(agent, 'fact-find-ai').expect(200);
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
  }, 40_000);

  it('ends where Stripe refuses it, and the slot is free', async () => {
    const { user } = await app.signedIn();
    const agent = await replica.agent(user.email);
    line.set('refusing');
    await create(agent, 'fact-find-ai').expect(500);
    expect(await rowsFor(user.id, 'fact-find-ai')).toEqual([]);
    line.set('none');
    await create(agent, 'fact-find-ai').expect(200);
  });
});

it('a trial that ended before anybody here heard of a declined bill is in grace with that bill, and ends with it', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  const { endDate: billAt } = (await shown(agent, 'risk-profile-ai'))!;
  // 30 days later, after the bill was declined.
  await passTo(app, plus(new Date(billAt!), -30 * DAY), DAY / 8);
  const { body } = await create(agent, 'portfolio-ai', { trial: true }).expect(200);
  const [{ id }] = (await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [user.id])) as [
    { id: string },
  ];
  await app.sandbox!.controls.failNextCharges(id, 99);
  await app.sandbox!.webhooks.hold();
  await passTo(app, body.subscription.trialEndDate as string, 60_000);
  await app.sandbox!.webhooks.release();
  await app.context.queue.drain();
  for (const tool of ['risk-profile-ai', 'portfolio-ai'])
    expect(await shown(agent, tool)).toMatchObject({ status: 'grace_period', hasAccess: true });
  const { gracePeriodEnd } = (await shown(agent, 'portfolio-ai'))!;
  await passTo(app, gracePeriodEnd!, DAY / 24);
  await passTo(app, gracePeriodEnd!, DAY / 12);
  for (const tool of ['risk-profile-ai', 'portfolio-ai'])
    expect(await shown(agent, tool)).toMatchObject({ status: 'expired', hasAccess: false });
  expect((await providerSubscriptions(app, user.id)).map(({ status }) => status)).toEqual(['canceled']);
});
