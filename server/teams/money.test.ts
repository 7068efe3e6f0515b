import { and, eq, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import { formatCalendarDay } from '#shared/rules/dates.ts';
import { partOf } from '#shared/rules/billing/part-month.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { handOver } from '#server/testing/hand-over.ts';
import { createTeam, createUser, password } from '#server/testing/factories.ts';
import { confirm, DAY, passTime, rowsOf } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();

const drain = () => app.context.queue.drain();

async function practice(members = 0) {
  const owner = await app.signedIn({ firstName: 'Grace' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour Advice', members });
  return { owner, team };
}
async function buyFor(agent: Agent, teamId: string, toolId: string) {
  const { body } = await agent.post('/api/create-subscription').send({ toolId, teamId }).expect(200);
  await confirm(app, body.clientSecret as string, 'pm_card_visa');
  return (await agent.post(`/api/subscriptions/${toolId}/sync`).send({ teamId }).expect(200)).body as {
    status: string;
    monthlyCents: number;
    quantity: number;
  };
}
const rowOf = async (teamId: string, toolId: string) =>
  (
    await app.context.db
      .select()
      .from(toolSubscriptions)
      .where(and(eq(toolSubscriptions.teamId, teamId), eq(toolSubscriptions.toolId, toolId)))
  )[0]!;
const atStripe = async (teamId: string, toolId: string): Promise<Stripe.Subscription> =>
  app.context.payments.stripe.subscriptions.retrieve((await rowOf(teamId, toolId)).stripeSubscriptionId!);
const chargedFor = async (teamId: string, toolId: string) => {
  const { items } = await atStripe(teamId, toolId);
  return items.data[0]!.price.unit_amount;
};
const billOf = async (agent: Agent, teamId: string) =>
  ((await agent.get(`/api/billing/forecast?teamId=${teamId}`).expect(200)).body as Forecast).bill!;
/** Invites the member's address and accepts, over HTTP. */
async function joinBy(owner: Agent, teamId: string, member: { agent: Agent; user: { email: string } }) {
  const { body } = await owner.post(`/api/teams/${teamId}/invite`).send({ email: member.user.email }).expect(200);
  const token = new URL((body as { inviteUrl: string }).inviteUrl).searchParams.get('token')!;
  await member.agent.post(`/api/invitations/${token}/accept`).send({}).expect(200);
}

describe('the price of a team', () => {
  it('is per member, with a 45-day trial, and 15% off from 5 members and two tools', async () => {
    const { owner, team } = await practice(4);
    const quoteFor = async (toolId: string) =>
      (await owner.agent.get(`/api/pricing/quote?toolId=${toolId}&teamId=${team.id}`).expect(200)).body as unknown;
    expect(await quoteFor('risk-profile-ai')).toMatchObject({
      lines: [{ label: 'Risk Profile AI × 5 members', cents: 15_000 }],
      totalCents: 15_000,
      trialDays: 45,
    });
    await buyFor(owner.agent, team.id, 'risk-profile-ai');
    expect(await quoteFor('file-note-ai')).toMatchObject({
      baseCents: 12_500,
      totalCents: 10_625,
      lines: [{}, { label: 'Team discount (15%)', cents: -1875 }],
    });
    expect(await buyFor(owner.agent, team.id, 'file-note-ai')).toMatchObject({ monthlyCents: 10_625, quantity: 5 });
    await drain();
    expect((await billOf(owner.agent, team.id)).lines).toContainEqual(
      expect.objectContaining({ toolId: 'risk-profile-ai', cents: 12_750, quantity: 5 }),
    );
  });

  it('is half per member for a partner team', async () => {
    const owner = await app.signedIn({ membershipType: 'shaw_partners' });
    const { body } = await owner.agent.post('/api/teams').send({}).expect(201);
    const { id } = body as { id: string };
    const answer = await owner.agent.get(`/api/pricing/quote?toolId=risk-profile-ai&teamId=${id}`).expect(200);
    expect(answer.body).toMatchObject({ totalCents: 1500 });
  });

  it('comes after a trial of 45 days, once per team and tool', async () => {
    const { owner, team } = await practice(1);
    const start = () =>
      owner.agent.post('/api/create-subscription').send({ toolId: 'file-note-ai', teamId: team.id, trial: true });
    const { body } = await start().expect(200);
    const { trialEndDate, status } = (body as { subscription: { trialEndDate: string; status: string } }).subscription;
    expect(status).toBe('trial');
    expect(Math.round((Date.parse(trialEndDate) - app.context.now().getTime()) / DAY)).toBe(45);
    await start().expect(409);
  });
});

describe('the bill of a team', () => {
  it('follows a member who joins, one who is removed and one who closes the account: line, days, Stripe', async () => {
    const { owner, team } = await practice(3);
    await buyFor(owner.agent, team.id, 'risk-profile-ai');
    expect(await chargedFor(team.id, 'risk-profile-ai')).toBe(12_000);
    const jane = await app.signedIn({ firstName: 'Jane' });

    await joinBy(owner.agent, team.id, jane);
    await drain();
    expect(await chargedFor(team.id, 'risk-profile-ai')).toBe(15_000);
    const joined = await billOf(owner.agent, team.id);
    const name = `Jane ${jane.user.lastName}`;
    // The whole month is left: she pays what every seat of it did.
    expect(joined).toMatchObject({ lines: [{ quantity: 5, cents: 15_000 }], parts: [{ person: name, cents: 3000 }] });
    expect(joined.totalCents).toBe(18_000);

    await owner.agent.delete(`/api/teams/${team.id}/members/${jane.user.id}`).expect(200);
    await drain();
    expect(await chargedFor(team.id, 'risk-profile-ai')).toBe(12_000);
    const [, left] = (await billOf(owner.agent, team.id)).parts;
    expect(left).toMatchObject({ person: name, cause: 'left' });
    // The day itself is paid.
    expect(3000 + left!.cents).toBe(partOf(3000, 1, joined.parts[0]!.days));

    await joinBy(owner.agent, team.id, jane);
    await drain();
    expect((await billOf(owner.agent, team.id)).parts.reduce((sum, { cents }) => sum + cents, 0)).toBe(3000);
    await jane.agent.post('/api/user/close-account').send({ password }).expect(200);
    await drain();
    expect(await chargedFor(team.id, 'risk-profile-ai')).toBe(12_000);
    // Whoever closes the account is not named any more.
    expect((await billOf(owner.agent, team.id)).parts.at(-1)).toMatchObject({ cause: 'left', person: null });

    // A fifth member joins after ten days: the rest of the month is on the next bill.
    const late = await app.signedIn();
    await passTime(app, 10 * DAY);
    await joinBy(owner.agent, team.id, late);
    await drain();
    const told = await billOf(owner.agent, team.id);
    await passTime(app, 22 * DAY);
    const { customer } = await atStripe(team.id, 'risk-profile-ai');
    const { data } = await app.context.payments.stripe.invoices.list({ customer: customer as string });
    const month = data.find(({ billing_reason }) => billing_reason === 'subscription_cycle')!;
    expect([month.status, month.total]).toEqual(['paid', told.totalCents]);
    expect(month.lines.data.some(({ amount }) => amount === 15_000)).toBe(true);
    const mine = await owner.agent.get(`/api/billing/invoices?teamId=${team.id}`).expect(200);
    expect((mine.body as { invoices: unknown[] }).invoices.length).toBeGreaterThanOrEqual(2);
    expect((await owner.agent.get('/api/billing/invoices').expect(200)).body).toMatchObject({ invoices: [] });
  });
});

describe('team tools', () => {
  it('are open to every member, marked with the team, without billing; a removal ends that at once', async () => {
    const { owner, team } = await practice();
    await buyFor(owner.agent, team.id, 'risk-profile-ai');
    const jane = await app.signedIn();
    await jane.agent.post('/api/auth/token').send({ toolId: 'risk-profile-ai' }).expect(403);
    await joinBy(owner.agent, team.id, jane);
    await drain();

    const { body } = await jane.agent.get('/api/user/subscriptions').expect(200);
    const shared = { teamId: team.id, teamName: 'Harbour Advice', hasAccess: true, canManage: false, discounts: [] };
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...shared, toolId: 'risk-profile-ai' }),
        expect.objectContaining({ ...shared, toolId: 'lost-money-ai' }),
      ]),
    );
    for (const toolId of ['risk-profile-ai', 'lost-money-ai'])
      await jane.agent.post('/api/auth/token').send({ toolId }).expect(200);
    await jane.agent.post('/api/cancel-subscription').send({ toolId: 'risk-profile-ai', teamId: team.id }).expect(403);

    await owner.agent.delete(`/api/teams/${team.id}/members/${jane.user.id}`).expect(200);
    for (const toolId of ['risk-profile-ai', 'lost-money-ai'])
      await jane.agent.post('/api/auth/token').send({ toolId }).expect(403);
    expect((await jane.agent.get('/api/user/subscriptions')).body).toEqual([]);
  });

  it('stand beside a personal subscription to the tool, which can be ended at its period end', async () => {
    const { owner, team } = await practice();
    await buyFor(owner.agent, team.id, 'risk-profile-ai');
    const { body } = await owner.agent.post('/api/create-subscription').send({ toolId: 'risk-profile-ai' }).expect(200);
    await confirm(app, (body as { clientSecret: string }).clientSecret, 'pm_card_visa');
    await owner.agent.post('/api/subscriptions/risk-profile-ai/sync').send({}).expect(200);
    await owner.agent.post('/api/cancel-subscription').send({ toolId: 'risk-profile-ai' }).expect(200);
    const list = (await owner.agent.get('/api/user/subscriptions').expect(200)).body as {
      toolId: string;
      teamId: string | null;
      status: string;
    }[];
    const both = list.filter(({ toolId }) => toolId === 'risk-profile-ai');
    expect(Object.fromEntries(both.map(({ teamId, status }) => [teamId ?? 'own', status]))).toEqual({
      [team.id]: 'active',
      own: 'cancelled',
    });
  });
});

describe('a team that is handed over or closed', () => {
  it('keeps its subscriptions after a hand-over, and the old card is detached at Stripe', async () => {
    const { owner, team } = await practice(1);
    await buyFor(owner.agent, team.id, 'risk-profile-ai');
    const [before] = await app.context.db.select().from(teams).where(eq(teams.id, team.id));
    expect(before).toMatchObject({ cardLast4: '4242' });
    const open = { toolId: 'file-note-ai', teamId: team.id };
    await owner.agent.post('/api/create-subscription').send(open).expect(200);
    const told = await billOf(owner.agent, team.id);
    const opened = await rowsOf(
      app,
      "select stripe_invoice_id as id from bills where team_id = $1 and status = 'attempt'",
      [team.id],
    );
    const [member] = await app.context.db
      .select()
      .from(teamMembers)
      .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.role, 'member')));
    const [who] = await rowsOf(app, 'select email from users where id = $1', [member!.userId]);
    const heir = await app.signIn(who!['email'] as string);
    await handOver(owner.agent, heir.agent, team.id, member!.userId);
    await drain();
    const { stripe } = app.context.payments;
    const cards = await stripe.customers.listPaymentMethods(before!.stripeCustomerId!);
    expect(cards.data).toEqual([]);
    // What the old owner was about to buy is withdrawn.
    expect((await stripe.invoices.retrieve(opened[0]!['id'] as string)).status).toBe('void');
    const subscription = await atStripe(team.id, 'risk-profile-ai');
    expect([subscription.status, subscription.default_payment_method]).toEqual(['active', null]);
    const [after] = await app.context.db.select().from(teams).where(eq(teams.id, team.id));
    expect(after).toMatchObject({ cardLast4: null, ownerId: member!.userId, nextBillAt: new Date(told.at) });
    const [mail] = await rowsOf(app, "select text_body as text from mails where kind = 'team-received'");
    expect(mail!['text']).toContain(`The next bill is $60.00 on ${formatCalendarDay(told.day)}.`);
    await owner.agent.get(`/api/billing/payment-method?teamId=${team.id}`).expect(403);
  });

  it('tells the new owner by mail what the dialog asked for before', async () => {
    const { owner, team } = await practice(1);
    await buyFor(owner.agent, team.id, 'risk-profile-ai');
    await owner.agent
      .post('/api/create-subscription')
      .send({ toolId: 'file-note-ai', teamId: team.id, trial: true })
      .expect(200);
    // The old owner has a place in another team, and so leaves this one.
    const other = await practice();
    await joinBy(other.owner.agent, other.team.id, owner);
    const heir = await app.signedIn();
    await joinBy(owner.agent, team.id, heir);
    await passTime(app, 3 * DAY);
    const query = `teamId=${team.id}&withoutCard=true&leaves=${owner.user.id}`;
    const { body } = await owner.agent.get(`/api/pricing/changes?${query}`).expect(200);
    const { bill, endings } = body as { bill: { totalCents: number }; endings: { toolName: string; reason: string }[] };
    expect(endings).toMatchObject([{ toolName: 'File Note AI', reason: 'trial_without_card' }]);
    await handOver(owner.agent, heir.agent, team.id, heir.user.id);
    const told = await billOf(heir.agent, team.id);
    expect(bill.totalCents).toBe(told.totalCents);
    const [mail] = await rowsOf(
      app,
      "select text_body as text from mails where kind = 'team-received' and to_address = $1",
      [heir.user.email],
    );
    const total = `$${(bill.totalCents / 100).toFixed(2)}`;
    expect(mail!['text']).toContain(`The next bill is ${total} on ${formatCalendarDay(told.day)}.`);
    expect(mail!['text']).toContain('free trial of File Note AI');
  });

  it('ends every subscription at Stripe, and a minute later what was bought in between', async () => {
    const { owner, team } = await practice(1);
    await buyFor(owner.agent, team.id, 'risk-profile-ai');
    await owner.agent
      .post('/api/create-subscription')
      .send({ toolId: 'file-note-ai', teamId: team.id, trial: true })
      .expect(200);
    const { id } = await atStripe(team.id, 'risk-profile-ai');
    await owner.agent.delete(`/api/teams/${team.id}`).expect(200);
    expect((await app.context.payments.stripe.subscriptions.retrieve(id)).status).toBe('canceled');
    const mails = await rowsOf(
      app,
      "select kind, subject from mails where to_address = $1 and kind in ('closed', 'win-back')",
      [owner.user.email],
    );
    expect(mails).toEqual([{ kind: 'closed', subject: 'Harbour Advice was closed' }]);
    const invoices = await owner.agent.get(`/api/billing/invoices?teamId=${team.id}`).expect(200);
    expect((invoices.body as { invoices: unknown[] }).invoices).not.toEqual([]);
    const stranger = await app.signedIn();
    await stranger.agent.get(`/api/billing/invoices?teamId=${team.id}`).expect(404);
    const my = (await owner.agent.get('/api/teams/my').expect(200)).body as { closedTeams: unknown };
    expect(my.closedTeams).toEqual([{ id: team.id, name: 'Harbour Advice' }]);
    expect(await rowOf(team.id, 'risk-profile-ai')).toMatchObject({ status: 'expired', isActive: false });
    const late = {
      teamId: team.id,
      toolId: 'pre-fill-ai',
      subscriptionType: 'team' as const,
      monthlyCents: 0,
      revision: 1,
    };
    await app.context.db.insert(toolSubscriptions).values({ ...late, status: 'active' });
    expect((await owner.agent.get('/api/user/subscriptions')).body).toEqual([]);
    await app.context.db.execute(sql`update pgboss.job set start_after = now() where name = 'end-closed-team'`);
    await drain();
    expect(await rowOf(team.id, 'pre-fill-ai')).toMatchObject({ status: 'expired', isActive: false });
  });
});

describe('GET /api/teams/{id}/usage', () => {
  it('answers sessions through the team and last use per member, former ones too, and tool, also as a file that no spreadsheet runs', async () => {
    const { owner, team } = await practice();
    await buyFor(owner.agent, team.id, 'risk-profile-ai');
    const row = { status: 'active' as const, monthlyCents: 0, revision: 1 };
    const eve = await createUser(app.context, { firstName: '=cmd()', lastName: 'Eve' });
    await app.context.db.insert(toolSubscriptions).values({ ...row, userId: eve.id, toolId: 'file-note-ai' });
    const joinedAt = app.context.now();
    const ago = (days: number) => new Date(joinedAt.getTime() - days * DAY);
    await app.context.db
      .insert(teamMembers)
      .values({ teamId: team.id, userId: eve.id, role: 'member', joinedAt: ago(5) });
    const used = (toolId: string, days: number, teamId: string | null) => ({
      userId: eve.id,
      toolId,
      teamId,
      createdAt: ago(days),
      lastAccessed: ago(days),
    });
    const { team: other } = await createTeam(app.context, { ownerId: eve.id });
    await app.context.db
      .insert(toolUsage)
      .values([
        used('risk-profile-ai', 1, team.id),
        used('risk-profile-ai', 2, team.id),
        used('risk-profile-ai', 40, team.id),
        used('file-note-ai', 1, null),
        used('risk-profile-ai', 1, null),
        used('risk-profile-ai', 1, other.id),
      ]);

    const gone = await createUser(app.context, { firstName: 'Hugh' });
    const through = { userId: gone.id, toolId: 'risk-profile-ai', teamId: team.id };
    await app.context.db.insert(toolUsage).values([
      { ...through, createdAt: ago(3), lastAccessed: ago(3) },
      { ...through, createdAt: ago(40), lastAccessed: ago(40) },
    ]);

    const { body } = await owner.agent.get(`/api/teams/${team.id}/usage?days=30`).expect(200);
    const line = (name: string, toolId: string, sessions: number, former = false) =>
      expect.objectContaining({ firstName: name, toolId, sessions, former }) as unknown;
    expect(body).toEqual([
      line('Grace', 'lost-money-ai', 0),
      line('Grace', 'risk-profile-ai', 0),
      line('=cmd()', 'lost-money-ai', 0),
      line('=cmd()', 'risk-profile-ai', 2),
      line('Hugh', 'lost-money-ai', 0, true),
      line('Hugh', 'risk-profile-ai', 1, true),
    ]);
    expect((body as { lastUsedAt: string }[])[3]!.lastUsedAt).toBe(ago(1).toISOString());

    const file = await owner.agent.get(`/api/teams/${team.id}/usage.csv`).expect(200);
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.text).toContain(`"'=cmd()",Eve`);
    expect(file.text).toMatch(/^Hugh,.*,Risk Profile AI,risk-profile-ai,1,.*,yes$/m);
    await owner.agent.get(`/api/teams/${team.id}/usage?days=0`).expect(400);
  });
});
