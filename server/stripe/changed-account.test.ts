import { beforeEach, describe, expect, it } from 'vitest';
import { buy, confirm, DAY, pass, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { startTestApp, testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();
const tool = 'risk-profile-ai';

const stripe = () => app.context.payments.stripe;
const create = (agent: Agent, rest: object = {}) =>
  agent.post('/api/create-subscription').send({ toolId: tool, ...rest });
const priceOf = async (userId: string) => (await providerSubscriptions(app, userId))[0]!.items.data[0]!.price;
/** Changes an object in the sandbox's table: its API can't, and neither can Stripe's. */
const rewrite = (id: string, change: object) =>
  rowsOf(app, 'update sandbox.objects set data = data || $2 where id = $1', [id, change]);

describe('what an operator changes in the account', () => {
  it('an archived price keeps its lookup key: the tool is still sold, by a price that takes the key over', async () => {
    const first = await app.signedIn();
    await buy(app, first.agent, tool);
    const archived = await priceOf(first.user.id);
    await stripe().prices.update(archived.id, { active: false });
    const second = await app.signedIn();
    expect(await buy(app, second.agent, tool)).toMatchObject({ status: 'active', monthlyCents: 3000 });
    const price = await priceOf(second.user.id);
    expect(price.id).not.toBe(archived.id);
    expect(price).toMatchObject({ active: true, lookup_key: archived.lookup_key, unit_amount: 3000 });
  });

  it('a coupon with another percent than ours is not used: nobody pays a wrong price', async () => {
    await stripe().coupons.create({ id: 'PARTNER50', percent_off: 40, duration: 'forever' });
    const { agent, user } = await app.signedIn({ membershipType: 'shaw_partners' });
    await create(agent).expect(409, /payments_misconfigured/);
    expect(await providerSubscriptions(app, user.id)).toEqual([]);
    await rewrite('PARTNER50', { percent_off: 50 });
    expect((await create(agent).expect(200)).body.quote.totalCents).toBe(1500);
  });
});

describe('the database was used with another account, which Stripe knows nothing of', () => {
  let agent: Agent;
  let userId: string;
  beforeEach(async () => {
    const signedIn = await app.signedIn();
    ({ agent } = signedIn);
    userId = signedIn.user.id;
  });
  const forget = async () => {
    const [row] = await rowsOf(
      app,
      `update tool_subscriptions set stripe_subscription_id = 'sub_other' || id where user_id = $1 and tool_id = $2
       returning id`,
      [userId, tool],
    );
    await rowsOf(app, "update users set stripe_customer_id = 'cus_other' || id where id = $1", [userId]);
    return row!.id as string;
  };

  it('an open purchase makes way for another', async () => {
    await create(agent).expect(200);
    await forget();
    const { body } = await create(agent).expect(200);
    await confirm(app, body.clientSecret as string, 'pm_card_visa');
    const synced = await agent.post(`/api/subscriptions/${tool}/sync`).send({}).expect(200);
    expect(synced.body).toMatchObject({ status: 'active', monthlyCents: 3000 });
    expect(
      await rowsOf(app, 'select id from tool_subscriptions where user_id = $1 and tool_id = $2', [userId, tool]),
    ).toHaveLength(1);
  });

  it('what is over by the clock can be bought again', async () => {
    await buy(app, agent, tool);
    await forget();
    await rowsOf(
      app,
      "update tool_subscriptions set end_date = now() - interval '9 days', status = 'cancelled', grace_period_end = now() - interval '2 days' where user_id = $1 and tool_id = $2",
      [userId, tool],
    );
    expect((await create(agent).expect(200)).body.clientSecret).toEqual(expect.any(String));
  });

  it('a live subscription is refused with a sentence, and never ended by it', async () => {
    await buy(app, agent, tool);
    await forget();
    await agent
      .post('/api/cancel-subscription')
      .send({ toolId: tool })
      .expect(409, /subscription_unknown/);
    await pass(app, DAY);
    expect(await shown(agent, tool)).toMatchObject({ status: 'active', hasAccess: true });
  });

  it('a start with keys of another mode is refused, and says why', async () => {
    await create(agent).expect(200);
    const keys = {
      STRIPE_SECRET_KEY: 'sk_live_dummy',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_dummy',
      STRIPE_WEBHOOK_SECRET: 'whsec_dummy',
    };
    await expect(startTestApp(keys, app.database)).rejects.toThrow(
      "This database was used with the payments sandbox, and this start would use Stripe's live keys",
    );
  });

  it('closing the account ends it all the same', async () => {
    await buy(app, agent, tool);
    const id = await forget();
    const { endEverything } = await import('#server/subscriptions/service.ts');
    await endEverything(app.context, { kind: 'user', userId });
    expect(await rowsOf(app, 'select status from tool_subscriptions where id = $1', [id])).toEqual([
      { status: 'expired' },
    ]);
  });
});
