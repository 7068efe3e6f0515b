import { expect, it } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, DAY, live, rowsOf, shown } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';

const app = freshTestApp();

const forecast = async (agent: Agent, teamId?: string) =>
  (await agent.get(`/api/billing/forecast${teamId ? `?teamId=${teamId}` : ''}`).expect(200)).body as Forecast;

/** Each charge's tool and total. */
const told = ({ charges }: Forecast) => Object.fromEntries(charges.map((one) => [one.toolId, one.totalCents]));

/** What the newest invoice of each of the payer's tools came to. */
const charged = async (column: 'user_id' | 'team_id', id: string) =>
  Object.fromEntries(
    (
      await rowsOf(
        app,
        `select distinct on (s.tool_id) s.tool_id, i.total_cents from invoices i
         join tool_subscriptions s on s.id = i.subscription_id
         where s.${column} = $1 and i.status = 'paid' order by s.tool_id, i.issued_at desc`,
        [id],
      )
    ).map((row) => [row['tool_id'], row['total_cents']]),
  );

it('a tool that is cancelled does not count at the renewals after it: told at once, charged to the cent', async () => {
  const { agent, user } = await app.signedIn();
  for (const tool of ['risk-profile-ai', 'portfolio-ai', 'file-note-ai']) await buy(app, agent, tool);
  await app.context.queue.drain();
  const before = told(await forecast(agent));
  await agent.post('/api/cancel-subscription').send({ toolId: 'file-note-ai' }).expect(200);
  await app.context.queue.drain();
  const after = await forecast(agent);
  expect(Object.keys(told(after)).toSorted()).toEqual(['portfolio-ai', 'risk-profile-ai']);
  expect(told(after)['risk-profile-ai']).toBe(2850);
  expect(before['risk-profile-ai']).toBe(2700);
  expect(after.endings).toMatchObject([{ toolId: 'file-note-ai', reason: 'cancelled' }]);
  expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ monthlyCents: 2850 });
  const changed = await rowsOf(
    app,
    "select message from notifications where user_id = $1 and title = 'Price changed'",
    [user.id],
  );
  expect(changed.some(({ message }) => String(message).includes('$28.50'))).toBe(true);

  await live(app, 27 * DAY);
  expect(told(await forecast(agent))).toEqual(told(after));
  await live(app, 6 * DAY);
  expect(await charged('user_id', user.id)).toMatchObject(told(after));
});

it('a member who joins in between: the forecast has the remaining days, and is what is charged', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, members: 4 });
  for (const toolId of ['risk-profile-ai', 'file-note-ai'])
    await buy(app, agent, toolId, 'pm_card_visa', { teamId: team.id });
  await live(app, 12 * DAY);
  const colleague = await createUser(app.context, { membershipType: 'team' });
  await rowsOf(app, 'insert into team_members (team_id, user_id, role) values ($1, $2, $3)', [
    team.id,
    colleague.id,
    'member',
  ]);
  await agent.delete(`/api/teams/${team.id}/members/${colleague.id}`).expect((answer) => answer.status < 300);
  await rowsOf(app, 'insert into team_members (team_id, user_id, role) values ($1, $2, $3)', [
    team.id,
    (await createUser(app.context, { membershipType: 'team' })).id,
    'member',
  ]);
  await live(app, DAY);
  const said = await forecast(agent, team.id);
  expect(said.charges).toHaveLength(2);
  for (const charge of said.charges) {
    expect(charge.lines.some(({ kind }) => kind === 'proration')).toBe(true);
    expect(charge.lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(charge.totalCents);
  }
  await live(app, 20 * DAY);
  expect(await charged('team_id', team.id)).toEqual(told(said));
  // Afterwards only the month.
  const later = await forecast(agent, team.id);
  expect(later.charges.every(({ lines }) => lines.every(({ kind }) => kind !== 'proration'))).toBe(true);
});

it('what a decision would do to the other prices is what it then does', async () => {
  const { agent } = await app.signedIn();
  for (const tool of ['risk-profile-ai', 'portfolio-ai']) await buy(app, agent, tool);
  await app.context.queue.drain();
  const changes = async (query: string) =>
    (await agent.get(`/api/pricing/changes?${query}`).expect(200)).body as unknown;
  expect(await changes('cancel=portfolio-ai')).toEqual(await changes('cancel=portfolio-ai&immediately=true'));
  const [change] = (await changes('cancel=portfolio-ai')) as [{ toCents: number; at: string }];
  expect(change).toMatchObject({ toolName: 'Risk Profile AI', fromCents: 2850, toCents: 3000 });
  expect(await changes('cancel=file-note-ai')).toEqual([]);
  await agent.post('/api/cancel-subscription').send({ toolId: 'portfolio-ai' }).expect(200);
  const { charges } = await forecast(agent);
  expect(charges).toMatchObject([{ at: change.at, totalCents: change.toCents }]);
});

it('a quote says what comes after today: a tool that ends before does not count then', async () => {
  const { agent } = await app.signedIn();
  for (const tool of ['risk-profile-ai', 'portfolio-ai']) await buy(app, agent, tool);
  await agent.post('/api/cancel-subscription').send({ toolId: 'portfolio-ai' }).expect(200);
  await live(app, 5 * DAY);
  const { body } = await agent.get('/api/pricing/quote?toolId=file-note-ai').expect(200);
  const afterTrial = { cents: 2375, priceCents: 2375 };
  expect(body).toMatchObject({ dueTodayCents: 2250, nextChargeCents: 2375, afterTrial });
  await buy(app, agent, 'file-note-ai');
  expect(told(await forecast(agent))['file-note-ai']).toBe(2375);
});

it('only the owner is told what another number of members costs, and a quote says what it does to the others', async () => {
  const { agent, user } = await app.signedIn();
  const stranger = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, members: 4 });
  await buy(app, agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
  const path = `/api/pricing/changes?teamId=${team.id}&members=6`;
  expect((await agent.get(path).expect(200)).body).toMatchObject([{ fromCents: 15_000, toCents: 18_000 }]);
  await stranger.agent.get(path).expect(404);

  const quote = await agent.get(`/api/pricing/quote?toolId=portfolio-ai&teamId=${team.id}`).expect(200);
  expect(quote.body).toMatchObject({
    totalCents: 17_000,
    nextChargeCents: 17_000,
    changes: [{ toolName: 'Risk Profile AI', fromCents: 15_000, toCents: 12_750 }],
  });
});

it('while a renewal is a draft, it is the next charge; then the one a month later is', async () => {
  const { agent } = await app.signedIn();
  const { sandbox, clock, context } = app;
  await buy(app, agent, 'risk-profile-ai');
  await context.queue.drain();
  const [before] = (await forecast(agent)).charges;
  await clock.advance(new Date(before!.at).getTime() - clock.now().getTime() + 60_000);
  await sandbox!.tick();
  await context.queue.drain();
  const draft = await forecast(agent);
  expect(draft.charges).toMatchObject([
    { totalCents: 3000, lines: [{ kind: 'price', label: 'Risk Profile AI', quantity: 1, cents: 3000 }], gstCents: 273 },
    { totalCents: 3000 },
  ]);
  const finalised = new Date(draft.charges[0]!.at).getTime() - new Date(before!.at).getTime();
  expect(finalised).toBeGreaterThan(0);
  expect(finalised).toBeLessThan(2 * 3600_000);
  expect(draft.next).toEqual({ at: draft.charges[0]!.at, totalCents: 3000 });
  await live(app, 2 * 3600_000);
  expect((await forecast(agent)).charges).toHaveLength(1);
});

it('what members who left are owed beyond one invoice is taken off the next ones, as was told', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
  await buy(app, agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
  await live(app, DAY);
  const members = await rowsOf(app, "select user_id from team_members where team_id = $1 and role = 'member'", [
    team.id,
  ]);
  for (const { user_id: id } of members) await agent.delete(`/api/teams/${team.id}/members/${String(id)}`).expect(200);
  await app.context.queue.drain();
  const told: number[] = [];
  for (let month = 0; month < 2; month += 1) {
    const [charge] = (await forecast(agent, team.id)).charges;
    if (month === 1) expect(charge?.lines.map(({ kind }) => kind)).toEqual(['price', 'credit']);
    told.push(charge!.totalCents);
    await live(app, 31 * DAY);
  }
  // Nearly a whole month of two members is credited, against the next months of one.
  expect(told[0]).toBe(0);
  expect(told[1]).toBeGreaterThan(0);
  expect(told[1]).toBeLessThan(3000);
  const paid = await rowsOf(app, 'select amount_paid_cents from invoices where team_id = $1 order by issued_at', [
    team.id,
  ]);
  expect(paid.slice(1, 3).map((row) => row['amount_paid_cents'])).toEqual(told);
});
