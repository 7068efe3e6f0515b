import { and, eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import { plusMonths } from '#shared/rules/dates.ts';
import { daysOf, partOf } from '#shared/rules/billing/part-month.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { handOver } from '#server/testing/hand-over.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { collected, confirm, DAY, pass, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';
import { endEverything } from './change/end.ts';
import { memberJoined, memberLeft } from './change/seats.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 120_000 });

const app = freshTestApp();

const tool = 'risk-profile-ai';
const create = (agent: Agent, body: object) => agent.post('/api/create-subscription').send({ toolId: tool, ...body });
const team = async (members: number, membershipType: 'team' | 'shaw_partners' = 'team') => {
  const owner = await app.signedIn();
  const { team: made } = await createTeam(app.context, { ownerId: owner.user.id, membershipType, members });
  return { ...owner, teamId: made.id };
};
const join = async (teamId: string, role: 'admin' | 'member' = 'member') => {
  const user = await createUser(app.context, { membershipType: 'team' });
  await transaction(app.context.db, async (tx) => {
    await memberJoined(within(app.context, tx), teamId, { id: user.id, name: `${user.firstName} ${user.lastName}` });
    await tx.insert(teamMembers).values({ teamId, userId: user.id, role, joinedAt: app.context.now() });
  });
  return { user, ...(await app.signIn(user.email)) };
};
const leave = (teamId: string, user: { id: string; firstName: string; lastName: string }) =>
  transaction(app.context.db, async (tx) => {
    await memberLeft(within(app.context, tx), teamId, { id: user.id, name: `${user.firstName} ${user.lastName}` });
    await tx.delete(teamMembers).where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, user.id)));
  });
const forecast = async (agent: Agent, teamId: string) =>
  (await agent.get(`/api/billing/forecast?teamId=${teamId}`).expect(200)).body as Forecast;
const totals = async (teamId: string) =>
  (await rowsOf(app, 'select total_cents from invoices where team_id = $1 order by issued_at desc', [teamId])).map(
    ({ total_cents: cents }) => cents as number,
  );
async function buyForTeam(agent: Agent, teamId: string, toolId = tool) {
  const { body } = await create(agent, { teamId, toolId }).expect(200);
  await confirm(app, body.clientSecret as string, 'pm_card_visa');
  return (await agent.post(`/api/subscriptions/${toolId}/sync`).send({ teamId }).expect(200)).body;
}
/** The team's Stripe subscriptions, oldest first. */
const provided = async (teamId: string) =>
  (await app.context.payments.stripe.subscriptions.list({ status: 'all', limit: 100 })).data
    .filter(({ metadata }) => metadata.teamId === teamId)
    .toReversed();

describe('a team that pays for its tools', () => {
  it('pays per member, with its own customer and card; each member opens the tool and sees no money', async () => {
    const { agent, teamId, user } = await team(2);
    const quote = await agent.get(`/api/pricing/quote?toolId=${tool}&teamId=${teamId}`).expect(200);
    expect(quote.body).toMatchObject({ baseCents: 9000, totalCents: 9000, trialDays: 45 });
    const member = await join(teamId);
    expect(await buyForTeam(agent, teamId)).toMatchObject({
      teamId,
      status: 'active',
      subscriptionType: 'team',
      quantity: 4,
      monthlyCents: 12000,
      canManage: true,
    });
    const [customer] = await rowsOf(app, 'select stripe_customer_id, card_last4 from teams where id = $1', [teamId]);
    expect(customer).toMatchObject({ card_last4: '4242' });
    expect(await rowsOf(app, 'select stripe_customer_id, card_last4 from users where id = $1', [user.id])).toEqual([
      { stripe_customer_id: null, card_last4: null },
    ]);
    expect(await shown(member.agent, tool, teamId)).toMatchObject({
      hasAccess: true,
      canManage: false,
      discounts: [],
      paymentProblem: null,
    });
    expect(await shown(member.agent, 'lost-money-ai', teamId)).toMatchObject({ hasAccess: true });
    await member.agent.post('/api/auth/token').send({ toolId: tool }).expect(200);
    expect(await shown(agent, tool)).toBeUndefined();
  });

  it('is managed by its owner only: outsiders get 404, its people 403', async () => {
    const { agent, teamId } = await team(0);
    const admin = await join(teamId, 'admin');
    const outsider = await app.signedIn();
    await buyForTeam(agent, teamId);
    const calls: [string, string, object][] = [
      ['post', '/api/create-subscription', { toolId: 'file-note-ai' }],
      ['post', '/api/cancel-subscription', { toolId: tool }],
      ['post', '/api/reactivate-subscription', { toolId: tool }],
      ['patch', `/api/subscriptions/${tool}/auto-renew`, { autoRenew: false }],
      ['post', '/api/billing/pay', {}],
      ['post', `/api/subscriptions/${tool}/sync`, {}],
      ['post', '/api/resubscribe', { toolId: tool, offerId: 'monthly_restart', discountPercentage: 15 }],
    ];
    for (const [method, path, body] of calls) {
      const call = (by: Agent) => by[method as 'post'](path).send({ ...body, teamId });
      expect([path, (await call(outsider.agent)).status]).toEqual([path, 404]);
      expect([path, (await call(admin.agent)).status]).toEqual([path, 403]);
    }
    expect(await shown(agent, tool, teamId)).toMatchObject({ status: 'active' });
  });

  it('has 45 days of trial, once per tool, whichever member asks', async () => {
    const { agent, teamId } = await team(1);
    const { body } = await create(agent, { teamId, trial: true }).expect(200);
    const days = (new Date(body.subscription.trialEndDate as string).getTime() - app.context.now().getTime()) / DAY;
    expect(days).toBeCloseTo(45, 1);
    await agent.post('/api/cancel-subscription').send({ toolId: tool, teamId, cancelImmediately: true }).expect(200);
    await pass(app, 8 * DAY);
    await create(agent, { teamId, trial: true }).expect(409, /trial_used/);
    await create(agent, { trial: true }).expect(409, /trial_used/);
    expect((await agent.get(`/api/pricing/quote?toolId=${tool}`).expect(200)).body).toMatchObject({ trialDays: null });
  });

  it('gets no other trial under a new owner, nor when it is made anew', async () => {
    const { agent, user } = await app.signedIn();
    const first = await createTeam(app.context, { ownerId: user.id, members: 1 });
    await create(agent, { teamId: first.team.id, trial: true }).expect(200);
    await agent.delete(`/api/teams/${first.team.id}`).expect(200);
    const second = await createTeam(app.context, { ownerId: user.id });
    await create(agent, { teamId: second.team.id, trial: true }).expect(409, /trial_used/);

    const heir = await join(second.team.id);
    const toolId = 'portfolio-ai';
    await create(agent, { toolId, teamId: second.team.id, trial: true }).expect(200);
    await agent
      .post('/api/cancel-subscription')
      .send({ toolId, teamId: second.team.id, cancelImmediately: true })
      .expect(200);
    await pass(app, 8 * DAY);
    await handOver(agent, heir.agent, second.team.id, heir.user.id);
    await create(heir.agent, { toolId, teamId: second.team.id, trial: true }).expect(409, /trial_used/);
  });

  it('gets 15% from 5 to 19 members with two tools, half as partners, and no free access', async () => {
    const { agent, teamId, user } = await team(4);
    await rowsOf(app, 'update users set free_access_granted = true where id = $1', [user.id]);
    await buyForTeam(agent, teamId);
    await buyForTeam(agent, teamId, 'file-note-ai');
    expect(await shown(agent, tool, teamId)).toMatchObject({
      baseCents: 15000,
      monthlyCents: 12750,
      discounts: [{ kind: 'team', percent: 15, cents: 2250 }],
    });
    const partner = await team(1, 'shaw_partners');
    expect(await buyForTeam(partner.agent, partner.teamId)).toMatchObject({ baseCents: 6000, monthlyCents: 3000 });
  });

  it('has lines that follow its members, and each one’s days by name on the bill, as was said', async () => {
    const { agent, teamId } = await team(1);
    await buyForTeam(agent, teamId);
    await pass(app, 10 * DAY);
    const [first] = [await join(teamId), await join(teamId)];
    await app.context.queue.drain();
    expect(await shown(agent, tool, teamId)).toMatchObject({ quantity: 4, monthlyCents: 12000 });
    const [atStripe] = await provided(teamId);
    expect(atStripe!.items.data.map(({ price, quantity }) => [price.unit_amount, quantity])).toEqual([[12000, 1]]);
    const { bill } = await forecast(agent, teamId);
    const name = `${first.user.firstName} ${first.user.lastName}`;
    expect(bill).toMatchObject({
      lines: [{ quantity: 4, cents: 12000 }],
      parts: [{ person: name, cause: 'joined' }, {}],
    });
    const { cents, days } = bill!.parts[0]!;
    const periodDays = daysOf(plusMonths(new Date(bill!.at), -1), new Date(bill!.at));
    expect(cents).toBe(partOf(6000, days, 2 * periodDays));
    expect(bill!.totalCents).toBe(12000 + 2 * cents);
    await passTo(app, bill!.at, 60_000);
    await pass(app, 2 * 3600_000);
    expect(await totals(teamId)).toEqual([12000 + 2 * cents, 6000]);
    await passTo(app, (await shown(agent, tool, teamId))!.endDate!, 60_000);
    await pass(app, 2 * 3600_000);
    expect((await totals(teamId))[0]).toBe(12000);
  });

  it('pays nothing for a member who leaves and comes back on one day', async () => {
    const { agent, teamId } = await team(0);
    const { user } = await join(teamId);
    await buyForTeam(agent, teamId);
    await pass(app, 10 * DAY);
    await leave(teamId, user);
    const { bill } = await forecast(agent, teamId);
    expect(bill!.lines).toMatchObject([{ quantity: 1, cents: 3000 }]);
    expect(bill!.parts).toMatchObject([{ cause: 'left' }]);
    expect(bill!.totalCents).toBe(3000 + bill!.parts[0]!.cents);
    await transaction(app.context.db, async (tx) => {
      await memberJoined(within(app.context, tx), teamId, { id: user.id, name: 'Back again' });
      await tx.insert(teamMembers).values({ teamId, userId: user.id, role: 'member' });
    });
    const back = (await forecast(agent, teamId)).bill!;
    expect(back.parts.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
    expect(back.totalCents).toBe(6000);
  });

  it('pays the days left of a member who joined while a tool was shut, once it is open again', async () => {
    const { agent, teamId } = await team(0);
    await buyForTeam(agent, teamId);
    await pass(app, 10 * DAY);
    await agent.post('/api/cancel-subscription').send({ toolId: tool, teamId, cancelImmediately: true }).expect(200);
    await join(teamId);
    expect((await forecast(agent, teamId)).bill).toBeNull();
    await agent.post('/api/reactivate-subscription').send({ toolId: tool, teamId }).expect(200);
    expect((await forecast(agent, teamId)).bill).toMatchObject({
      lines: [{ quantity: 2 }],
      parts: [{ cause: 'joined' }],
    });
  });

  it('gets a last bill of members’ days once it cancels, which was named before', async () => {
    const { agent, teamId } = await team(0);
    await buyForTeam(agent, teamId);
    await pass(app, 10 * DAY);
    await join(teamId);
    const { body } = await agent.post('/api/cancel-subscription').send({ toolId: tool, teamId }).expect(200);
    const { bill } = await forecast(agent, teamId);
    expect(bill).toMatchObject({ at: body.endDate, lines: [], parts: [{ cause: 'joined' }] });
    await passTo(app, body.endDate as string, DAY);
    await pass(app, DAY);
    expect(await totals(teamId)).toEqual([bill!.totalCents, 3000]);
    expect(await collected(app, teamId)).toBe(3000 + bill!.totalCents);
    expect(await rowsOf(app, "select status from bills where team_id = $1 and kind = 'closing'", [teamId])).toEqual([
      { status: 'paid' },
    ]);
  });

  it('pays a last bill by credit where credit covers it', async () => {
    const { agent, teamId } = await team(0);
    await buyForTeam(agent, teamId);
    await pass(app, 10 * DAY);
    await join(teamId);
    const customer = (await provided(teamId))[0]!.customer as string;
    const { customers } = app.context.payments.stripe;
    await customers.createBalanceTransaction(customer, { amount: -5000, currency: 'aud' });
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    const { body } = await agent.post('/api/cancel-subscription').send({ toolId: tool, teamId }).expect(200);
    const { bill } = await forecast(agent, teamId);
    expect(bill).toMatchObject({ totalCents: 0, creditCents: bill!.parts[0]!.cents });
    await passTo(app, body.endDate as string, DAY);
    await pass(app, DAY);
    const closing = "select status, total_cents, credit_cents from bills where team_id = $1 and kind = 'closing'";
    expect(await rowsOf(app, closing, [teamId])).toEqual([
      { status: 'paid', total_cents: 0, credit_cents: bill!.creditCents },
    ]);
    expect(await customers.retrieve(customer)).toMatchObject({ balance: bill!.creditCents - 5000 });
    expect(await collected(app, teamId)).toBe(3000);
  });

  it('is paid back what is left of a credit once it cancels', async () => {
    const { agent, teamId } = await team(0);
    const { user } = await join(teamId);
    await buyForTeam(agent, teamId);
    await pass(app, 10 * DAY);
    await leave(teamId, user);
    const credit = (await forecast(agent, teamId)).bill!.parts[0]!.cents;
    expect(credit).toBeLessThan(0);
    const { body } = await agent.post('/api/cancel-subscription').send({ toolId: tool, teamId }).expect(200);
    await passTo(app, body.endDate as string, DAY);
    await pass(app, DAY);
    const notes = await rowsOf(
      app,
      'select note.total_cents from adjustment_notes note join invoices i on i.id = note.invoice_id where i.team_id = $1',
      [teamId],
    );
    expect(notes).toEqual([{ total_cents: -credit }]);
    expect(await app.context.queue.failed(100)).toEqual([]);
  });

  it('is billed nothing once it closes, which ends everything', async () => {
    const { agent, teamId } = await team(0);
    await buyForTeam(agent, teamId);
    await endEverything(app.context, { kind: 'team', teamId });
    expect((await provided(teamId)).map(({ status }) => status)).toEqual(['canceled']);
    expect(await rowsOf(app, 'select 1 from tool_subscriptions where team_id = $1 and is_active', [teamId])).toEqual(
      [],
    );
  });
});
