import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import type { Charge } from '#shared/api/charge.ts';
import { users } from '#shared/schema/accounts.ts';
import { plus } from '#shared/rules/dates.ts';
import { detachCardsGivenUntil } from '#server/billing/service.ts';
import { within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser, password } from '#server/testing/factories.ts';
import {
  buy,
  collected,
  confirm,
  DAY,
  pass,
  passTo,
  providerSubscriptions,
  rowsOf,
  shown,
} from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';
import { endEverything } from './end.ts';
import { freeAccessChanged, freeAccessChanges } from './free-access.ts';
import { memberJoined, memberLeft } from './seats.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 120_000 });

const app = freshTestApp();
const [one, other] = ['risk-profile-ai', 'file-note-ai'] as const;
const HOUR = 3600_000;

const forecast = async (agent: Agent, teamId?: string) =>
  (await agent.get(`/api/billing/forecast${teamId ? `?teamId=${teamId}` : ''}`).expect(200)).body as Forecast;
const kinds = async (email: string) =>
  (await rowsOf(app, 'select kind from mails where to_address = $1', [email])).map(({ kind }) => kind as string);
const drain = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};

describe('free access', () => {
  const give = (userId: string, granted: boolean) =>
    transaction(app.context.db, async (tx) => {
      await tx.update(users).set({ freeAccessGranted: granted }).where(eq(users.id, userId));
      await freeAccessChanged(within(app.context, tx), userId);
    });

  it('makes the bill $0.00; taken away, the tools cost again with the first bill thirty days later', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, one);
    await give(user.id, true);
    await drain();
    const first = (await forecast(agent)).bill!;
    expect(first).toMatchObject({ totalCents: 0, lines: [{ cents: 0, discounts: [{ kind: 'free' }] }] });
    await passTo(app, first.at, DAY);
    expect(await collected(app, user.id)).toBe(3000);
    expect(await shown(agent, one)).toMatchObject({ status: 'active', hasAccess: true });
    await passTo(app, (await forecast(agent)).bill!.at, -3 * DAY);
    await give(user.id, false);
    await drain();
    const { bill, later } = await forecast(agent);
    expect(bill).toMatchObject({ totalCents: 0 });
    expect(later).toMatchObject({ monthCents: 3000 });
    await passTo(app, bill!.at, DAY);
    expect(await collected(app, user.id)).toBe(3000);
    await passTo(app, later!.at, DAY);
    expect(await collected(app, user.id)).toBe(6000);
  });

  it('makes a trial free, too, as was said, also after its days', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, one);
    await agent.post('/api/create-subscription').send({ toolId: other, trial: true }).expect(200);
    const { changes } = await freeAccessChanges(app.context, user.id, true);
    expect(Object.fromEntries(changes.map(({ toolName, toCents }) => [toolName, toCents]))).toEqual({
      'Risk Profile AI': 0,
      'File Note AI': 0,
    });
    await give(user.id, true);
    await drain();
    await pass(app, 40 * DAY);
    expect(await shown(agent, other)).toMatchObject({ status: 'active', monthlyCents: 0 });
  });

  it('makes tools cost again, as was said, once a suspension is lifted during which it was taken away', async () => {
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    await agent.post('/api/create-subscription').send({ toolId: one }).expect(200);
    const admin = await administrator(app);
    await admin.post('/api/admin/suspend', { userId: user.id, reason: 'Reports of misuse' }).expect(200);
    await drain();
    const said = await freeAccessChanges(app.context, user.id, false);
    expect(said.toStart).toEqual([{ toolName: 'Risk Profile AI', monthlyCents: 3000 }]);
    await give(user.id, false);
    await admin.post('/api/admin/reinstate', { userId: user.id, reason: 'Cleared up' }).expect(200);
    await drain();
    const back = (await app.signIn(user.email)).agent;
    expect(await shown(back, one)).toMatchObject({ status: 'grace_period', hasAccess: true });
    expect((await forecast(back)).owed).toMatchObject({ dueCents: 3000 });
  });

  it('is bought back as one bill where it covered more tools than Stripe takes items, and each can be cancelled', async () => {
    await rowsOf(
      app,
      `insert into tools select (jsonb_populate_record(t, jsonb_build_object('id', 'extra-' || n, 'name', 'Extra ' || n))).*
       from tools t, generate_series(10, 32) n where t.id = $1`,
      [one],
    );
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    const tools = Array.from({ length: 23 }, (_, index) => `extra-${index + 10}`);
    for (const toolId of tools) await agent.post('/api/create-subscription').send({ toolId }).expect(200);
    await give(user.id, false);
    await drain();
    const { owed } = await forecast(agent);
    expect(owed!.lines).toHaveLength(23);
    const { body } = await agent.post('/api/billing/pay').send({}).expect(200);
    await confirm(app, body.clientSecret as string, 'pm_card_visa');
    await agent.post(`/api/subscriptions/${tools[0]}/sync`).send({}).expect(200);
    expect(await collected(app, user.id)).toBe(owed!.dueCents);
    await agent.post('/api/cancel-subscription').send({ toolId: tools[0] }).expect(200);
    const { bill } = await forecast(agent);
    expect(bill!.lines).toHaveLength(22);
    const amounts = (await providerSubscriptions(app, user.id))[0]!.items.data.map(({ price }) => price.unit_amount!);
    expect(amounts).toHaveLength(20);
    expect(amounts.reduce((sum, cents) => sum + cents, 0)).toBe(bill!.totalCents);
    await passTo(app, bill!.at, 2 * HOUR);
    expect(await collected(app, user.id)).toBe(owed!.dueCents + bill!.totalCents);
    await rowsOf(app, "update tools set is_active = false where id like 'extra-%'");
  });

  it('leaves seven days of grace when taken away where nothing is billed, and one press buys all as one first bill', async () => {
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    for (const toolId of [one, other]) await agent.post('/api/create-subscription').send({ toolId }).expect(200);
    await give(user.id, false);
    await drain();
    expect(await shown(agent, one)).toMatchObject({ status: 'grace_period', hasAccess: true });
    const { owed } = await forecast(agent);
    expect(owed).toMatchObject({ tried: false, lines: [{}, {}] });
    expect(await kinds(user.email)).toContain('free-access-ended');
    const { body } = await agent.post('/api/billing/pay').send({}).expect(200);
    expect(body).toMatchObject({ intent: 'payment', amountCents: owed!.dueCents });
    await confirm(app, body.clientSecret as string, 'pm_card_visa');
    await agent.post(`/api/subscriptions/${one}/sync`).send({}).expect(200);
    for (const toolId of [one, other])
      expect(await shown(agent, toolId)).toMatchObject({ status: 'active', hasAccess: true });
    expect(await collected(app, user.id)).toBe(owed!.dueCents);
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
    await pass(app, 8 * DAY);
    expect(await shown(agent, one)).toMatchObject({ status: 'active' });
  });

  it('once bought back, costs what was paid, whatever new subscribers pay later', async () => {
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    await agent.post('/api/create-subscription').send({ toolId: one }).expect(200);
    await give(user.id, false);
    await drain();
    const { body } = await agent.post('/api/billing/pay').send({}).expect(200);
    await confirm(app, body.clientSecret as string, 'pm_card_visa');
    await agent.post(`/api/subscriptions/${one}/sync`).send({}).expect(200);
    const admin = await administrator(app);
    const setPrice = (priceCents: number, currentCents: number) =>
      admin.post(`/api/admin/tools/${one}/price`, { priceCents, currentCents, reason: 'Searches' }).expect(200);
    await setPrice(9000, 3000);
    const { bill } = await forecast(agent);
    await setPrice(3000, 9000);
    expect(bill).toMatchObject({ totalCents: 3000 });
  });

  it('leaves the tools to end after seven days where nothing is billed and nobody pays', async () => {
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    await agent.post('/api/create-subscription').send({ toolId: one }).expect(200);
    await give(user.id, false);
    await drain();
    await agent.post('/api/billing/pay').send({}).expect(200);
    await pass(app, 8 * DAY);
    expect(await shown(agent, one)).toMatchObject({ status: 'expired' });
    expect(await collected(app, user.id)).toBe(0);
  });
});

describe('a subscription that somebody ends in Stripe’s dashboard', () => {
  it('stays open until its end where it is paid, and does not renew; the payer is told', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, one);
    const [subscription] = await providerSubscriptions(app, user.id);
    await app.context.payments.stripe.subscriptions.cancel(subscription!.id);
    await drain();
    const row = (await shown(agent, one))!;
    expect(row).toMatchObject({ status: 'active', autoRenew: false, hasAccess: true });
    expect(await kinds(user.email)).toContain('auto-renew');
    await passTo(app, row.endDate!, DAY);
    expect(await shown(agent, one)).toMatchObject({ status: 'expired' });
    expect(await collected(app, user.id)).toBe(3000);
  });

  it('renews once it is switched on again: a bill begins on the day that it is paid until', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, one);
    const [subscription] = await providerSubscriptions(app, user.id);
    await app.context.payments.stripe.subscriptions.cancel(subscription!.id);
    await drain();
    await agent.patch(`/api/subscriptions/${one}/auto-renew`).send({ autoRenew: true }).expect(200);
    const { bill } = await forecast(agent);
    expect(bill).toMatchObject({ totalCents: 3000, at: (await shown(agent, one))!.endDate });
    await passTo(app, bill!.at, -12 * HOUR);
    await passTo(app, bill!.at, 2 * HOUR);
    await pass(app, HOUR);
    expect(await shown(agent, one)).toMatchObject({ status: 'active', hasAccess: true });
    expect(await collected(app, user.id)).toBe(6000);
  });
});

describe('somebody who closes', () => {
  it('an account in grace is charged nothing any more', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, one);
    const [{ id: customer }] = (await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [
      user.id,
    ])) as [{ id: string }];
    await app.sandbox!.controls.failNextCharges(customer);
    await passTo(app, (await shown(agent, one))!.endDate!, 60_000);
    await pass(app, 2 * HOUR);
    expect(await shown(agent, one)).toMatchObject({ status: 'grace_period' });
    await agent.post('/api/user/close-account').send({ password }).expect(200);
    await drain();
    await pass(app, 40 * DAY);
    expect(await collected(app, user.id)).toBe(3000);
    expect(await kinds(user.email)).not.toContain('win-back');
  });

  it('a team is charged at once for the days of who joined, and reads so', async () => {
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, members: 0 });
    await buy(app, owner.agent, one, 'pm_card_visa', { teamId: team.id });
    await pass(app, 10 * DAY);
    const joiner = await createUser(app.context);
    await transaction(app.context.db, (tx) =>
      memberJoined(within(app.context, tx), team.id, { id: joiner.id, name: 'Hugh Lang' }),
    );
    const { bill, closing } = await forecast(owner.agent, team.id);
    const { cents } = bill!.parts[0]!;
    expect(closing).toEqual({ totalCents: cents, refundCents: 0 });
    const close = (charge?: Charge) => owner.agent.delete(`/api/teams/${team.id}`).send({ charge });
    // Nothing is charged by a call that names no sum, another sum or another card.
    await close().expect(409, /price_changed/);
    await close({ cents: cents - 1, last4: '4242' }).expect(409, /price_changed/);
    await close({ cents, last4: '1111' }).expect(409, /card_changed/);
    expect(await collected(app, team.id)).toBe(3000);
    await close({ cents, last4: '4242' }).expect(200);
    await endEverything(app.context, { kind: 'team', teamId: team.id });
    expect(await collected(app, team.id)).toBe(3000 + cents);
    const [mail] = await rowsOf(app, "select text_body as text from mails where to_address = $1 and kind = 'closed'", [
      owner.user.email,
    ]);
    expect(mail!['text']).toContain(`A last $${(cents / 100).toFixed(2)} is charged`);
  });

  it('a team without a card is charged nothing for who joined, and reads so', async () => {
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, members: 0 });
    await buy(app, owner.agent, one, 'pm_card_visa', { teamId: team.id });
    await pass(app, 10 * DAY);
    const joiner = await createUser(app.context);
    await transaction(app.context.db, (tx) =>
      memberJoined(within(app.context, tx), team.id, { id: joiner.id, name: 'Hugh Lang' }),
    );
    await detachCardsGivenUntil(app.context, { kind: 'team', teamId: team.id }, plus(app.context.now(), DAY));
    expect((await forecast(owner.agent, team.id)).closing).toEqual({ totalCents: 0, refundCents: 0 });
    await owner.agent.delete(`/api/teams/${team.id}`).expect(200);
    await pass(app, 2 * DAY);
    expect(await collected(app, team.id)).toBe(3000);
    const [mail] = await rowsOf(app, "select text_body as text from mails where to_address = $1 and kind = 'closed'", [
      owner.user.email,
    ]);
    expect(mail!['text']).toContain('Nothing more is charged.');
    expect(await kinds(owner.user.email)).not.toContain('payment-failed');
  });

  it('a team is refunded the days of a member who has left, and reads so before and after', async () => {
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, members: 1 });
    await buy(app, owner.agent, one, 'pm_card_visa', { teamId: team.id });
    await pass(app, 10 * DAY);
    const [{ id }] = (await rowsOf(
      app,
      "select user_id as id from team_members where team_id = $1 and role = 'member'",
      [team.id],
    )) as [{ id: string }];
    await transaction(app.context.db, (tx) => memberLeft(within(app.context, tx), team.id, { id, name: 'Hugh Lang' }));
    const { closing } = await forecast(owner.agent, team.id);
    expect(closing.totalCents).toBe(0);
    expect(closing.refundCents).toBeGreaterThan(0);
    await endEverything(app.context, { kind: 'team', teamId: team.id });
    await pass(app, HOUR);
    const notes = await rowsOf(
      app,
      'select n.total_cents as cents from adjustment_notes n join invoices i on i.id = n.invoice_id where i.team_id = $1',
      [team.id],
    );
    expect(notes).toEqual([{ cents: closing.refundCents }]);
    const [mail] = await rowsOf(app, "select text_body as text from mails where to_address = $1 and kind = 'closed'", [
      owner.user.email,
    ]);
    expect(mail!['text']).toContain(`$${(closing.refundCents / 100).toFixed(2)} is refunded. Nothing more is charged.`);
  });

  it('a team that owes a bill is charged nothing any more', async () => {
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, members: 0 });
    await buy(app, owner.agent, one, 'pm_card_visa', { teamId: team.id });
    const [{ id: customer }] = (await rowsOf(app, 'select stripe_customer_id as id from teams where id = $1', [
      team.id,
    ])) as [{ id: string }];
    await app.sandbox!.controls.failNextCharges(customer);
    const { bill } = await forecast(owner.agent, team.id);
    await passTo(app, bill!.at, 2 * HOUR);
    const joiner = await createUser(app.context);
    await transaction(app.context.db, (tx) =>
      memberJoined(within(app.context, tx), team.id, { id: joiner.id, name: 'Hugh Lang' }),
    );
    const { owed, closing } = await forecast(owner.agent, team.id);
    expect(owed).toMatchObject({ tried: true });
    expect(closing).toEqual({ totalCents: 0, refundCents: 0 });
    await endEverything(app.context, { kind: 'team', teamId: team.id });
    await drain();
    expect(await collected(app, team.id)).toBe(3000);
  });
});
