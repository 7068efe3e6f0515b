import { describe, expect, it, vi } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import { formatCents } from '#shared/rules/money.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, confirm, DAY, pass, passTime, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';
import { freeAccessChanged, teamSizeChanged } from '../service.ts';
import { tellChanges } from './changes.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 240_000 });

const app = freshTestApp();
const HOUR = DAY / 24;

const mailed = async (to: string, kind: string) =>
  (
    await rowsOf(app, 'select text_body from mails where to_address = $1 and kind = $2 order by created_at', [to, kind])
  ).map((row) => String(row['text_body']));
const noticed = async (userId: string, title: string) =>
  rowsOf(app, 'select message from notifications where user_id = $1 and title = $2', [userId, title]);
const drain = () => app.context.queue.drain();
const forecast = async (agent: Agent, teamId?: string) =>
  (await agent.get(`/api/billing/forecast${teamId ? `?teamId=${teamId}` : ''}`).expect(200)).body as Forecast;

describe('failed payments', () => {
  it('of six tools on one day: one notice and one mail, with each amount and the sum', async () => {
    const { agent, user } = await app.signedIn();
    const tools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai', 'share-advice-ai', 'portfolio-ai'];
    for (const tool of tools) {
      await buy(app, agent, tool);
      await app.clock.advance(5 * 60_000);
    }
    await drain();
    const [customer] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [user.id]);
    await app.sandbox!.controls.failNextCharges(customer!['id'] as string, 6);
    const { charges } = await forecast(agent);
    const owed = charges.reduce((sum, { totalCents }) => sum + totalCents, 0);
    // Jobs keep running while one invoice after another is tried.
    await passTime(app, new Date(charges[0]!.at).getTime() - app.context.now().getTime() + HOUR / 60);
    for (let quarters = 0; quarters < 8; quarters += 1) {
      await passTime(app, HOUR / 4);
      await Promise.all([tellChanges(app.context), tellChanges(app.context)]);
    }
    const mails = await mailed(user.email, 'payment-failed');
    expect(mails).toHaveLength(1);
    expect(await noticed(user.id, 'Payment failed')).toHaveLength(1);
    expect(mails[0]!.match(/The payment of \$[\d.]+ for .+ failed/g)).toHaveLength(6);
    expect(mails[0]).toContain(`Together ${formatCents(owed)}.`);
    await app.clock.advance(DAY);
    await tellChanges(app.context);
    expect(await mailed(user.email, 'payment-failed')).toHaveLength(1);
  });

  it('a trial whose card is declined: that alone, and nothing of an active subscription', async () => {
    const { agent, user } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId: 'file-note-ai', trial: true }).expect(200);
    const { body } = await agent.post('/api/billing/setup-intent').send({}).expect(200);
    const { clientSecret } = body as { clientSecret: string };
    await confirm(app, clientSecret, 'pm_card_chargeCustomerFail');
    const setupIntentId = clientSecret.split('_secret_')[0];
    await agent.post('/api/billing/payment-method').send({ setupIntentId }).expect(200);
    await pass(app, 30 * DAY + HOUR / 60);
    await pass(app, 2 * HOUR);
    expect(await mailed(user.email, 'payment-failed')).toHaveLength(1);
    for (const kind of ['receipt', 'subscription-started']) expect(await mailed(user.email, kind)).toEqual([]);
    expect(await noticed(user.id, 'Subscription started')).toEqual([]);
  });
});

describe('prices', () => {
  it('a member who joins while a renewal is a draft: the draft stays, and the mail names the next renewal', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
    await buy(app, agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
    await drain();
    const [renewal] = (await forecast(agent, team.id)).charges;
    await passTime(app, new Date(renewal!.at).getTime() - app.context.now().getTime() + HOUR / 60);
    const { id } = await createUser(app.context, { membershipType: 'team' });
    await rowsOf(app, "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')", [team.id, id]);
    await teamSizeChanged(app.context, team.id);
    await drain();
    const [draft, next] = (await forecast(agent, team.id)).charges;
    expect(draft!.totalCents).toBe(renewal!.totalCents);
    const [mail, ...others] = await mailed(user.email, 'price-changed');
    expect(others).toEqual([]);
    const monthly = next!.lines.find(({ kind }) => kind === 'price')!.cents;
    const told = mail!.replaceAll(/\s+/g, ' ');
    expect(told).toContain(`costs ${formatCents(monthly)} a month from ${formatSydneyDate(new Date(next!.at))}`);
    expect(told).toContain(`${formatCents(next!.totalCents)} is charged`);
    await passTime(app, 2 * HOUR);
    const [paid] = await rowsOf(app, 'select total_cents from invoices where team_id = $1 order by issued_at desc', [
      team.id,
    ]);
    expect(paid!['total_cents']).toBe(renewal!.totalCents);
  });

  it('free access given while a renewal is a draft: that one costs nothing already, and the mail says so', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await drain();
    const [renewal] = (await forecast(agent)).charges;
    await passTime(app, new Date(renewal!.at).getTime() - app.context.now().getTime() + HOUR / 60);
    await rowsOf(app, 'update users set free_access_granted = true where id = $1', [user.id]);
    await freeAccessChanged(app.context, user.id);
    await drain();
    const [charge] = await rowsOf(
      app,
      'select draft from tool_subscriptions where user_id = $1 and draft is not null',
      [user.id],
    );
    const day = formatSydneyDate(new Date((charge!['draft'] as { at: string }).at));
    const [mail] = await mailed(user.email, 'price-changed');
    expect(mail!.replaceAll(/\s+/g, ' ')).toContain(`Risk Profile AI costs nothing from ${day}, instead of $30.00`);
    await passTime(app, 2 * HOUR);
    const [paid] = await rowsOf(app, 'select total_cents from invoices where user_id = $1 order by issued_at desc', [
      user.id,
    ]);
    expect(paid!['total_cents']).toBe(0);
  });

  it('of several tools, several times a day: one mail that day, one the next with the rest, however many tell', async () => {
    const { agent, user } = await app.signedIn();
    for (const tool of ['risk-profile-ai', 'fact-find-ai', 'file-note-ai']) await buy(app, agent, tool);
    await drain();
    expect(await mailed(user.email, 'price-changed')).toHaveLength(1);
    await buy(app, agent, 'pre-fill-ai');
    await drain();
    await Promise.all(Array.from({ length: 5 }, () => tellChanges(app.context)));
    expect(await mailed(user.email, 'price-changed')).toHaveLength(1);
    await app.clock.advance(DAY);
    await Promise.all(Array.from({ length: 5 }, () => tellChanges(app.context)));
    const mails = await mailed(user.email, 'price-changed');
    expect(mails).toHaveLength(2);
    expect(await noticed(user.id, 'Price changed')).toHaveLength(2);
    // From what was told to what is charged, whatever came in between.
    expect(mails[1]).toMatch(/Risk Profile AI costs \$25\.50 a month from .+, instead of \$28\.50 a month/);
    expect(mails[1]).toMatch(/File Note AI costs \$21\.25 a month from .+, instead of \$22\.50 a month/);
    await pass(app, DAY);
    expect(await mailed(user.email, 'price-changed')).toHaveLength(2);
  });

  it('that are what was told before again: nothing is told', async () => {
    const { agent, user } = await app.signedIn();
    for (const tool of ['risk-profile-ai', 'fact-find-ai']) await buy(app, agent, tool);
    await drain();
    await buy(app, agent, 'file-note-ai');
    await agent.post('/api/cancel-subscription').send({ toolId: 'file-note-ai', cancelImmediately: true }).expect(200);
    await pass(app, DAY);
    expect(await mailed(user.email, 'price-changed')).toHaveLength(1);
  });

  it('that are charged tomorrow are told today, also a second time', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await drain();
    await passTo(app, new Date((await shown(agent, 'risk-profile-ai'))!.endDate!), -DAY / 2);
    for (const tool of ['file-note-ai', 'fact-find-ai']) await buy(app, agent, tool);
    await drain();
    const mails = await mailed(user.email, 'price-changed');
    expect(mails).toHaveLength(2);
    const [charge] = (await forecast(agent)).charges;
    expect(mails[1]).toContain(`The next charge is ${formatCents(charge!.totalCents)} on `);
  });

  it('a member who joins: the mail has the days, and so have forecast, charge and receipt', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, name: 'Harbour Advice', members: 3 });
    const { body } = await agent
      .post('/api/create-subscription')
      .send({ toolId: 'risk-profile-ai', teamId: team.id })
      .expect(200);
    await confirm(app, body.clientSecret as string, 'pm_card_visa');
    await agent.post('/api/subscriptions/risk-profile-ai/sync').send({ teamId: team.id }).expect(200);
    await pass(app, 12 * DAY);
    const invited = await app.signedIn();
    const { body: invitation } = await agent
      .post(`/api/teams/${team.id}/invite`)
      .send({ email: invited.user.email })
      .expect(200);
    const token = new URL((invitation as { inviteUrl: string }).inviteUrl).searchParams.get('token')!;
    await invited.agent.post(`/api/invitations/${token}/accept`).send({}).expect(200);
    await drain();
    const charge = (await forecast(agent, team.id)).charges[0]!;
    const prorations = charge.lines.filter(({ kind }) => kind === 'proration');
    expect(prorations.length).toBeGreaterThan(0);
    const [changed] = await mailed(user.email, 'price-changed');
    for (const part of ['$150.00 a month', 'instead of $120.00 a month', 'your team now has 5 members'])
      expect(changed).toContain(part);
    for (const { label } of prorations) expect(changed).toContain(label);
    expect(changed).toContain(`${formatCents(charge.totalCents)} is charged`);
    await passTo(app, charge.at, HOUR / 60);
    await pass(app, 2 * HOUR);
    const receipt = (await mailed(user.email, 'receipt')).at(-1)!;
    expect(receipt).toContain(`Risk Profile AI for Harbour Advice was renewed for ${formatCents(charge.totalCents)}`);
    expect(receipt).toContain('because members joined or left');
    const lines = [...receipt.matchAll(/^.+: (−?)\$([\d.,]+)$/gm)].map(
      ([, minus, amount]) => (minus ? -1 : 1) * Math.round(Number(amount!.replace(',', '')) * 100),
    );
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.reduce((sum, cents) => sum + cents, 0)).toBe(charge.totalCents);
  });
});

it('a welcome back says for how many months, and what then', async () => {
  const { agent, user } = await app.signedIn();
  await agent.post('/api/create-subscription').send({ toolId: 'file-note-ai', trial: true }).expect(200);
  await pass(app, 30 * DAY + HOUR / 60);
  const offer = { toolId: 'file-note-ai', offerId: 'comeback_special', discountPercentage: 30 };
  const { body } = await agent.post('/api/resubscribe').send(offer).expect(200);
  await confirm(app, body.clientSecret as string, 'pm_card_visa');
  await agent.post('/api/subscriptions/file-note-ai/sync').send({}).expect(200);
  const [receipt] = await mailed(user.email, 'receipt');
  expect(receipt).toContain('$17.50 a month for 3 months, then $25.00 a month');
  const [charge] = (await forecast(agent)).charges;
  expect(charge).toMatchObject({ totalCents: 1750, after: { totalCents: 2500 } });
});
