import { describe, expect, it } from 'vitest';
import { teamMembers } from '#shared/schema/teams.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, DAY, passTime } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { expireSubscriptions } from '../jobs.ts';

const app = testApp();

type Offer = {
  toolId: string;
  teamId: string | null;
  daysSinceExpiry: number;
  totalSessions: number;
  averageMonthlyUsage: number;
  expiresInDays: number;
  offers: { offerId: string; discountPercentage: number; months: number; monthlyCents: number; thenCents: number }[];
};
const offersOf = async (agent: Agent) => (await agent.get('/api/winback/offers').expect(200)).body as Offer[];
const trial = (agent: Agent, toolId: string, more: object = {}) =>
  agent
    .post('/api/create-subscription')
    .send({ toolId, trial: true, ...more })
    .expect(200);
const days = async (count: number) => {
  await passTime(app, count * DAY);
  await expireSubscriptions(app.context);
};

describe('GET /api/winback/offers', () => {
  it('offers nothing while a subscription lives', async () => {
    const { agent } = await app.signedIn();
    await trial(agent, 'file-note-ai');
    expect(await offersOf(agent)).toEqual([]);
  });

  it('answers three offers for an expired tool, by days since expiry, with what they would cost, and none for the free tool', async () => {
    const { agent, user } = await app.signedIn();
    await trial(agent, 'file-note-ai');
    const opened = (at: number) => ({
      userId: user.id,
      toolId: 'file-note-ai',
      createdAt: new Date(app.clock.now().getTime() + at * DAY),
    });
    await app.context.db.insert(toolUsage).values([opened(1), opened(2), opened(10)]);
    await days(31);
    const [offer, ...others] = await offersOf(agent);
    expect(others).toEqual([]);
    expect(offer).toMatchObject({
      toolId: 'file-note-ai',
      teamId: null,
      daysSinceExpiry: 1,
      totalSessions: 3,
      averageMonthlyUsage: 3,
      expiresInDays: 6,
      changes: { percent: 25 },
    });
    expect(offer!.offers).toMatchObject([
      {
        offerId: 'comeback_special',
        discountPercentage: 30,
        months: 3,
        mostPopular: true,
        monthlyCents: 1750,
        thenCents: 2500,
        dueTodayCents: 1750,
      },
      {
        offerId: 'monthly_restart',
        discountPercentage: 15,
        months: 1,
        mostPopular: false,
        monthlyCents: 2125,
        thenCents: 2500,
        dueTodayCents: 2125,
      },
      {
        offerId: 'annual_savings',
        discountPercentage: 40,
        months: 12,
        mostPopular: false,
        monthlyCents: 1500,
        thenCents: 2500,
        dueTodayCents: 1500,
      },
    ]);
    await days(30);
    expect((await offersOf(agent))[0]).toMatchObject({ daysSinceExpiry: 31, expiresInDays: 1 });
    expect((await offersOf(agent))[0]!.offers[0]).toMatchObject({ discountPercentage: 20, monthlyCents: 2000 });
  });

  it('never stacks, and leaves out what gives nothing: the partner discount comes first, then the larger of offer and volume discount', async () => {
    const { agent } = await app.signedIn({ membershipType: 'shaw_partners' });
    await trial(agent, 'file-note-ai');
    await days(31);
    for (const toolId of ['risk-profile-ai', 'fact-find-ai', 'pre-fill-ai', 'share-advice-ai', 'portfolio-ai'])
      await buy(app, agent, toolId);
    const [offer] = await offersOf(agent);
    // Six tools with this one: 20% by volume. 25.00 → 12.50; 20% → 10.00; 30% → 8.75; 40% → 7.50. 15% is less than 20%: it would give nothing.
    expect(offer!.offers.map(({ monthlyCents, thenCents }) => [monthlyCents, thenCents])).toEqual([
      [875, 1000],
      [750, 1000],
    ]);
  });

  it('offers nothing to those to whom everything is free', async () => {
    const { agent, user } = await app.signedIn();
    await trial(agent, 'file-note-ai');
    await days(31);
    await app.context.db.$client.query('update users set free_access_granted = true where id = $1', [user.id]);
    expect(await offersOf(agent)).toEqual([]);
  });

  it('offers a team’s tool to its owner, and to no member', async () => {
    const owner = await app.signedIn();
    const member = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id });
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: member.user.id });
    await trial(owner.agent, 'file-note-ai', { teamId: team.id });
    await days(46);
    const [offer] = await offersOf(owner.agent);
    expect(offer).toMatchObject({ toolId: 'file-note-ai', teamId: team.id });
    expect(offer!.offers[1]).toMatchObject({ monthlyCents: 4250, thenCents: 5000 });
    expect(await offersOf(member.agent)).toEqual([]);
  });
});
