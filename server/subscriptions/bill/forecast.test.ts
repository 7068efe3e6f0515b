import { describe, expect, it } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import { sumCents } from '#shared/rules/billing/money.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, DAY, live, rowsOf, shown } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';
import { transaction } from '#server/platform/data/database.ts';
import { within } from '#server/platform/context.ts';
import { memberJoined } from '../change/seats.ts';

const app = freshTestApp();

const forecast = async (agent: Agent, teamId?: string) =>
  (await agent.get(`/api/billing/forecast${teamId ? `?teamId=${teamId}` : ''}`).expect(200)).body as Forecast;

/** What each tool costs on the coming bill. */
const told = ({ bill }: Forecast) =>
  Object.fromEntries((bill?.lines ?? []).map(({ toolId, cents }) => [toolId, cents]));

/** The newest monthly bill of a payer, as it was charged. */
const charged = async (column: 'user_id' | 'team_id', id: string) => {
  const [row] = await rowsOf(
    app,
    `select b.total_cents, b.lines, i.total_cents as invoiced, i.status from bills b
     join invoices i on i.stripe_invoice_id = b.stripe_invoice_id
     where b.${column} = $1 and b.kind = 'month' order by b.at desc limit 1`,
    [id],
  );
  return row as { total_cents: number; lines: { toolId: string; cents: number }[]; invoiced: number; status: string };
};

const join = async (teamId: string) => {
  const { id, firstName, lastName } = await createUser(app.context, { membershipType: 'team' });
  await transaction(app.context.db, async (tx) => {
    await tx.$client.query("insert into team_members (team_id, user_id, role) values ($1, $2, 'member')", [teamId, id]);
    await memberJoined(within(app.context, tx), teamId, { id, name: `${firstName} ${lastName}` });
  });
  return `${firstName} ${lastName}`;
};

describe('the coming bill', () => {
  it('lists the tools in the order in which they were bought, wherever Postgres keeps their rows', async () => {
    const { agent } = await app.signedIn();
    const bought = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai'];
    for (const tool of bought) await buy(app, agent, tool);
    for (const tool of bought.toReversed())
      await rowsOf(app, 'update tool_subscriptions set auto_renew = auto_renew where tool_id = $1', [tool]);
    expect((await forecast(agent)).bill?.lines.map(({ toolId }) => toolId)).toEqual(bought);
  });

  it('leaves a cancelled tool out, and its discount with it, which is said at once and charged to the cent', async () => {
    const { agent, user } = await app.signedIn();
    for (const tool of ['risk-profile-ai', 'portfolio-ai', 'file-note-ai']) await buy(app, agent, tool);
    await app.context.queue.drain();
    const before = told(await forecast(agent));
    await agent.post('/api/cancel-subscription').send({ toolId: 'file-note-ai' }).expect(200);
    await app.context.queue.drain();
    const after = await forecast(agent);
    expect(before).toEqual({ 'risk-profile-ai': 2700, 'portfolio-ai': 3600, 'file-note-ai': 2250 });
    expect(told(after)).toEqual({ 'risk-profile-ai': 2850, 'portfolio-ai': 3800 });
    expect(after.endings).toMatchObject([{ toolId: 'file-note-ai', reason: 'cancelled' }]);
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ monthlyCents: 2850 });

    await live(app, 27 * DAY);
    expect(told(await forecast(agent))).toEqual(told(after));
    await live(app, 6 * DAY);
    const bill = await charged('user_id', user.id);
    expect(bill).toMatchObject({ total_cents: 6650, invoiced: 6650, status: 'paid' });
    expect(Object.fromEntries(bill.lines.map(({ toolId, cents }) => [toolId, cents]))).toEqual(told(after));
  });

  it('has the days of a member who joined, by name, and after that only the month', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 4 });
    for (const toolId of ['risk-profile-ai', 'file-note-ai'])
      await buy(app, agent, toolId, 'pm_card_visa', { teamId: team.id });
    await live(app, 12 * DAY);
    const name = await join(team.id);
    await live(app, DAY);
    const { bill } = await forecast(agent, team.id);
    const joined = bill!.parts.filter(({ cause }) => cause === 'joined');
    expect(joined.map(({ person, toolName }) => `${person}, ${toolName}`).toSorted()).toEqual([
      `${name}, File Note AI`,
      `${name}, Risk Profile AI`,
    ]);
    expect(bill!.lines.map(({ quantity }) => quantity)).toEqual([6, 6]);
    const sum = [...bill!.lines, ...bill!.parts].reduce((total, { cents }) => total + cents, 0);
    expect(bill!.totalCents).toBe(sum);
    await live(app, 20 * DAY);
    expect(await charged('team_id', team.id)).toMatchObject({ total_cents: sum, invoiced: sum, status: 'paid' });
    expect((await forecast(agent, team.id)).bill!.parts).toEqual([]);
  });

  it('is what comes after a month that is being charged', async () => {
    const { agent } = await app.signedIn();
    const { sandbox, clock, context } = app;
    await buy(app, agent, 'risk-profile-ai');
    await context.queue.drain();
    const { bill } = await forecast(agent);
    await clock.advance(new Date(bill!.at).getTime() - clock.now().getTime() + 60_000);
    await sandbox!.tick();
    await context.queue.drain();
    const draft = await forecast(agent);
    expect(draft.charging).toMatchObject({ at: bill!.at, totalCents: 3000, lines: [{ cents: 3000 }], parts: [] });
    expect(new Date(draft.bill!.at) > new Date(bill!.at)).toBe(true);
    await live(app, 2 * 3600_000);
    expect(await forecast(agent)).toMatchObject({ charging: null, owed: null, bill: { totalCents: 3000 } });
  });

  it('takes off what members who left are owed, as far as it goes; the rest stays theirs, as they were told', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
    await buy(app, agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
    await live(app, DAY);
    const members = await rowsOf(app, "select user_id from team_members where team_id = $1 and role = 'member'", [
      team.id,
    ]);
    for (const { user_id: id } of members)
      await agent.delete(`/api/teams/${team.id}/members/${String(id)}`).expect(200);
    await app.context.queue.drain();
    const { bill } = await forecast(agent, team.id);
    // Nearly a whole month of two members is credited, against the months of one.
    expect(bill).toMatchObject({ totalCents: 0 });
    expect(bill!.leftCents).toBeGreaterThan(2000);
    const leftCents = bill!.leftCents;
    await live(app, 32 * DAY);
    const next = (await forecast(agent, team.id)).bill!;
    expect(next).toMatchObject({ totalCents: 3000 - leftCents, leftCents: 0 });
    await live(app, 31 * DAY);
    expect(await charged('team_id', team.id)).toMatchObject({ total_cents: 3000 - leftCents, status: 'paid' });
  });
});

describe('the page, before a decision,', () => {
  it('says what it does to the other prices, and that is what it then does', async () => {
    const { agent } = await app.signedIn();
    for (const tool of ['risk-profile-ai', 'portfolio-ai']) await buy(app, agent, tool);
    await app.context.queue.drain();
    const changes = async (query: string) =>
      (await agent.get(`/api/pricing/changes?${query}`).expect(200)).body as {
        changes: { toolName: string; fromCents: number; toCents: number; at: string }[];
        bill: unknown;
      };
    const asked = await changes('cancel=portfolio-ai');
    expect(asked.changes).toMatchObject([{ toolName: 'Risk Profile AI', fromCents: 2850, toCents: 3000 }]);
    expect((await changes('cancel=file-note-ai')).changes).toEqual([]);
    expect(asked.bill).toMatchObject({ totalCents: 3000, rest: [] });
    await agent.post('/api/cancel-subscription').send({ toolId: 'portfolio-ai' }).expect(200);
    expect((await forecast(agent)).bill).toMatchObject({ at: asked.changes[0]!.at, totalCents: 3000 });
  });

  it('says what is due today and what the bill comes to; a tool that ends before it no longer counts then', async () => {
    const { agent } = await app.signedIn();
    for (const tool of ['risk-profile-ai', 'portfolio-ai']) await buy(app, agent, tool);
    await agent.post('/api/cancel-subscription').send({ toolId: 'portfolio-ai' }).expect(200);
    await live(app, 5 * DAY);
    const { body } = await agent.get('/api/pricing/quote?toolId=file-note-ai').expect(200);
    expect(body).toMatchObject({ totalCents: 2250, nextBill: { totalCents: 2850 + 2375 } });
    // After the trial on offer, the tool that was cancelled is gone, too.
    expect(body.afterTrial).toMatchObject({ monthCents: 2375 });
    expect(body.dueTodayCents).toBe(body.part.cents);
    expect(body.part.cents).toBeLessThan(2250);
    await buy(app, agent, 'file-note-ai');
    expect(told(await forecast(agent))['file-note-ai']).toBe(2375);
  });

  it('names the bill that has the days of who joins or leaves today', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
    for (const toolId of ['risk-profile-ai', 'portfolio-ai'])
      await buy(app, agent, toolId, 'pm_card_visa', { teamId: team.id });
    await live(app, 5 * DAY);
    const asked = async (query: string) =>
      (await agent.get(`/api/pricing/changes?teamId=${team.id}&${query}`).expect(200)).body as {
        moreCents: number;
        seatCents: number;
        bill: { totalCents: number; rest: { cents: number }[] };
      };
    const month = ({ bill }: Forecast) => bill!.lines.reduce((sum, { cents }) => sum + cents, 0);
    const parts = ({ bill }: Forecast) => bill!.parts.reduce((sum, { cents }) => sum + cents, 0);
    const before = await forecast(agent, team.id);
    const joining = await asked('joins=true');
    await join(team.id);
    const joined = await forecast(agent, team.id);
    expect(joining.bill.totalCents).toBe(joined.bill!.totalCents);
    expect(joining).toMatchObject({ moreCents: month(joined) - month(before), seatCents: parts(joined) });
    expect(joining.seatCents).toBeGreaterThan(0);
    expect(sumCents(joining.bill.rest)).toBe(joining.seatCents);

    const [{ id }] = (await rowsOf(
      app,
      "select user_id as id from team_members where team_id = $1 and role = 'member'",
      [team.id],
    )) as [{ id: string }];
    const leaving = await asked(`leaves=${id}`);
    await agent.delete(`/api/teams/${team.id}/members/${id}`).expect(200);
    const left = await forecast(agent, team.id);
    expect(leaving.bill.totalCents).toBe(left.bill!.totalCents);
    expect(leaving.seatCents).toBeLessThan(0);
    expect(leaving.moreCents).toBe(month(left) - month(joined));
  });

  it('says to the owner alone what another number of members costs, and what a purchase does to the other prices', async () => {
    const { agent, user } = await app.signedIn();
    const stranger = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 4 });
    await buy(app, agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
    const path = `/api/pricing/changes?teamId=${team.id}&joins=true`;
    expect((await agent.get(path).expect(200)).body.changes).toMatchObject([{ fromCents: 15_000, toCents: 18_000 }]);
    await stranger.agent.get(path).expect(404);
    const quote = await agent.get(`/api/pricing/quote?toolId=portfolio-ai&teamId=${team.id}`).expect(200);
    expect(quote.body).toMatchObject({
      totalCents: 17_000,
      changes: [{ toolName: 'Risk Profile AI', fromCents: 15_000, toCents: 12_750 }],
    });
  });
});
