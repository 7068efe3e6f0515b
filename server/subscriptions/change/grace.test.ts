import { describe, expect, it, vi } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import { plus } from '#shared/rules/dates.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { refund } from '#server/stripe/credit-notes.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, collected, DAY, pass, passTo, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';
import { advance } from '../bill/advance.ts';
import { tellUnpaidBills } from '../jobs.ts';
import { memberJoined } from './seats.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 120_000 });

const app = freshTestApp();
const [one, other] = ['risk-profile-ai', 'file-note-ai'] as const;
const HOUR = 3600_000;

const cancel = (agent: Agent, toolId: string) => agent.post('/api/cancel-subscription').send({ toolId });
const forecast = async (agent: Agent) => (await agent.get('/api/billing/forecast').expect(200)).body as Forecast;
const customerOf = async (userId: string) =>
  (await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [userId]))[0]!.id as string;
const stateOf = async (agent: Agent, toolId: string) => {
  const row = await shown(agent, toolId);
  return row && [row.status, row.hasAccess];
};
const billsOf = (userId: string) =>
  rowsOf(app, 'select kind, status, total_cents from bills where user_id = $1 order by at desc', [userId]);
/** The bills of theirs that are unpaid, with their invoices. */
const unpaidOf = async (userId: string) =>
  (await rowsOf(app, "select id, stripe_invoice_id as invoice from bills where user_id = $1 and status = 'unpaid'", [
    userId,
  ])) as { id: string; invoice: string }[];
const drain = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};
const mailsOf = async (email: string, kind: string) =>
  (await rowsOf(app, 'select subject from mails where to_address = $1 and kind = $2', [email, kind])).map(
    ({ subject }) => subject as string,
  );

/** An adviser with these tools, whose bill was refused so often. */
async function inGrace(tools: readonly string[], refusals = 1) {
  const { agent, user } = await app.signedIn();
  for (const tool of tools) await buy(app, agent, tool);
  await app.context.queue.drain();
  const paid = await collected(app, user.id);
  await app.sandbox!.controls.failNextCharges(await customerOf(user.id), refusals);
  await passTo(app, (await shown(agent, one))!.endDate!, 60_000);
  await pass(app, 2 * HOUR);
  return { agent, user, paid };
}

describe('a bill that is not paid', () => {
  it('has all its tools in grace, with one sum and one button, which pays it', async () => {
    const { agent, user, paid } = await inGrace([one, other]);
    expect([await stateOf(agent, one), await stateOf(agent, other)]).toEqual([
      ['grace_period', true],
      ['grace_period', true],
    ]);
    const { owed, card } = await forecast(agent);
    const dueCents = owed!.lines.reduce((sum, { cents }) => sum + cents, 0);
    expect(owed).toMatchObject({ dueCents, tried: true });
    expect(await mailsOf(user.email, 'payment-failed')).toHaveLength(1);
    await agent
      .post('/api/create-subscription')
      .send({ toolId: 'portfolio-ai' })
      .expect(409, /bill_unpaid/);
    const pay = (charge: object) => agent.post('/api/billing/pay').send({ charge });
    await pay({ cents: dueCents - 1, last4: card!.last4 }).expect(409, /price_changed/);
    await pay({ cents: dueCents, last4: '1111' }).expect(409, /card_changed/);
    const { body } = await pay({ cents: dueCents, last4: card!.last4 }).expect(200);
    expect(body).toMatchObject({ intent: 'none', forecast: { owed: null } });
    expect([await stateOf(agent, one), await stateOf(agent, other)]).toEqual([
      ['active', true],
      ['active', true],
    ]);
    expect((await collected(app, user.id)) - paid).toBe(dueCents);
    expect(await mailsOf(user.email, 'payment-recovered')).toHaveLength(1);
    await pay({ cents: dueCents, last4: card!.last4 }).expect(409, /nothing_to_pay/);
  });

  it('is paid by a credit note: all its tools go on, and nothing is owed', async () => {
    const { agent, user, paid } = await inGrace([one, other]);
    const [bill] = await unpaidOf(user.id);
    const { dueCents } = (await forecast(agent)).owed!;
    await app.context.payments.stripe.creditNotes.create({ invoice: bill!.invoice, amount: dueCents });
    await drain();
    expect(await rowsOf(app, 'select status, total_cents, credit_cents from bills where id = $1', [bill!.id])).toEqual([
      { status: 'paid', total_cents: 0, credit_cents: dueCents },
    ]);
    expect(await forecast(agent)).toMatchObject({ owed: null });
    expect([await stateOf(agent, one), await stateOf(agent, other)]).toEqual([
      ['active', true],
      ['active', true],
    ]);
    expect(await collected(app, user.id)).toBe(paid);
  });

  it('is told on day 3 though another bill can’t be told, which fails the job', async () => {
    const payers = [await app.signedIn(), await app.signedIn()];
    for (const { agent, user } of payers) {
      await buy(app, agent, one);
      await app.sandbox!.controls.failNextCharges(await customerOf(user.id), 99);
    }
    await passTo(app, (await shown(payers[1]!.agent, one))!.endDate!, 60_000);
    await pass(app, 2 * HOUR);
    const bills = await Promise.all(payers.map(async ({ user }) => ({ user, ...(await unpaidOf(user.id))[0]! })));
    const [broken, told] = bills.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    await rowsOf(app, `update bills set lines = '{}' where id = $1`, [broken!.id]);
    await app.clock.advance(3 * DAY);
    await expect(tellUnpaidBills(app.context)).rejects.toThrow('1 unpaid bills could not be told');
    expect(await mailsOf(told!.user.email, 'payment-failed')).toHaveLength(2);
    await rowsOf(app, `update bills set lines = (select lines from bills where id = $2) where id = $1`, [
      broken!.id,
      told!.id,
    ]);
  });

  it('keeps an ended tool from being bought again until its invoice is void', async () => {
    const { agent, user, paid } = await inGrace([one], 99);
    await app.clock.advance(8 * DAY);
    const buyAgain = () => agent.post('/api/create-subscription').send({ toolId: one });
    await buyAgain().expect(409, /bill_unpaid/);
    for (const hours of [1, 2]) await pass(app, hours * HOUR);
    expect((await billsOf(user.id))[0]).toMatchObject({ status: 'void' });
    await buyAgain().expect(200);
    expect(await collected(app, user.id)).toBe(paid);
  });

  it('ends while another tool goes on, whose days of members stay on the next bill', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id });
    const payer = { teamId: team.id };
    await buy(app, agent, one, 'pm_card_visa', payer);
    const { endDate } = (await shown(agent, one, team.id))!;
    // Bought on the day of the bill, it is paid beyond it.
    await passTo(app, endDate!, -60_000);
    await buy(app, agent, other, 'pm_card_visa', payer);
    const [{ id }] = (await rowsOf(app, 'select stripe_customer_id as id from teams where id = $1', [team.id])) as [
      { id: string },
    ];
    await app.sandbox!.controls.failNextCharges(id, 99);
    await passTo(app, endDate!, 60_000);
    await pass(app, 2 * HOUR);
    const joiner = await createUser(app.context);
    await transaction(app.context.db, (tx) =>
      memberJoined(within(app.context, tx), team.id, { id: joiner.id, name: 'Hugh Lang' }),
    );
    for (const days of [3, 4, 1]) await pass(app, days * DAY);
    expect((await shown(agent, one, team.id))!.status).toBe('expired');
    expect((await shown(agent, other, team.id))!.status).toBe('active');
    const parts = 'select tool_id, state from adjustments where team_id = $1 order by tool_id';
    expect(await rowsOf(app, parts, [team.id])).toEqual([
      { tool_id: other, state: 'waiting' },
      { tool_id: one, state: 'closed' },
    ]);
  });

  it('is paid, too, by reactivating one of its tools', async () => {
    const { agent } = await inGrace([one, other]);
    const { owed } = await forecast(agent);
    const charge = { cents: owed!.dueCents, last4: '4242' };
    await agent.post('/api/reactivate-subscription').send({ toolId: one, charge }).expect(200);
    expect(await stateOf(agent, other)).toEqual(['active', true]);
  });

  it('is told on days 0, 3 and 6 while it stays unpaid; then it is void, its tools expire and nothing is owed', async () => {
    const { agent, user, paid } = await inGrace([one, other], 99);
    for (let day = 0; day < 6; day += 1) await pass(app, DAY);
    expect(await mailsOf(user.email, 'payment-failed')).toHaveLength(3);
    expect(await stateOf(agent, one)).toEqual(['grace_period', true]);
    await pass(app, DAY);
    await pass(app, HOUR);
    expect([await stateOf(agent, one), await stateOf(agent, other)]).toEqual([
      ['expired', false],
      ['expired', false],
    ]);
    expect((await billsOf(user.id))[0]).toMatchObject({ kind: 'month', status: 'void' });
    expect((await providerSubscriptions(app, user.id)).map(({ status }) => status)).toEqual(['canceled']);
    expect(await forecast(agent)).toMatchObject({ bill: null, owed: null });
    const open = await app.context.payments.stripe.invoices.list({
      customer: await customerOf(user.id),
      status: 'open',
    });
    expect(open.data).toEqual([]);
    expect(await mailsOf(user.email, 'ended-unpaid')).toHaveLength(1);
    await pass(app, 60 * DAY);
    expect(await collected(app, user.id)).toBe(paid);
    const invoices = await rowsOf(app, 'select status from invoices where user_id = $1 order by issued_at desc', [
      user.id,
    ]);
    expect(invoices[0]).toEqual({ status: 'void' });
  });

  it('is paid on the last day, and its tools go on', async () => {
    // Stripe's tries of days 0, 3 and 5 are refused; its next one would come after the grace.
    const { agent, user, paid } = await inGrace([one], 3);
    for (const days of [3, 2, 1.5]) await pass(app, days * DAY);
    expect(await stateOf(agent, one)).toEqual(['grace_period', true]);
    const { owed } = await forecast(agent);
    expect(owed).toMatchObject({ dueCents: 3000 });
    await agent
      .post('/api/billing/pay')
      .send({ charge: { cents: owed!.dueCents, last4: '4242' } })
      .expect(200);
    expect((await collected(app, user.id)) - paid).toBe(owed!.dueCents);
    await pass(app, 2 * DAY);
    expect(await stateOf(agent, one)).toEqual(['active', true]);
    expect((await billsOf(user.id))[0]).toMatchObject({ kind: 'month', status: 'paid' });
  });
});

describe('a tool that is cancelled before its bill is refused', () => {
  it('can’t be reactivated while its month is owed: the press says so, and charges nothing', async () => {
    const { agent, user } = await app.signedIn();
    for (const tool of [one, other]) await buy(app, agent, tool);
    const before = await collected(app, user.id);
    await app.sandbox!.controls.failNextCharges(await customerOf(user.id), 99);
    await passTo(app, (await shown(agent, one))!.endDate!, 60_000);
    await cancel(agent, one).expect(200);
    await pass(app, 2 * HOUR);
    expect(await stateOf(agent, other)).toEqual(['grace_period', true]);
    await app.sandbox!.controls.failNextCharges(await customerOf(user.id), 0);
    const { owed } = await forecast(agent);
    const charge = { cents: owed!.dueCents, last4: '4242' };
    await agent
      .post('/api/reactivate-subscription')
      .send({ toolId: one, charge })
      .expect(409, /bill_unpaid/);
    expect(await collected(app, user.id)).toBe(before);
  });
});

describe('a tool that is cancelled in grace', () => {
  it('leaves all that was paid of the invoice to be refunded', async () => {
    const { agent, user } = await inGrace([one, other]);
    const [bill] = await unpaidOf(user.id);
    await cancel(agent, one).expect(200);
    const { dueCents } = (await forecast(agent)).owed!;
    const charge = { cents: dueCents, last4: '4242' };
    await agent.post('/api/billing/pay').send({ charge }).expect(200);
    await app.sandbox!.controls.refundInvoice(bill!.invoice, 1000);
    const back = (key: string) =>
      refund(app.context, bill!.invoice, { cents: dueCents, key, memo: 'Days' }, { part: true });
    expect(await back('first')).toBe(dueCents - 1000);
    expect(await back('second')).toBe(0);
  });

  it('is credited off the invoice, and the others are paid as they were told', async () => {
    const { agent, user, paid } = await inGrace([one, other]);
    const { owed } = await forecast(agent);
    const left = owed!.lines.find(({ toolId }) => toolId === other)!.cents;
    const { body } = await cancel(agent, one).expect(200);
    expect(body.subscription).toMatchObject({ status: 'cancelled', hasAccess: false });
    expect((await forecast(agent)).owed).toMatchObject({ dueCents: left, lines: [{ toolId: other, cents: left }] });
    await agent
      .post('/api/billing/pay')
      .send({ charge: { cents: left, last4: '4242' } })
      .expect(200);
    expect(await stateOf(agent, other)).toEqual(['active', true]);
    expect(await stateOf(agent, one)).toEqual(['cancelled', false]);
    expect((await collected(app, user.id)) - paid).toBe(left);
  });

  it('takes the days of who has joined since along, and leaves those of the other tool, as was said', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id });
    const payer = { teamId: team.id };
    for (const tool of [one, other]) await buy(app, agent, tool, 'pm_card_visa', payer);
    const [customer] = await rowsOf(app, 'select stripe_customer_id as id from teams where id = $1', [team.id]);
    await app.sandbox!.controls.failNextCharges(customer!['id'] as string, 99);
    await passTo(app, (await shown(agent, one, team.id))!.endDate!, 2 * HOUR);
    await pass(app, DAY);
    const joiner = await createUser(app.context);
    await transaction(app.context.db, async (tx) => {
      await memberJoined(within(app.context, tx), team.id, { id: joiner.id, name: 'Hugh Lang' });
      await tx.insert(teamMembers).values({ teamId: team.id, userId: joiner.id, role: 'member' });
    });
    const said = await agent.get('/api/pricing/changes').query({ ...payer, cancel: one, immediately: 'true' });
    await agent
      .post('/api/cancel-subscription')
      .send({ toolId: one, ...payer })
      .expect(200);
    const { bill } = (await agent.get('/api/billing/forecast').query(payer).expect(200)).body as Forecast;
    expect(bill!.parts).toMatchObject([{ toolId: other, person: 'Hugh Lang' }]);
    expect(said.body).toMatchObject({ bill: { totalCents: bill!.totalCents } });
  });

  it('is charged nothing, too, where its trial ended in the grace, as was said', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, one);
    const { endDate: billAt } = (await shown(agent, one))!;
    await passTo(app, plus(new Date(billAt!), -30 * DAY), DAY);
    await agent.post('/api/create-subscription').send({ toolId: other, trial: true }).expect(200);
    await app.sandbox!.controls.failNextCharges(await customerOf(user.id), 99);
    await passTo(app, billAt!, 2 * HOUR);
    await passTo(app, (await shown(agent, other))!.trialEndDate!, HOUR);
    expect(await stateOf(agent, other)).toEqual(['grace_period', true]);
    const said = await agent.get('/api/pricing/changes').query({ cancel: other, immediately: 'true' });
    expect(said.body).toMatchObject({ bill: { totalCents: 3000 } });
    await cancel(agent, other).expect(200);
    const [mail] = await rowsOf(
      app,
      "select text_body as text from mails where to_address = $1 and kind = 'cancelled'",
      [user.email],
    );
    expect(mail!['text']).toContain('You will not be charged for it again.');
    await app.sandbox!.controls.failNextCharges(await customerOf(user.id), 0);
    const charge = { cents: (await forecast(agent)).owed!.dueCents, last4: '4242' };
    await agent.post('/api/billing/pay').send({ charge }).expect(200);
    const paid = await collected(app, user.id);
    expect((await forecast(agent)).bill).toMatchObject({ totalCents: 3000, parts: [] });
    await passTo(app, (await forecast(agent)).bill!.at, 2 * HOUR);
    expect((await collected(app, user.id)) - paid).toBe(3000);
  });

  it('voids the invoice where it is the last one: nothing is owed, and the bill is over', async () => {
    const { agent, user, paid } = await inGrace([one], 99);
    await cancel(agent, one).expect(200);
    expect(await forecast(agent)).toMatchObject({ bill: null, owed: null });
    expect((await providerSubscriptions(app, user.id)).map(({ status }) => status)).toEqual(['canceled']);
    expect((await billsOf(user.id))[0]).toMatchObject({ status: 'void' });
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    expect(await stateOf(agent, one)).toEqual(['cancelled', false]);
    await pass(app, 40 * DAY);
    expect(await collected(app, user.id)).toBe(paid);
    expect(await stateOf(agent, one)).toEqual(['expired', false]);
  });
});

it('an unpaid bill that an administrator withdraws gives nobody the days back that were never paid', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
  const payer = { teamId: team.id };
  await buy(app, agent, one, 'pm_card_visa', payer);
  const members = await rowsOf(app, "select user_id as id from team_members where team_id = $1 and role = 'member'", [
    team.id,
  ]);
  const leave = async (index: number) =>
    agent.delete(`/api/teams/${team.id}/members/${members[index]!['id'] as string}`).expect(200);
  const [customer] = await rowsOf(app, 'select stripe_customer_id as id from teams where id = $1', [team.id]);
  await app.sandbox!.controls.failNextCharges(customer!['id'] as string, 99);
  await passTo(app, (await shown(agent, one, team.id))!.endDate!, 2 * HOUR);
  await leave(0);
  const admin = await administrator(app);
  const [invoice] = await rowsOf(app, "select id, due_cents from invoices where team_id = $1 and status = 'open'", [
    team.id,
  ]);
  await admin
    .post(`/api/admin/invoices/${invoice!['id'] as string}/void`, { dueCents: invoice!['due_cents'], reason: 'Sorry' })
    .expect(200);
  await drain();
  expect((await shown(agent, one, team.id))!.status).toBe('active');
  await leave(1);
  const { bill } = (await agent.get('/api/billing/forecast').query(payer).expect(200)).body as Forecast;
  expect(bill).toMatchObject({ totalCents: 3000, parts: [] });
});

it('a webhook that says the invoice is void, while its grace ends, gives no month away', async () => {
  const { agent, user } = await inGrace([one], 99);
  const [bill] = await rowsOf(app, "select id, stripe_invoice_id from bills where user_id = $1 and status = 'unpaid'", [
    user.id,
  ]);
  // The process died between the two.
  await rowsOf(app, 'update bills set grace_end = $2 where id = $1', [bill!.id, app.context.now()]);
  await app.context.payments.stripe.invoices.voidInvoice(bill!.stripe_invoice_id as string);
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
  expect(await stateOf(agent, one)).toEqual(['grace_period', true]);
  await pass(app, 5 * 60_000);
  expect(await stateOf(agent, one)).toEqual(['expired', false]);
  expect((await billsOf(user.id))[0]).toMatchObject({ status: 'void' });
  expect(
    await transaction(app.context.db, (tx) => advance(within(app.context, tx), { kind: 'user', userId: user.id })),
  ).toMatchObject({ facts: { nextBillAt: null, stripeSubscriptionId: null } });
});
