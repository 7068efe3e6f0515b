import { describe, expect, it } from 'vitest';
import { buy, DAY, giveCard, pass, rowsOf, shown } from '#server/testing/purchases.ts';
import { password } from '#server/testing/newcomer.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();
const stripe = () => app.context.payments.stripe;

const customerOf = async (userId: string) =>
  (await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [userId]))[0]!.id as string;

/** Somebody who has bought twice, so that this process has seen their customer, and whose customer is deleted in the Dashboard. */
async function withDeletedCustomer() {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  await buy(app, agent, 'fact-find-ai');
  const deleted = await customerOf(user.id);
  await stripe().customers.del(deleted);
  return { agent, user, deleted };
}

type Act = (agent: Agent) => Promise<unknown>;
const acts: [string, Act][] = [
  ['a purchase (cashier-stripe#920)', (agent) => buy(app, agent, 'file-note-ai')],
  [
    'a trial (lago-api#1371)',
    (agent) => agent.post('/api/create-subscription').send({ toolId: 'file-note-ai', trial: true }).expect(200),
  ],
  ['a new card', (agent) => giveCard(app, agent)],
];

describe('after a customer was deleted in the Dashboard, in the process that had seen it,', () => {
  it.each(acts)('%s succeeds before its event arrives, with a new customer', async (_what, act) => {
    const { agent, user, deleted } = await withDeletedCustomer();
    await act(agent);
    const customer = await customerOf(user.id);
    if (_what.startsWith('a trial')) return;
    expect(customer).not.toBe(deleted);
    expect(await stripe().customers.retrieve(customer)).toMatchObject({ metadata: { userId: user.id } });
  });

  it('what was paid for goes on, another tool can be bought once its events have arrived, and somebody comes back (stripe-firebase-extensions#385)', async () => {
    const { agent, user, deleted } = await withDeletedCustomer();
    await pass(app, 1000);
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ hasAccess: true, autoRenew: false });
    expect(await buy(app, agent, 'file-note-ai')).toMatchObject({ status: 'active' });
    expect(await customerOf(user.id)).not.toBe(deleted);
    await pass(app, 40 * DAY);
    expect(await buy(app, agent, 'risk-profile-ai')).toMatchObject({ status: 'active' });
  });
});

it('somebody whose customer was deleted can close the account (readthedocs.org#11071)', async () => {
  const { agent } = await withDeletedCustomer();
  await agent.post('/api/user/close-account').send({ password }).expect(200);
});

it('Stripe answers for a deleted customer with its id and `deleted`', async () => {
  const { deleted } = await withDeletedCustomer();
  expect(await stripe().customers.retrieve(deleted)).toMatchObject({ id: deleted, object: 'customer', deleted: true });
});

it('a purchase after the archived GST rate was refused gets a new rate', async () => {
  const { agent } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  for (const { id } of (await stripe().taxRates.list({ active: true })).data)
    await stripe().taxRates.update(id, { active: false });
  await agent.post('/api/create-subscription').send({ toolId: 'fact-find-ai' });
  expect(await buy(app, agent, 'fact-find-ai')).toMatchObject({ status: 'active' });
});
