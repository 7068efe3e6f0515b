import { beforeEach, expect, it, vi } from 'vitest';
import { formatSydneyDate, plusMonths, sydneyDate } from '#shared/rules/dates.ts';
import type { Forecast } from '#shared/api/billing.ts';
import { daysOf, partOf } from '#shared/rules/billing/part-month.ts';
import { within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, DAY, live, rowsOf, shown } from '#server/testing/purchases.ts';
import { type Agent, freshTestApp } from '#server/testing/test-app.ts';
import { memberJoined } from '../change/seats.ts';
import { tellBills } from './jobs.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 600_000 });

const app = freshTestApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeEach(async () => {
  admin = await administrator(app);
});

type Tier = { toolCount: number; discountPercent: number };
type Shown = { number: number; tiers: Tier[]; coming: { number: number; startsAt: string } | null };
const of = (...pairs: [number, number][]): Tier[] =>
  pairs.map(([toolCount, discountPercent]) => ({ toolCount, discountPercent }));
const inDays = (days: number) => sydneyDate(new Date(app.context.now().getTime() + days * DAY));
const tiersNow = async () => (await admin.agent.get('/api/admin/tiers').expect(200)).body as Shown;
/** As the page sends it, until everybody is told. Signs in anew: a month on, the administrator's session is over. */
async function set(tiers: Tier[], startsOn?: string) {
  admin = await administrator(app);
  const { number } = await tiersNow();
  const answer = await admin.post('/api/admin/tiers', {
    number,
    tiers,
    reason: 'Searches cost us more than before.',
    ...(startsOn !== undefined && { startsOn }),
  });
  await app.context.queue.drain();
  return answer;
}
const mailsTo = async (email: string, kind = 'price-announced') =>
  (
    await rowsOf(app, 'select subject, text_body from mails where to_address = $1 and kind = $2 order by created_at', [
      email,
      kind,
    ])
  ).map((mail) => `${String(mail['subject'])}\n${String(mail['text_body'])}`);
/** Cents of the lines of the tool on what was paid, the oldest first. */
const charged = async (owner: string, toolId = 'file-note-ai') =>
  (
    await rowsOf(
      app,
      `select (line ->> 'cents')::int as cents from bills, jsonb_array_elements(lines) line
       where (user_id = $1 or team_id = $1) and line ->> 'toolId' = $2 and status = 'paid' order by at`,
      [owner, toolId],
    )
  ).map((row) => row['cents']);
/** Cents that were taken for each monthly bill, on Stripe's word, the oldest first. */
const taken = async (owner: string) =>
  (
    await rowsOf(
      app,
      `select i.amount_paid_cents as cents from bills b join invoices i using (stripe_invoice_id)
       where (b.user_id = $1 or b.team_id = $1) and b.kind = 'month' order by b.at`,
      [owner],
    )
  ).map(({ cents }) => cents);
/** On one day, so that the second is charged for a whole month. */
const two = async (agent: Agent) => {
  await buy(app, agent, 'file-note-ai');
  await buy(app, agent, 'risk-profile-ai');
};
const faults = async () => (await app.context.queue.failed(100)).map(({ name, error }) => `${name}: ${error ?? ''}`);
const publicTiers = async () =>
  (
    (await admin.agent.get('/api/discounts/tiers').expect(200)).body as { toolCount: number; discountPercent: string }[]
  ).map(({ toolCount, discountPercent }) => [toolCount, Number(discountPercent)]);

it('a smaller discount counts from its day: those who pay more are told once, and charged what they were told', async () => {
  const [pays, single] = [await app.signedIn(), await app.signedIn()];
  await two(pays.agent);
  await buy(app, single.agent, 'file-note-ai');
  await app.context.queue.drain();
  expect(await shown(pays.agent, 'file-note-ai')).toMatchObject({ monthlyCents: 2375 });

  const worse = of([3, 10], [4, 15], [6, 20]);
  const preview = await admin.agent.get('/api/admin/tiers/preview?tiers=3:10,4:15,6:20').expect(200);
  // 5% of $25.00 is $1.25, of $30.00 it is $1.50.
  expect(preview.body).toMatchObject({ isDearer: true, dearer: 1, dearerCents: 275, cheaper: 0, same: 1, next: null });
  expect((await set(worse, inDays(33))).status).toBe(200);
  // Nothing is told twice, even by two runs at once.
  await Promise.all([tellBills(app.context), tellBills(app.context)]);

  const first = new Date((await shown(pays.agent, 'file-note-ai'))!.endDate!);
  const second = plusMonths(first, 1, app.context.now().getUTCDate());
  const [told, ...others] = await mailsTo(pays.user.email);
  expect(others).toEqual([]);
  expect(told).toContain(`From ${formatSydneyDate(second)} your bill is $55.00 a month`);
  expect(told).toContain('Bulk discount: no discount (was 5%).');
  expect(told).toMatch(/^File Note AI +\$25\.00$/m);
  expect(told).toContain('The reason: Searches cost us more than before.');
  expect(told).toContain(`choose Cancel before ${formatSydneyDate(second)}`);
  expect(await mailsTo(single.user.email)).toEqual([]);
  expect(await publicTiers()).toEqual([
    [2, 5],
    [3, 10],
    [4, 15],
    [6, 20],
  ]);
  expect((await pays.agent.get('/api/billing/forecast').expect(200)).body).toMatchObject({
    bill: { totalCents: 5225 },
    later: { at: second.toISOString(), monthCents: 5500 },
  });
  // Whoever buys meanwhile gets today's discount, and is told with the receipt.
  const late = await app.signedIn();
  await two(late.agent);
  await tellBills(app.context);
  expect((await mailsTo(late.user.email, 'receipt'))[1]).toMatch(/From \d+ \w+ \d{4} the bill is \$55\.00 a month/);

  await live(app, 65 * DAY);
  for (const { user } of [pays, late]) {
    expect(await charged(user.id)).toEqual([2500, 2375, 2500]);
    expect(await taken(user.id)).toEqual([5225, 5500]);
  }
  expect(await mailsTo(pays.user.email)).toHaveLength(1);
  expect(await mailsTo(late.user.email)).toEqual([]);
  expect(await charged(single.user.id)).toEqual([2500, 2500, 2500]);
  expect(await publicTiers()).toEqual([
    [3, 10],
    [4, 15],
    [6, 20],
  ]);
  expect(await rowsOf(app, 'select tool_count from discount_tiers where is_active order by 1')).toHaveLength(3);
  expect(await faults()).toEqual([]);
});

it('a larger discount counts at once, from the next invoice, and nobody has to be told ahead', async () => {
  const { agent, user } = await app.signedIn();
  await two(agent);
  await app.context.queue.drain();
  expect((await set(of([2, 7], [3, 10], [4, 15], [6, 20]))).status).toBe(200);
  await app.context.queue.drain();
  expect(await shown(agent, 'file-note-ai')).toMatchObject({ monthlyCents: 2325 });
  const [told, ...others] = await mailsTo(user.email);
  expect(others).toEqual([]);
  expect(told).toMatch(/^Your bill of \d+ \w+ \d{4} is \$51\.15$/m);
  expect(told).toContain('Bulk discount: 7% off (was 5%).');
  expect(await mailsTo(user.email, 'bill-changed')).toEqual([]);
  await live(app, 32 * DAY);
  expect((await charged(user.id)).at(-1)).toBe(2325);
  expect(await faults()).toEqual([]);
});

it('an announced discount that is taken back before its day is never charged', async () => {
  const { agent, user } = await app.signedIn();
  await two(agent);
  await app.context.queue.drain();
  // So near that the invoice after next has the new discounts.
  await set(of([2, 1], [3, 10], [4, 15], [6, 20]), inDays(32));
  expect((await set(of([2, 9]))).body).toMatchObject({ code: 'tiers_coming' });
  await live(app, 2 * DAY);
  admin = await administrator(app);
  const { coming } = await tiersNow();
  const back = { number: coming!.number, reason: 'We found another way.' };
  const both = await Promise.all([
    admin.post('/api/admin/tiers/withdraw', back),
    admin.post('/api/admin/tiers/withdraw', back),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  await app.context.queue.drain();
  const mails = await mailsTo(user.email);
  expect(mails).toHaveLength(2);
  expect(mails[0]).toContain('1% off (was 5%)');
  expect(mails[1]).toContain('Your bill stays $52.25 a month');
  expect(mails[1]).toContain('We no longer change our discounts.');
  await live(app, 63 * DAY);
  expect((await charged(user.id)).slice(1)).toEqual([2375, 2375]);
  expect(await mailsTo(user.email, 'bill-changed')).toEqual([]);
  expect(await faults()).toEqual([]);
});

it('a larger discount that was told stands, though the change that brought it is taken back', async () => {
  const { agent, user } = await app.signedIn();
  await two(agent);
  await app.context.queue.drain();
  // Two tools become cheaper, and four dearer.
  await set(of([2, 9], [3, 10], [4, 11], [6, 20]), inDays(32));
  expect((await mailsTo(user.email))[0]).toContain('9% off (was 5%)');
  const { coming } = await tiersNow();
  const back = { number: coming!.number, reason: 'We found another way.' };
  await admin.post('/api/admin/tiers/withdraw', back).expect(200);
  await app.context.queue.drain();
  const stands = await tiersNow();
  expect(stands).toMatchObject({
    coming: { startsAt: coming!.startsAt, tiers: of([2, 9], [3, 10], [4, 15], [6, 20]) },
  });
  const again = await admin.post('/api/admin/tiers/withdraw', { ...back, number: stands.number }).expect(409);
  expect(again.body).toMatchObject({ code: 'tiers_stand' });
  await live(app, 65 * DAY);
  expect((await charged(user.id)).slice(1)).toEqual([2375, 2275]);
  expect(await mailsTo(user.email)).toHaveLength(1);
  expect(await mailsTo(user.email, 'bill-changed')).toEqual([]);
  expect(await faults()).toEqual([]);
});

it('a member who joins a team before the day costs the rest of the month at the discount of that month', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, members: 1 });
  for (const toolId of ['file-note-ai', 'risk-profile-ai'])
    await buy(app, agent, toolId, 'pm_card_visa', { teamId: team.id });
  await app.context.queue.drain();
  await set(of([2, 1]), inDays(33));
  const end = new Date((await shown(agent, 'file-note-ai', team.id))!.endDate!);
  // In the month before the change.
  await live(app, end.getTime() - app.context.now().getTime() + 4 * DAY);
  const { user: joins } = await app.signedIn();
  await transaction(app.context.db, async (tx) => {
    const member = "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')";
    await tx.$client.query(member, [team.id, joins.id]);
    await memberJoined(within(app.context, tx), team.id, { id: joins.id, name: 'Hugh Lang' });
  });
  const { bill } = (await agent.get(`/api/billing/forecast?teamId=${team.id}`).expect(200)).body as Forecast;
  const part = bill!.parts.find(({ toolId }) => toolId === 'file-note-ai')!;
  expect(part.cents).toBe(partOf(2375, part.days, daysOf(end, new Date(bill!.at))));
  // 3 × $25.00 less 1%.
  expect(bill!.lines.find(({ toolId }) => toolId === 'file-note-ai')!.cents).toBe(7425);
  await live(app, 30 * DAY);
  expect((await charged(team.id)).at(-1)).toBe(7425);
  expect(await faults()).toEqual([]);
});

it('two changes of one discount take effect one after the other, each from its day', async () => {
  const worse = [of([2, 3], [3, 10], [4, 15], [6, 20]), of([2, 2], [3, 10], [4, 15], [6, 20])] as const;
  const inForce = async () => (await publicTiers()).map(([, percent]) => percent);
  await set(worse[0], inDays(33));
  expect(await inForce()).toEqual([5, 10, 15, 20]);
  await live(app, 34 * DAY);
  expect(await inForce()).toEqual([3, 10, 15, 20]);
  await set(worse[1], inDays(33));
  expect(await inForce()).toEqual([3, 10, 15, 20]);
  await live(app, 34 * DAY);
  expect(await inForce()).toEqual([2, 10, 15, 20]);
  expect(await faults()).toEqual([]);
});

it('the form refuses what nobody could be told in time and what makes no sense, and takes one of two at once', async () => {
  admin = await administrator(app);
  const { number, tiers } = await tiersNow();
  const send = (values: object) => admin.post('/api/admin/tiers', { number, tiers, reason: 'Why', ...values });
  const worse = of([8, 3]);
  for (const [values, field] of [
    [{ tiers: worse }, 'startsOn'],
    [{ tiers: worse, startsOn: inDays(30) }, 'startsOn'],
    [{ tiers: worse, startsOn: inDays(500) }, 'startsOn'],
    [{ tiers: worse, startsOn: '2026-02-31' }, 'startsOn'],
    [{ tiers: of([2, 40]), startsOn: inDays(40) }, 'startsOn'],
    [{ tiers: of([2, 40], [3, 30]) }, 'tiers'],
    [{ tiers: of([2, 40], [2, 50]) }, 'tiers'],
    [{ tiers: of([1, 40]) }, 'tiers.0.toolCount'],
    [{ tiers: of([2, 100]) }, 'tiers.0.discountPercent'],
    [{ tiers: of([2, 12.5]) }, 'tiers.0.discountPercent'],
    [{ reason: ' ' }, 'reason'],
  ] as const) {
    const { body } = await send(values).expect(400);
    expect((body as { fields: object }).fields).toHaveProperty([field]);
  }
  expect((await send({})).body).toMatchObject({ code: 'same_discounts' });
  expect((await send({ number: number + 1, tiers: of([2, 40]) })).body).toMatchObject({ code: 'discounts_changed' });
  const both = await Promise.all([send({ tiers: of([2, 40]) }), send({ tiers: of([2, 41]) })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});
