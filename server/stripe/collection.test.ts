import { describe, expect, it } from 'vitest';
import { userPayer } from '#server/payers/service.ts';
import { soldByOlder } from '#server/testing/older-release.ts';
import { DAY, giveCard, live, passTime, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';
import { joinPayer } from '../subscriptions/join/join.ts';

const app = freshTestApp();
const kept = 'risk-profile-ai';
const other = 'file-note-ai';

const cancel = (agent: Agent) => agent.post('/api/cancel-subscription').send({ toolId: other }).expect(200);
const statuses = async (userId: string) =>
  (await providerSubscriptions(app, userId)).map(({ status }) => status).toSorted();

/** An adviser whose card is refused so often from now on; Stripe tries again after three days. */
async function refused(userId: string, times: number) {
  const [row] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [userId]);
  await app.sandbox!.controls.failNextCharges(String(row!['id']), times);
}

async function adviser() {
  const { agent, user } = await app.signedIn();
  await giveCard(app, agent);
  return { agent, user, payer: userPayer(user.id) };
}

describe('Stripe stops collecting all of a customer’s invoices once one subscription ends:', () => {
  it('a tool in arrears of an older release is still collected where another one is cancelled', async () => {
    const { agent, user, payer } = await adviser();
    for (const toolId of [kept, other]) await soldByOlder(app, payer, toolId);
    await refused(user.id, 2);
    await passTime(app, 32 * DAY);
    expect(await shown(agent, kept)).toMatchObject({ status: 'grace_period' });
    await joinPayer(app.context, payer);
    await cancel(agent);
    expect(await statuses(user.id)).toEqual(['canceled', 'past_due']);
    await live(app, 4 * DAY);
    expect(await shown(agent, kept)).toMatchObject({ status: 'active' });
  });

  it('a bill in arrears is still collected where what an older release sold comes to its scheduled end', async () => {
    // Two days apart at their ends, too, which they are not around the end of a month.
    const now = app.context.now();
    await passTime(app, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 5) - now.getTime());
    const { agent, user, payer } = await adviser();
    await soldByOlder(app, payer, kept);
    await passTime(app, 2 * DAY);
    await soldByOlder(app, payer, other);
    await joinPayer(app.context, payer);
    await cancel(agent);
    const { endDate } = (await shown(agent, kept))!;
    await live(app, new Date(endDate!).getTime() - app.context.now().getTime() - 60_000);
    await refused(user.id, 1);
    await live(app, DAY / 12);
    expect(await shown(agent, kept)).toMatchObject({ status: 'grace_period' });
    await live(app, 2 * DAY);
    expect(await statuses(user.id)).toEqual(['canceled', 'canceled', 'past_due']);
    await live(app, 2 * DAY);
    expect(await shown(agent, kept)).toMatchObject({ status: 'active' });
  });
});
