import { describe, expect, it } from 'vitest';
import type { billingApi } from '#shared/api/billing.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, DAY, giveCard, live, passToBill, rowsOf } from '#server/testing/purchases.ts';
import { startReplica } from '#server/testing/replica.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';

const app = freshTestApp();
const tool = 'risk-profile-ai';
const other = 'file-note-ai';

type Forecast = Reply<typeof billingApi.forecast>;
const list = async (agent: Agent) => (await agent.get('/api/user/subscriptions').expect(200)).body as Subscription[];
const shownOf = async (agent: Agent, toolId: string) => (await list(agent)).find((one) => one.toolId === toolId)!;
const forecastOf = async (agent: Agent) => (await agent.get('/api/billing/forecast').expect(200)).body as Forecast;
const settle = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};

/** Whatever each row shows is a line of the bill that it names. */
async function expectOneTruth(agent: Agent) {
  const { bill } = await forecastOf(agent);
  for (const row of await list(agent)) {
    const line = bill?.lines.find(({ subscriptionId }) => subscriptionId === row.id);
    expect(row.baseCents - row.discounts.reduce((sum, { cents }) => sum + cents, 0)).toBe(row.monthlyCents);
    if (!line) continue;
    expect(row).toMatchObject({ monthlyCents: line.cents, baseCents: line.baseCents, nextBillAt: bill!.at });
    expect(row.discounts.map(({ label, cents }) => [label, cents])).toEqual(
      line.discounts.map(({ label, cents }) => [label, cents]),
    );
  }
}

describe('the money that a subscription shows', () => {
  it('is its line on the coming bill, beside what a month of it cost on the running one', async () => {
    const { agent } = await app.signedIn();
    await buy(app, agent, tool);
    await buy(app, agent, other);
    expect(await shownOf(agent, tool)).toMatchObject({ monthlyCents: 2850, paidMonthCents: 3000, nextPrice: null });
    expect(await shownOf(agent, other)).toMatchObject({ monthlyCents: 2375, paidMonthCents: 2375 });
    await expectOneTruth(agent);
    await agent.post('/api/cancel-subscription').send({ toolId: other }).expect(200);
    expect(await shownOf(agent, tool)).toMatchObject({ monthlyCents: 3000 });
    expect(await shownOf(agent, other)).toMatchObject({ nextBillAt: null, paidMonthCents: 2375 });
    await expectOneTruth(agent);
  });

  it('is the line on the first bill that has it, for a trial, or without a card what a month costs now', async () => {
    const { agent } = await app.signedIn();
    await buy(app, agent, other);
    await live(app, 3 * DAY);
    await agent.post('/api/create-subscription').send({ toolId: tool, trial: true }).expect(200);
    const { bill } = await forecastOf(agent);
    const trial = await shownOf(agent, tool);
    expect(bill!.lines.map(({ toolId }) => toolId)).toEqual([other]);
    expect(trial).toMatchObject({ status: 'trial', monthlyCents: 2850, paidMonthCents: null });
    expect(new Date(trial.nextBillAt!) > new Date(bill!.at)).toBe(true);

    const alone = await app.signedIn();
    await alone.agent.post('/api/create-subscription').send({ toolId: tool, trial: true }).expect(200);
    expect(await shownOf(alone.agent, tool)).toMatchObject({ monthlyCents: 3000, nextBillAt: null });
    await giveCard(app, alone.agent);
    const kept = await shownOf(alone.agent, tool);
    expect(kept).toMatchObject({ monthlyCents: 3000, nextBillAt: kept.trialEndDate });
    await expectOneTruth(alone.agent);
  });

  it('names the price that was announced, and the first bill that asks for it', async () => {
    const admin = await administrator(app);
    const { agent } = await app.signedIn();
    await buy(app, agent, 'portfolio-ai');
    const startsOn = sydneyDate(new Date(app.context.now().getTime() + 45 * DAY));
    await admin
      .post('/api/admin/tools/portfolio-ai/price', {
        priceCents: 4500,
        currentCents: 4000,
        startsOn,
        reason: 'It does more',
      })
      .expect(200);
    const { nextPrice, monthlyCents, nextBillAt } = await shownOf(agent, 'portfolio-ai');
    const { later } = await forecastOf(agent);
    expect([monthlyCents, later]).toMatchObject([4000, { monthCents: 4500 }]);
    expect(nextPrice).toEqual({ unitCents: 4500, beforeCents: 4000, from: later!.at });
    expect(new Date(later!.at) > new Date(nextBillAt!)).toBe(true);
    await live(app, 62 * DAY);
    expect(await shownOf(agent, 'portfolio-ai')).toMatchObject({ monthlyCents: 4500, nextPrice: null });
  });

  it('is the whole bill on each tool in grace, and nothing is said but the sum', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    await buy(app, agent, other);
    await settle();
    const [customer] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [user.id]);
    await app.sandbox!.controls.failNextCharges(String(customer!['id']));
    await passToBill(app, agent);
    const { owed, bill } = await forecastOf(agent);
    expect(owed).toMatchObject({ dueCents: 5225, tried: true, needsAction: false });
    expect(owed!.lines.map(({ cents }) => cents).toSorted()).toEqual([2375, 2850]);
    expect(bill).toMatchObject({ totalCents: 5225 });
    for (const toolId of [tool, other])
      expect((await shownOf(agent, toolId)).paymentProblem).toMatchObject({ amountCents: 5225, tried: true });
    await agent
      .post('/api/billing/pay')
      .send({ charge: { cents: 5225, last4: '4242' } })
      .expect(200, /"owed":null/);
    for (const toolId of [tool, other])
      expect(await shownOf(agent, toolId)).toMatchObject({ status: 'active', paymentProblem: null });
  });

  it('is what one press buys where free access ended, and nothing was tried', async () => {
    const admin = await administrator(app);
    const { agent, user } = await app.signedIn();
    await admin.post('/api/admin/grant-free-access', { userId: user.id }).expect(200);
    for (const toolId of [tool, other]) await agent.post('/api/create-subscription').send({ toolId }).expect(200);
    expect(await shownOf(agent, tool)).toMatchObject({ baseCents: 3000, monthlyCents: 0, nextBillAt: null });
    await admin.post('/api/admin/revoke-free-access', { userId: user.id }).expect(200);
    await settle();
    expect((await forecastOf(agent)).owed).toMatchObject({ dueCents: 5225, tried: false });
    for (const toolId of [tool, other])
      expect((await shownOf(agent, toolId)).paymentProblem).toMatchObject({ amountCents: 5225, tried: false });
  });

  it('is nothing for members of a team', async () => {
    const { agent, user } = await app.signedIn();
    const member = await createUser(app.context);
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
    await rowsOf(app, "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')", [
      team.id,
      member.id,
    ]);
    await buy(app, agent, tool, 'pm_card_visa', { teamId: team.id });
    expect(await shownOf(agent, tool)).toMatchObject({ quantity: 4, monthlyCents: 12_000, canManage: true });
    const replica = await startReplica(app.context);
    const theirs = await shownOf(await replica.agent(member.email), tool);
    await replica.stop();
    expect(theirs).toMatchObject({ hasAccess: true, canManage: false, baseCents: 0, monthlyCents: 0, discounts: [] });
    expect(theirs).toMatchObject({ nextBillAt: null, paidMonthCents: null, nextPrice: null, paymentProblem: null });
  });

  it('is what it would cost now, for one that has ended', async () => {
    const { agent } = await app.signedIn();
    await buy(app, agent, tool);
    await buy(app, agent, other);
    await agent.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately: true }).expect(200);
    await live(app, 8 * DAY);
    expect(await shownOf(agent, tool)).toMatchObject({
      status: 'expired',
      baseCents: 3000,
      monthlyCents: 2850,
      nextBillAt: null,
      paidMonthCents: null,
    });
  });
});
