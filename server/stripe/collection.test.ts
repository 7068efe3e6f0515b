import { describe, expect, it } from 'vitest';
import { buy, DAY, live, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';

const app = freshTestApp();
const kept = 'risk-profile-ai';
const other = 'file-note-ai';

const cancel = (agent: Agent) => agent.post('/api/cancel-subscription').send({ toolId: other }).expect(200);

/** A renewal of the kept tool has just been refused once; Stripe would try it again after three days. */
async function inArrears(before: (agent: Agent) => Promise<unknown>) {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, kept);
  await before(agent);
  const [row] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [user.id]);
  await app.sandbox!.controls.failNextCharges(String(row!['id']), 1);
  const { endDate } = (await shown(agent, kept))!;
  await live(app, new Date(endDate!).getTime() - app.context.now().getTime() + DAY / 12);
  expect(await shown(agent, kept)).toMatchObject({ status: 'grace_period' });
  return { agent, user };
}

describe('Stripe stops the collection of all of a customer’s invoices where one subscription ends; the payer’s others go on', () => {
  it('after another tool in arrears was cancelled', async () => {
    const { agent, user } = await inArrears((buyer) => buy(app, buyer, other));
    await cancel(agent);
    await live(app, 4 * DAY);
    expect(await shown(agent, kept)).toMatchObject({ status: 'active' });
    const open = (await providerSubscriptions(app, user.id)).filter(({ status }) => status !== 'canceled');
    expect(open).toHaveLength(1);
  });

  it('after another tool came to its scheduled end, which nobody asked for at that moment', async () => {
    const { agent } = await inArrears(async (buyer) => {
      await live(app, DAY);
      await buy(app, buyer, other);
      await cancel(buyer);
    });
    await live(app, 4 * DAY);
    expect(await shown(agent, kept)).toMatchObject({ status: 'active' });
  });
});
