import { beforeEach, describe, expect, it } from 'vitest';
import { buy, confirm, DAY, pass, rowsOf, shown } from '#server/testing/purchases.ts';
import { startTestApp, testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();
const tool = 'risk-profile-ai';

const create = (agent: Agent, rest: object = {}) =>
  agent.post('/api/create-subscription').send({ toolId: tool, ...rest });

describe('a database that was used with another account, which Stripe knows nothing of,', () => {
  let agent: Agent;
  let userId: string;
  beforeEach(async () => {
    const signedIn = await app.signedIn();
    ({ agent } = signedIn);
    userId = signedIn.user.id;
  });
  const forget = async () => {
    for (const table of ['tool_subscriptions', 'bills'])
      await rowsOf(
        app,
        `update ${table} set stripe_subscription_id = 'sub_other' || user_id
         where user_id = $1 and stripe_subscription_id is not null`,
        [userId],
      );
    await rowsOf(app, `update bills set stripe_invoice_id = 'in_other' || id where user_id = $1`, [userId]);
    await rowsOf(
      app,
      `update users set stripe_customer_id = 'cus_other' || id, stripe_subscription_id =
         case when stripe_subscription_id is not null then 'sub_other' || id end where id = $1`,
      [userId],
    );
    const of = [userId, tool];
    const [row] = await rowsOf(app, 'select id from tool_subscriptions where user_id = $1 and tool_id = $2', of);
    return row!.id as string;
  };

  it('lets an open purchase make way for another', async () => {
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

  it('lets somebody buy again what is over by the clock', async () => {
    await buy(app, agent, tool);
    await forget();
    await rowsOf(
      app,
      "update tool_subscriptions set end_date = now() - interval '9 days', status = 'cancelled', grace_period_end = now() - interval '2 days' where user_id = $1 and tool_id = $2",
      [userId, tool],
    );
    expect((await create(agent).expect(200)).body.clientSecret).toEqual(expect.any(String));
  });

  it('refuses changes of a live subscription with a sentence, and never ends it by that', async () => {
    await buy(app, agent, tool);
    await forget();
    await agent
      .post('/api/cancel-subscription')
      .send({ toolId: tool })
      .expect(409, /subscription_unknown/);
    await pass(app, DAY);
    expect(await shown(agent, tool)).toMatchObject({ status: 'active', hasAccess: true });
  });

  it('refuses a start with keys of another mode, and says why', async () => {
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

  it('lets somebody close the account, which ends the subscription all the same', async () => {
    await buy(app, agent, tool);
    const id = await forget();
    const { endEverything } = await import('#server/subscriptions/service.ts');
    await endEverything(app.context, { kind: 'user', userId });
    expect(await rowsOf(app, 'select status from tool_subscriptions where id = $1', [id])).toEqual([
      { status: 'expired' },
    ]);
  });
});
