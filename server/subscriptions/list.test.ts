import { describe, expect, it } from 'vitest';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, DAY, pass, providerSubscriptions, rowsOf } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { expireSubscriptions, reconcileSubscriptions } from './jobs.ts';
import { findAccess } from './rights.ts';

const app = testApp();

type Listed = { toolId: string; status: string; hasAccess: boolean; teamId: string | null; teamName: string | null };
const list = async (agent: Agent) => (await agent.get('/api/user/subscriptions').expect(200)).body as Listed[];

/** Dates are SQL, relative to now. */
const add = (columns: Record<string, string>) =>
  rowsOf(
    app,
    `insert into tool_subscriptions (revision, ${Object.keys(columns).join()}) values (1, ${Object.values(columns).join()})`,
  );

describe('GET /api/user/subscriptions', () => {
  it('answers the newest per payer and tool, newest first, with expired ones and without incomplete ones', async () => {
    const { agent, user } = await app.signedIn();
    const user_id = `'${user.id}'`;
    const old = { user_id, status: "'expired'", is_active: 'false' };
    await add({ ...old, tool_id: "'pre-fill-ai'", created_at: "now() - interval '90 days'" });
    await add({ ...old, tool_id: "'pre-fill-ai'", created_at: "now() - interval '60 days'" });
    await add({ ...old, tool_id: "'fact-find-ai'", created_at: "now() - interval '50 days'" });
    await add({ user_id, tool_id: "'fact-find-ai'", created_at: "now() - interval '10 days'" });
    await add({
      user_id,
      tool_id: "'portfolio-ai'",
      status: "'incomplete'",
    });
    const { team } = await createTeam(app.context, { name: 'Harbour Advice', ownerId: user.id });
    await add({
      team_id: `'${team.id}'`,
      subscription_type: "'team'",
      tool_id: "'fact-find-ai'",
      created_at: "now() - interval '20 days'",
    });
    const rows = await list(agent);
    expect(rows.map(({ toolId, status, teamName }) => [toolId, status, teamName])).toEqual([
      ['fact-find-ai', 'active', null],
      ['fact-find-ai', 'active', 'Harbour Advice'],
      ['pre-fill-ai', 'expired', null],
    ]);
    expect(Object.keys(rows[0]!).toSorted().join(' ')).toBe(
      'afterOfferCents autoRenew baseCents canManage cancelledAt cardOnFile createdAt discounts endDate freeUntil gracePeriodEnd hasAccess id monthlyCents needsClient nextBillAt nextPrice ' +
        'paidMonthCents paidUntil paymentProblem quantity status subscriptionType teamId teamName tool toolId trialEndDate winBack',
    );
    expect((await agent.get('/api/subscriptions').expect(200)).body).toEqual(rows);
  });

  it('follows the clock: an end counts though no job has seen it', async () => {
    const { agent, user } = await app.signedIn();
    const user_id = `'${user.id}'`;
    await add({ user_id, tool_id: "'lost-money-ai'" });
    await add({
      user_id,
      tool_id: "'pre-fill-ai'",
      status: "'trial'",
      trial_end_date: "now() - interval '1 second'",
    });
    const shown = (await list(agent)).map(({ toolId, status, hasAccess }) => [toolId, status, hasAccess]).toSorted();
    expect(shown).toEqual([
      ['lost-money-ai', 'expired', false],
      ['pre-fill-ai', 'expired', false],
    ]);
    expect(await findAccess(app.context, user.id, 'pre-fill-ai')).toBeNull();
    expect(await findAccess(app.context, user.id, 'lost-money-ai')).toBeNull();

    await expireSubscriptions(app.context);
    const stored = await rowsOf(app, 'select status, is_active from tool_subscriptions where user_id = $1', [user.id]);
    expect(stored).toEqual([
      { status: 'expired', is_active: false },
      { status: 'expired', is_active: false },
    ]);
  });

  it("a team's tool opens for every member and brings the free tool; a closed team's does not", async () => {
    const member = await createUser(app.context);
    const { team } = await createTeam(app.context);
    await rowsOf(app, "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')", [
      team.id,
      member.id,
    ]);
    await add({ team_id: `'${team.id}'`, subscription_type: "'team'", tool_id: "'portfolio-ai'" });
    await add({ user_id: `'${member.id}'`, tool_id: "'lost-money-ai'" });
    expect(await findAccess(app.context, member.id, 'portfolio-ai')).toMatchObject({ teamId: team.id });
    expect(await findAccess(app.context, member.id, 'lost-money-ai')).toMatchObject({ userId: member.id });
    await rowsOf(app, 'update teams set is_active = false where id = $1', [team.id]);
    expect(await findAccess(app.context, member.id, 'portfolio-ai')).toBeNull();
    expect(await findAccess(app.context, member.id, 'lost-money-ai')).toBeNull();
  });

  it('is for members only', async () => {
    await app.agent().get('/api/user/subscriptions').expect(401);
    const { agent } = await app.signedIn({ profileCompleted: false });
    await agent.get('/api/user/subscriptions').expect(403, /profile_incomplete/);
  });
});

it('GET /api/discounts/tiers answers everybody', async () => {
  const { body } = await app.agent().get('/api/discounts/tiers').expect(200);
  expect(
    (body as { toolCount: number; discountPercent: string }[]).map((tier) => [tier.toolCount, tier.discountPercent]),
  ).toEqual([
    [2, '5.00'],
    [3, '10.00'],
    [4, '15.00'],
    [6, '20.00'],
  ]);
});

it('the job repairs within the hour what a lost webhook left', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'share-advice-ai');
  const [subscription] = await providerSubscriptions(app, user.id);
  await app.context.payments.stripe.subscriptions.cancel(subscription!.id);
  const own = async () => (await list(agent)).find((one) => one.toolId === 'share-advice-ai');
  expect(await own()).toMatchObject({ status: 'active', autoRenew: true });
  await rowsOf(app, "update tool_subscriptions set synced_at = synced_at - interval '61 minutes'");
  await reconcileSubscriptions(app.context);
  // What is paid stays open until its end.
  expect(await own()).toMatchObject({ status: 'active', autoRenew: false, hasAccess: true, nextBillAt: null });
  await pass(app, 32 * DAY);
  expect((await list(agent)).map((one) => one.status)).toEqual(['expired', 'expired']);
});

it('a late renewal locks nobody out, and the job finds it at Stripe', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'file-note-ai');
  await app.clock.advance(32 * DAY);
  expect((await list(agent)).find((one) => one.toolId === 'file-note-ai')).toMatchObject({ hasAccess: true });
  await app.sandbox!.tick();
  await expireSubscriptions(app.context);
  const [row] = await rowsOf(app, "select * from tool_subscriptions where user_id = $1 and tool_id = 'file-note-ai'", [
    user.id,
  ]);
  expect(row).toMatchObject({ status: 'active', is_active: true });
  expect((row!.end_date as Date).getTime()).toBeGreaterThan(app.context.now().getTime());
});

it('create-subscription takes 60 calls a minute of one adviser', async () => {
  const { agent } = await app.signedIn();
  const send = () => agent.post('/api/create-subscription').send({ toolId: 'advice-writer-ai' });
  const statuses: number[] = [];
  for (let i = 0; i < 61; i += 1) statuses.push((await send()).status);
  expect(statuses.slice(0, 60).every((status) => status === 409)).toBe(true);
  expect(statuses[60]).toBe(429);
});
