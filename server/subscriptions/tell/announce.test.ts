import { beforeEach, expect, it, vi } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import { formatSydneyDate, plusMonths, sydneyDate } from '#shared/rules/dates.ts';
import { daysOf, partOf } from '#shared/rules/billing/part-month.ts';
import { userPayer } from '#server/payers/service.ts';
import { within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { administrator } from '#server/testing/administrator.ts';
import { handOver } from '#server/testing/hand-over.ts';
import { createTeam } from '#server/testing/factories.ts';
import {
  buy,
  collected,
  confirm,
  DAY,
  live,
  pass,
  providerSubscriptions,
  rowsOf,
  shown,
} from '#server/testing/purchases.ts';
import { type Agent, freshTestApp } from '#server/testing/test-app.ts';
import { memberJoined } from '../change/seats.ts';
import { tellBillOf } from './jobs.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 300_000 });

const app = freshTestApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeEach(async () => {
  admin = await administrator(app);
});

const tool = 'risk-profile-ai';
const priceNow = async (toolId = tool) =>
  Math.round(
    100 * Number((await rowsOf(app, 'select base_price from tools where id = $1', [toolId]))[0]!['base_price']),
  );
const inDays = (days: number) => sydneyDate(new Date(app.context.now().getTime() + days * DAY));

/** As the page sends it, until everybody is told. */
async function setPrice(priceCents: number, startsOn?: string, toolId = tool) {
  // A month on, the administrator's session is over.
  admin = await administrator(app);
  const answer = await admin.post(`/api/admin/tools/${toolId}/price`, {
    priceCents,
    currentCents: await priceNow(toolId),
    reason: 'Searches cost us more than before.',
    ...(startsOn !== undefined && { startsOn }),
  });
  await app.context.queue.drain();
  return answer;
}
/** Cents of each invoice that asked for something, the oldest first. */
const charged = async (owner: string) =>
  (
    await rowsOf(
      app,
      `select total_cents from invoices where (user_id = $1 or team_id = $1) and total_cents > 0 and status = 'paid' order by issued_at`,
      [owner],
    )
  ).map((row) => row['total_cents']);
const mailsTo = async (email: string, kind: string) =>
  (
    await rowsOf(app, 'select subject, text_body from mails where to_address = $1 and kind = $2 order by created_at', [
      email,
      kind,
    ])
  ).map((mail) => `${String(mail['subject'])}\n${String(mail['text_body'])}`);
const trial = (agent: Agent) => agent.post('/api/create-subscription').send({ toolId: tool, trial: true }).expect(200);
const cancel = (agent: Agent) =>
  agent.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately: false }).expect(200);
const reactivate = (agent: Agent) => agent.post('/api/reactivate-subscription').send({ toolId: tool }).expect(200);
const faults = async () => (await app.context.queue.failed(100)).map(({ name, error }) => `${name}: ${error ?? ''}`);

it('a price rises with notice: those who pay monthly, try the tool or have cancelled are charged what they were told', async () => {
  const [monthly, tries, leaves, returns] = [
    await app.signedIn(),
    await app.signedIn(),
    await app.signedIn(),
    await app.signedIn(),
  ];
  await buy(app, monthly.agent, tool);
  await trial(tries.agent);
  const { clientSecret } = (await tries.agent.post('/api/billing/setup-intent').send({}).expect(200)).body;
  await confirm(app, clientSecret as string, 'pm_card_visa');
  const setupIntentId = (clientSecret as string).split('_secret_')[0];
  await tries.agent.post('/api/billing/payment-method').send({ setupIntentId }).expect(200);
  for (const { agent } of [leaves, returns]) {
    await buy(app, agent, tool);
    await cancel(agent);
  }
  const startsOn = inDays(32);
  const from = (await shown(monthly.agent, tool))!.endDate!;

  const preview = await admin.agent.get(`/api/admin/tools/${tool}/price-preview?priceCents=3500`).expect(200);
  expect(preview.body).toMatchObject({ beforeCents: 3000, dearer: 2, cheaper: 0, same: 0, trials: 1, next: null });
  expect((await setPrice(3500, startsOn)).status).toBe(200);

  // The first bill after that day is the second from now.
  const second = plusMonths(new Date(from), 1, app.context.now().getUTCDate());
  const [told, ...others] = await mailsTo(monthly.user.email, 'price-announced');
  expect(others).toEqual([]);
  expect(told).toContain(`From ${formatSydneyDate(second)} your bill is $35.00 a month`);
  expect(told).toContain(`Risk Profile AI costs $35.00 a month from ${formatSydneyDate(second)} (was $30.00).`);
  expect(told).toContain('The reason: Searches cost us more than before.');
  expect(told).toContain(`choose Cancel before ${formatSydneyDate(second)}, and you are never charged it.`);
  expect(told).toContain(`We’ll charge $30.00 to your Visa •••• 4242 on ${formatSydneyDate(new Date(from))}.`);
  expect(await mailsTo(tries.user.email, 'price-announced')).toHaveLength(1);
  expect(await mailsTo(leaves.user.email, 'price-announced')).toEqual([]);
  const forecast = (await monthly.agent.get('/api/billing/forecast').expect(200)).body as Forecast;
  expect(forecast).toMatchObject({
    bill: { totalCents: 3000 },
    later: { at: second.toISOString(), monthCents: 3500 },
  });

  const { agent: late, user: newcomer } = await app.signedIn();
  expect((await buy(app, late, tool)).monthlyCents).toBe(3500);

  await pass(app, 5 * DAY);
  await reactivate(returns.agent);
  await app.context.queue.drain();
  const [again] = await mailsTo(returns.user.email, 'reactivated');
  expect(again!.replaceAll(/\s+/g, ' ')).toContain(
    `Risk Profile AI costs $35.00 a month from ${formatSydneyDate(second)} (was $30.00)`,
  );

  await live(app, 70 * DAY);
  expect(await charged(monthly.user.id)).toEqual([3000, 3000, 3500]);
  expect(await charged(tries.user.id)).toEqual([3000, 3500]);
  expect(await charged(leaves.user.id)).toEqual([3000]);
  // Told five days later, with thirty days' notice.
  expect(await charged(returns.user.id)).toEqual([3000, 3000, 3500]);
  expect(await charged(newcomer.id)).toEqual([3500, 3500, 3500]);
  // Nothing is told twice.
  for (const { user } of [monthly, tries]) expect(await mailsTo(user.email, 'price-announced')).toHaveLength(1);
  for (const { user } of [monthly, tries, returns]) expect(await mailsTo(user.email, 'bill-changed')).toEqual([]);
  expect(await collected(app, monthly.user.id)).toBe(9500);
  const [item] = (await providerSubscriptions(app, monthly.user.id))[0]!.items.data;
  expect(item!.price.unit_amount).toBe(3500);
  expect(await faults()).toEqual([]);
});

it('a rise has its notice from the day on which a payer hears of it late, however often the bill is looked at', async () => {
  const { agent, user } = await app.signedIn();
  const before = await priceNow();
  await buy(app, agent, tool);
  expect((await setPrice(before + 500, inDays(32))).status).toBe(200);
  // As where nobody could be told on the day of the decision.
  await app.context.db.$client.query(`update told_bills set lines = '[]', later = null where user_id = $1`, [user.id]);
  const risesFrom = async () => {
    await app.clock.advance(2 * 60_000);
    await tellBillOf(app.context, userPayer(user.id), { onlyUrgent: true });
    const [row] = await rowsOf(app, 'select rises_from from tool_subscriptions where user_id = $1 and tool_id = $2', [
      user.id,
      tool,
    ]);
    return row!['rises_from'] as Date;
  };
  await app.clock.advance(4 * DAY);
  const first = await risesFrom();
  expect(first.getTime() - app.context.now().getTime()).toBeGreaterThan(30 * DAY - 60_000);
  expect(await risesFrom()).toEqual(first);
  await app.context.queue.drain();
});

it('a rise that is taken back, or replaced by a lower price, is never charged', async () => {
  const { agent, user } = await app.signedIn();
  const before = await priceNow();
  await buy(app, agent, tool);
  await setPrice(before + 500, inDays(32));
  const { agent: other, user: bought } = await app.signedIn();
  expect((await buy(app, other, tool)).monthlyCents).toBe(before + 500);
  await pass(app, 3 * DAY);
  admin = await administrator(app);
  const { body } = await admin.agent.get(`/api/admin/tools/${tool}/prices`).expect(200);
  const [newest] = (body as { prices: { number: number; mayWithdraw: boolean }[] }).prices;
  expect(newest).toMatchObject({ mayWithdraw: true });
  const path = `/api/admin/tools/${tool}/price/withdraw`;
  await admin.post(path, { number: newest!.number, reason: 'We found another way.' }).expect(200);
  expect((await admin.post(path, { number: newest!.number, reason: 'Again' })).status).toBe(409);
  await app.context.queue.drain();
  expect(await priceNow()).toBe(before);
  const [, back] = await mailsTo(user.email, 'price-announced');
  expect(back).toContain('Your bill stays $30.00 a month');
  expect(back).toContain('The price of Risk Profile AI will not go up after all.');
  expect(back).toContain('The reason: We found another way.');
  // Whoever bought at the price that was taken back pays less as well.
  expect((await mailsTo(bought.email, 'price-announced'))[0]).toContain('costs $30.00 a month');

  await setPrice(before + 900, inDays(32));
  await pass(app, DAY);
  await setPrice(before - 500, inDays(2));
  await live(app, 65 * DAY);
  expect(await charged(user.id)).toEqual([before, before - 500, before - 500]);
  expect(await charged(bought.id)).toEqual([before + 500, before - 500, before - 500]);
  expect(await faults()).toEqual([]);
});

it('a rise that is taken back stays for those to whom it was told as a lower price', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, tool);
  // For new subscriptions only.
  await setPrice(2000);
  await setPrice(2500, inDays(32));
  expect((await mailsTo(user.email, 'price-announced'))[0]).toContain('costs $25.00 a month');
  await pass(app, DAY);
  admin = await administrator(app);
  const back = { number: 1, reason: 'We found another way.' };
  await admin.post(`/api/admin/tools/${tool}/price/withdraw`, back).expect(200);
  expect(await priceNow()).toBe(2000);
  await live(app, 65 * DAY);
  expect(await charged(user.id)).toEqual([3000, 3000, 2500]);
  expect(await mailsTo(user.email, 'price-announced')).toHaveLength(1);
  expect(await mailsTo(user.email, 'bill-changed')).toEqual([]);
  expect(await faults()).toEqual([]);
});

it('a rise for new subscriptions only leaves the price to those who have the tool, at renewals and on coming back', async () => {
  const { agent, user } = await app.signedIn();
  const before = await priceNow();
  await buy(app, agent, tool);
  // The card form is open while the price changes.
  const { agent: paying, user: payer } = await app.signedIn();
  const { body } = await paying.post('/api/create-subscription').send({ toolId: tool }).expect(200);
  await setPrice(before + 700);
  await confirm(app, body.clientSecret as string, 'pm_card_visa');
  await paying.post(`/api/subscriptions/${tool}/sync`).send({}).expect(200);
  await live(app, 33 * DAY);
  await agent.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately: true }).expect(200);
  const quote = (await agent.get(`/api/pricing/quote?toolId=${tool}`).expect(200)).body as { totalCents: number };
  expect(quote.totalCents).toBe(before);
  await reactivate(agent);
  await live(app, 31 * DAY);
  expect(await charged(user.id)).toEqual([before, before, before]);
  expect(await charged(payer.id)).toEqual([before, before, before]);
  expect(await mailsTo(user.email, 'price-announced')).toEqual([]);
  await setPrice(before);
});

it('a member who joins a team before the new price costs the rest of the month at the old one', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, members: 1 });
  const before = await priceNow();
  await buy(app, agent, tool, 'pm_card_visa', { teamId: team.id });
  const first = new Date((await shown(agent, tool, team.id))!.endDate!);
  await setPrice(before + 1000, sydneyDate(new Date(first.getTime() + 2 * DAY)));
  // In the month before the new price.
  await live(app, first.getTime() - app.context.now().getTime() + 5 * DAY);
  const { user: joins } = await app.signedIn();
  await transaction(app.context.db, async (tx) => {
    const member = "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')";
    await tx.$client.query(member, [team.id, joins.id]);
    await memberJoined(within(app.context, tx), team.id, { id: joins.id, name: 'Hugh Lang' });
  });
  const { bill } = (await agent.get(`/api/billing/forecast?teamId=${team.id}`).expect(200)).body as Forecast;
  const [part, ...others] = bill!.parts;
  expect(others).toEqual([]);
  const monthDays = daysOf(first, new Date(bill!.at));
  expect(part).toMatchObject({ person: 'Hugh Lang', days: daysOf(app.context.now(), new Date(bill!.at)) });
  expect(part!.cents).toBe(partOf(before, part!.days, monthDays));
  expect(bill!.lines[0]!.cents).toBe(3 * (before + 1000));
  await live(app, 27 * DAY);
  expect((await charged(team.id)).slice(-1)).toEqual([bill!.totalCents]);
  expect(await faults()).toEqual([]);
  await setPrice(before);
});

it('a hand-over before a new price tells the new owner of it by mail, once, and how to leave', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, name: 'Harbour Advice', members: 0 });
  const heir = await app.signedIn({ membershipType: 'team' });
  await rowsOf(app, "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')", [
    team.id,
    heir.user.id,
  ]);
  const before = await priceNow();
  await buy(app, agent, tool, 'pm_card_visa', { teamId: team.id });
  await buy(app, agent, 'file-note-ai', 'pm_card_visa', { teamId: team.id });
  await setPrice(before + 500, inDays(32));
  expect(await mailsTo(user.email, 'price-announced')).toHaveLength(1);
  await pass(app, 2 * DAY);
  await handOver(agent, heir.agent, team.id, heir.user.id);
  await app.context.queue.drain();
  const [told, ...others] = await mailsTo(heir.user.email, 'team-received');
  expect(told).toMatch(/Risk Profile AI costs \$35\.00 a month for each member from \d+ \w+ \d{4} \(was \$30\.00\)/);
  expect(told).toContain('open Tools on the team’s page and choose Cancel by');
  expect(told).toContain("The previous owner's card was removed: please add one");
  expect(others).toEqual([]);
  await pass(app, DAY);
  expect(await mailsTo(heir.user.email, 'price-announced')).toEqual([]);
  await setPrice(before);
  expect(await mailsTo(user.email, 'price-announced')).toHaveLength(1);
});

it('the form refuses what nobody could be told in time, and what is no price', async () => {
  const currentCents = await priceNow();
  admin = await administrator(app);
  const set = (values: object, of = tool) =>
    admin.post(`/api/admin/tools/${of}/price`, { priceCents: 9900, currentCents, reason: 'Why', ...values });
  for (const [values, field] of [
    [{ startsOn: inDays(29) }, 'startsOn'],
    [{ startsOn: inDays(500) }, 'startsOn'],
    [{ startsOn: '2026-02-31' }, 'startsOn'],
    [{ priceCents: 99 }, 'priceCents'],
    [{ priceCents: 12.5 }, 'priceCents'],
    [{ reason: ' ' }, 'reason'],
  ] as const) {
    const answer = await set(values).expect(400);
    expect((answer.body as { fields: object }).fields).toHaveProperty(field);
  }
  expect((await set({ currentCents: currentCents + 1 })).body).toMatchObject({ code: 'tool_changed' });
  expect((await set({ priceCents: currentCents })).body).toMatchObject({ code: 'same_price' });
  await set({}, 'lost-money-ai').expect(404);
  await set({}, 'no-such-tool').expect(404);
  expect(await priceNow()).toBe(currentCents);
});

it('a payer since a 31st is told the day that is charged, although February ends earlier', async () => {
  const year = app.context.now().getUTCFullYear() + 1;
  await app.clock.advance(Date.UTC(year, 0, 31, 12) - app.context.now().getTime());
  const { agent, user } = await app.signedIn();
  await buy(app, agent, tool);
  const [before, last] = [await priceNow(), new Date(Date.UTC(year, 2, 31, 12))];
  expect(new Date((await shown(agent, tool))!.endDate!).getUTCMonth()).toBe(1);
  expect((await setPrice(before + 100, inDays(32))).status).toBe(200);

  const [told] = await mailsTo(user.email, 'price-announced');
  expect(told).toContain(`From ${formatSydneyDate(last)} your bill is`);
  const { body } = await agent.get('/api/billing/forecast').expect(200);
  expect((body as Forecast).later).toMatchObject({ at: expect.stringContaining('-03-31T') });
  await live(app, last.getTime() - DAY - app.context.now().getTime());
  expect(await charged(user.id)).toEqual([before, before]);
  await live(app, 2 * DAY);
  expect(await charged(user.id)).toEqual([before, before, before + 100]);
});
