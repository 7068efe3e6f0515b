import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { processStripeEvent, readMissedEvents } from '#server/billing/jobs.ts';
import { resumePurchases } from '../jobs.ts';
import { findStripeSubscription } from '#server/stripe/service.ts';
import { adopt } from './adopt.ts';
import { buy, collected, DAY, pass, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { startTestApp, type Agent, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
// Stripe's events are read three days back, and not from another test's last reading on.
beforeEach(() => rowsOf(app, 'update stripe_account set events_read_until = null'));

const toolId = 'risk-profile-ai';

/** Takes the database back to a dump from before the purchase. */
async function restoreOlder(payer: string) {
  await rowsOf(app, 'delete from trial_uses');
  await rowsOf(app, 'delete from invoices where $1 in (user_id::text, team_id::text)', [payer]);
  await rowsOf(app, 'delete from tool_subscriptions where $1 in (user_id::text, team_id::text)', [payer]);
  await rowsOf(app, 'delete from stripe_events');
  for (const table of ['users', 'teams'])
    await rowsOf(app, `update ${table} set stripe_customer_id = null, card_last4 = null where id::text = $1`, [payer]);
}

const catchUp = async () => {
  await readMissedEvents(app.context);
  await app.context.queue.drain();
};
const live = async (user: { id: string }) =>
  (await providerSubscriptions(app, user.id)).filter(({ status }) => status !== 'canceled');
/** What there is to confirm, and the state of the subscription that was answered. */
const outcomeOf = (body: { intent: string; subscription: { status: string } | null }) =>
  `${body.intent}: ${body.subscription?.status}`;
const invoicesOf = async (agent: Agent, query = '') =>
  ((await agent.get(`/api/billing/invoices${query}`).expect(200)).body as { invoices: { status: string }[] }).invoices;

describe('restored from a dump older than a purchase', () => {
  it('what is paid for comes back with Stripe’s events: access, price, card and invoice', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolId);
    await buy(app, agent, 'portfolio-ai');
    await app.context.queue.drain();
    const before = await shown(agent, toolId);
    await restoreOlder(user.id);
    expect(await shown(agent, toolId)).toBeUndefined();
    await catchUp();
    const after = await shown(agent, toolId);
    expect(after).toMatchObject({ status: 'active', hasAccess: true, monthlyCents: before!.monthlyCents });
    expect(after).toMatchObject({ id: before!.id, endDate: before!.endDate, discounts: before!.discounts });
    expect((await invoicesOf(agent)).map(({ status }) => status)).toEqual(['paid', 'paid']);
    expect((await agent.get('/api/billing/payment-method').expect(200)).body).toMatchObject({ last4: '4242' });
    const audited = await rowsOf(app, `select after from audit_log where action = 'subscription.adopted'`);
    expect(audited.map((row) => row['after'])).toEqual(expect.arrayContaining([{ toolId }]));
  });

  it('a trial comes back as a trial, and there is no second one', async () => {
    const { agent, user } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId, trial: true }).expect(200);
    await app.context.queue.drain();
    await restoreOlder(user.id);
    await catchUp();
    expect(await shown(agent, toolId)).toMatchObject({ status: 'trial', hasAccess: true });
    expect((await agent.get(`/api/pricing/quote?toolId=${toolId}`).expect(200)).body).toMatchObject({
      trialDays: null,
    });
  });

  it.each([
    ['the job for what nobody paid', () => resumePurchases(app.context)],
    ['a purchase', (agent: Agent) => agent.post('/api/create-subscription').send({ toolId }).expect(409)],
  ])('one that began days ago outlives %s, though nobody has read its state yet', async (_what, happen) => {
    const { agent, user } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId, trial: true }).expect(200);
    await app.context.queue.drain();
    await pass(app, 2 * DAY);
    await restoreOlder(user.id);
    const [atStripe] = await live(user);
    // As the adopting server leaves it where it is killed.
    await adopt(app.context, (await findStripeSubscription(app.context, atStripe!.id))!);
    await happen(agent);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'trial', hasAccess: true });
    expect(await live(user)).toHaveLength(1);
  });

  it('its price is the one that was charged, to the cent', async () => {
    await rowsOf(app, `update tools set base_price = '30.10' where id = 'portfolio-ai'`);
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolId);
    await buy(app, agent, 'portfolio-ai');
    await app.context.queue.drain();
    await restoreOlder(user.id);
    const ofTool = (await live(user)).find(({ metadata }) => metadata.toolId === 'portfolio-ai');
    await adopt(app.context, (await findStripeSubscription(app.context, ofTool!.id))!);
    await rowsOf(app, `update tools set base_price = '40.00' where id = 'portfolio-ai'`);
    // 5% of it is 150.5 cents, of which Stripe takes 151.
    expect(await rowsOf(app, `select monthly_cents from tool_subscriptions where user_id = $1`, [user.id])).toEqual([
      { monthly_cents: 2859 },
    ]);
  });

  it('to buy again at once buys nothing', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolId);
    await restoreOlder(user.id);
    const answer = await agent.post('/api/create-subscription').send({ toolId }).expect(409);
    expect(answer.body).toMatchObject({ code: 'already_subscribed' });
    expect(await shown(agent, toolId)).toMatchObject({ status: 'active', hasAccess: true });
    expect(await live(user)).toHaveLength(1);
    expect(await collected(app, user.id)).toBe(3000);
  });

  it('to buy again between its adoption and its first reading is answered with what was bought, and charges nothing', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolId);
    await restoreOlder(user.id);
    const [atStripe] = await live(user);
    await adopt(app.context, (await findStripeSubscription(app.context, atStripe!.id))!);
    const charge = { cents: 3000, last4: '4242' };
    const { body } = await agent.post('/api/create-subscription').send({ toolId, charge }).expect(200);
    expect(outcomeOf(body)).toBe('none: active');
    expect(await live(user)).toHaveLength(1);
    expect(await collected(app, user.id)).toBe(3000);
  });

  it('its invoices are as they were printed, each discount by its name, before any event is read', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'portfolio-ai');
    await buy(app, agent, toolId);
    await pass(app, 32 * DAY);
    const ofTool = `select lines from invoices where user_id = $1 and description like 'Risk Profile AI%' order by number`;
    const printed = await rowsOf(app, ofTool, [user.id]);
    expect(JSON.stringify(printed[0])).toContain('Bulk discount (5%)');
    expect(printed).toHaveLength(2);
    await restoreOlder(user.id);
    await agent.post('/api/create-subscription').send({ toolId }).expect(409);
    expect(await rowsOf(app, ofTool, [user.id])).toEqual(printed);
  });

  it('two replicas at once adopt it once, and neither takes the other’s row for somebody else’s', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolId);
    await restoreOlder(user.id);
    const [atStripe] = await live(user);
    const found = (await findStripeSubscription(app.context, atStripe!.id))!;
    await Promise.all([adopt(app.context, found), adopt(app.context, found)]);
    expect(await rowsOf(app, 'select status from tool_subscriptions where user_id = $1', [user.id])).toHaveLength(1);
    const adoptions = `select after from audit_log where action = 'subscription.adopted' and subject_id = $1`;
    expect(await rowsOf(app, adoptions, [user.id])).toEqual([{ after: { toolId } }]);
  });

  it('two at once, the events and the adviser: one row, one charge', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolId);
    await restoreOlder(user.id);
    const again = () => agent.post('/api/create-subscription').send({ toolId });
    const [one, two] = await Promise.all([again(), again(), catchUp()]);
    for (const { body } of [one, two])
      expect(body.code ?? outcomeOf(body)).toMatch(/^already_subscribed$|^none: active$/);
    expect(await live(user)).toHaveLength(1);
    expect(await collected(app, user.id)).toBe(3000);
    expect(
      await rowsOf(app, 'select status from tool_subscriptions where user_id = $1 and tool_id = $2', [user.id, toolId]),
    ).toEqual([{ status: 'active' }]);
  });

  it.each([
    ['what belongs to nobody here', 'belongs to nobody in this database'],
    ['what is billed beside another subscription', `is billed beside another subscription to ${toolId}`],
  ])('%s is an incident', async (kind, fault) => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolId);
    const [paid] = await live(user);
    await restoreOlder(user.id);
    const { stripe } = app.context.payments;
    if (kind === 'what belongs to nobody here')
      await stripe.subscriptions.update(paid!.id, {
        metadata: { userId: '00000000-0000-4000-8000-000000000000' },
      });
    else await rowsOf(app, 'insert into tool_subscriptions (user_id, tool_id) values ($1, $2)', [user.id, toolId]);
    await readMissedEvents(app.context);
    const [event] = await rowsOf(
      app,
      `select id from stripe_events where type = 'customer.subscription.created' and object_id = $1`,
      [paid!.id],
    );
    const tryIt = (attempt: number) =>
      processStripeEvent(app.context, String(event!['id']), { attempt, lastAttempt: false });
    await expect(tryIt(1)).rejects.toThrow();
    await tryIt(4);
    const [parked] = await rowsOf(app, 'select status, last_error from stripe_events where id = $1', [event!['id']]);
    expect(parked).toEqual({ status: 'parked', last_error: `${paid!.id} ${fault}` });
  });
});
