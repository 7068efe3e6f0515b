import { describe, expect, it, vi } from 'vitest';
import type { businessApi } from '#shared/api/operators/business.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { Quote } from '#shared/api/subscriptions.ts';
import { formatSydneyDate, plusMonths, sydneyDate } from '#shared/rules/dates.ts';
import { refreshBusiness } from '#server/admin/jobs.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, confirm, DAY, giveCard, pass, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { resumePurchases } from '../jobs.ts';
import { memberJoined } from '../change/seats.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 120_000 });

const app = testApp();
const toolId = 'risk-profile-ai';
let made = 0;

/** A code of $30.00 less 20% for three months, unless said otherwise. */
async function makeCode(terms: object = {}) {
  const code = `SPRING${(made += 1)}`;
  const body = {
    code,
    percent: 20,
    months: 3,
    toolIds: null,
    lastDay: inDays(10),
    mostRedemptions: 3,
    reason: 'Spring',
  };
  const { post, agent } = await administrator(app);
  await post('/api/admin/codes', { ...body, ...terms }).expect(200);
  const listed = (await agent.get('/api/admin/codes').expect(200)).body as { id: string; code: string }[];
  return { code, id: listed.find((one) => one.code === code)!.id, post, agent };
}
const inDays = (days: number) => sydneyDate(new Date(app.context.now().getTime() + days * DAY));

type Business = Reply<typeof businessApi.show>;
type Answer = { status: number; body: { code?: string; fields?: Record<string, string>; clientSecret?: string } };
const quoteWith = (agent: Agent, code: string, more = '') =>
  agent.get(`/api/pricing/quote?toolId=${toolId}&code=${code}${more}`);
const quoted = async (agent: Agent, code: string, more = '') =>
  (await quoteWith(agent, code, more).expect(200)).body as Quote;
const create = async (agent: Agent, body: object): Promise<Answer> =>
  agent.post('/api/create-subscription').send({ toolId, ...body });
async function buyWith(agent: Agent, code: string, more: object = {}) {
  const { body } = await agent
    .post('/api/create-subscription')
    .send({ toolId, code, ...more })
    .expect(200);
  await confirm(app, (body as { clientSecret: string }).clientSecret, 'pm_card_visa');
  return agent.post(`/api/subscriptions/${toolId}/sync`).send(more).expect(200);
}
const refusal = ({ body }: Answer) => body.fields?.['code'] ?? body.code;
const redemptionsOf = async (id: string) => {
  const { body } = await (await administrator(app)).agent.get(`/api/admin/codes/${id}/redemptions`).expect(200);
  return (body as { redemptions: { payer: string; isOpen: boolean; tool: string }[] }).redemptions;
};
const invoiced = async (payer: string) =>
  (
    await rowsOf(
      app,
      'select total_cents from invoices where $1 in (user_id::text, team_id::text) and total_cents > 0 order by issued_at',
      [payer],
    )
  ).map((row) => row['total_cents']);
const incidents = () => app.context.queue.failed(100);
const mailsTo = async (address: string) =>
  (await rowsOf(app, 'select text_body from mails where to_address = $1 order by created_at', [address]))
    .map((row) => row['text_body'])
    .join('\n');
const forecast = async (agent: Agent) =>
  (await agent.get('/api/billing/forecast').expect(200)).body as {
    bill: { totalCents: number; lines: { discounts: { label: string }[] }[] };
    later: { day: string; monthCents: number };
  };
describe('a purchase with a discount code', () => {
  it('is quoted, charged and told with the code, and then at the full price, each on its day', async () => {
    const { code, id } = await makeCode({ percent: 15 });
    const { agent, user } = await app.signedIn();
    const quote = await quoted(agent, code.toLowerCase());
    expect(quote).toMatchObject({ totalCents: 2550, dueTodayCents: 2550, nextBill: { totalCents: 2550 } });
    expect(quote.lines[1]).toEqual({ label: `Discount code ${code} (15%, 3 months)`, cents: -450 });
    const bought = app.context.now();
    const full = plusMonths(bought, 3);
    expect(quote.code).toMatchObject({ code, percent: 15, months: 3, full: { cents: 3000 } });
    expect(sydneyDate(new Date(quote.code!.full.from))).toBe(sydneyDate(full));

    await buyWith(agent, code);
    await app.context.queue.drain();
    expect(await shown(agent, toolId)).toMatchObject({
      status: 'active',
      monthlyCents: 2550,
      discounts: [{ kind: 'code', percent: 15, cents: 450 }],
      winBack: { code, percent: 15, months: 3 },
    });
    expect(await redemptionsOf(id)).toMatchObject([{ isOpen: false, tool: 'Risk Profile AI' }]);
    const { bill, later } = await forecast(agent);
    expect(bill.totalCents).toBe(2550);
    expect(bill.lines[0]!.discounts[0]!.label).toBe(`Discount code ${code} (15%, 3 months)`);
    expect(later).toMatchObject({ day: sydneyDate(full), monthCents: 3000 });
    expect(await mailsTo(user.email)).toContain(
      `From ${formatSydneyDate(full)} the bill is $30.00 a month. Your discount code for Risk Profile AI has run out.`,
    );

    for (const month of [1, 2, 3, 4]) await passTo(app, plusMonths(bought, month), 2 * 3600_000);
    expect(await invoiced(user.id)).toEqual([2550, 2550, 2550, 3000, 3000]);
    expect(await shown(agent, toolId)).toMatchObject({ monthlyCents: 3000, discounts: [], winBack: null });
    expect(await incidents()).toEqual([]);

    // Recurring revenue follows what is charged: the code’s price, and the rest once the full price comes next.
    await refreshBusiness(app.context);
    const { months } = (await (await administrator(app)).agent.get('/api/admin/business').expect(200)).body as Business;
    const sum = (of: (month: Business['months'][number]) => number) =>
      months.reduce((cents, month) => cents + of(month), 0);
    expect(sum(({ newCents }) => newCents)).toBe(2550);
    expect(sum(({ expandedCents }) => expandedCents)).toBe(450);
    expect(months.at(-1)!.mrrCents).toBe(3000);
    expect(sum(({ invoicedCents }) => invoicedCents)).toBe(3 * 2550 + 2 * 3000);
  });

  it('charges by the card on file what the button said, and nothing else', async () => {
    const { code, id } = await makeCode({ percent: 10 });
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    const charge = (cents: number) => create(agent, { code, charge: { cents, last4: '4242' } });
    expect((await charge(2850)).body).toMatchObject({ code: 'price_changed' });
    expect(await redemptionsOf(id)).toEqual([]);
    expect((await charge(2700)).status).toBe(200);
    expect(await invoiced(user.id)).toEqual([2500, 2700]);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'active', winBack: { code } });
    expect((await charge(2700)).body).toMatchObject({ code: 'already_subscribed' });
    expect(await redemptionsOf(id)).toHaveLength(1);
  });

  it('counts the months of the code from the first whole one where it begins with a trial', async () => {
    const { code } = await makeCode({ months: 2 });
    const { agent, user } = await app.signedIn();
    await giveCard(app, agent);
    const quote = await quoted(agent, code);
    expect(quote).toMatchObject({
      trialDays: 30,
      afterTrial: { totalCents: 2400, priceCents: 2400 },
      code: { fullAfterTrial: { cents: 3000 } },
    });
    expect((await create(agent, { code, trial: true })).status).toBe(200);
    await app.context.queue.drain();
    const trial = (await shown(agent, toolId))!;
    expect(trial).toMatchObject({ status: 'trial', monthlyCents: 2400, winBack: { code } });
    const begins = new Date(trial.trialEndDate!);
    expect(trial.winBack!.endsAt).toBe(plusMonths(begins, 2).toISOString());
    expect(sydneyDate(new Date(quote.code!.fullAfterTrial!.from))).toBe(sydneyDate(plusMonths(begins, 2)));
    await passTo(app, begins, -DAY / 2);
    for (const [month, charged] of [[2400], [2400, 2400], [2400, 2400, 3000]].entries()) {
      await passTo(app, plusMonths(begins, month), 2 * 3600_000);
      expect(await invoiced(user.id)).toEqual(charged);
    }
    expect(await incidents()).toEqual([]);
  });

  it('has the code’s price for the days until a bill, and counts the first whole month as month 1', async () => {
    const { code } = await makeCode({ months: 2 });
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    const bought = app.context.now();
    await pass(app, 10 * DAY);
    const quote = await quoted(agent, code);
    expect(quote).toMatchObject({ totalCents: 2400, code: { full: { cents: 2850 } } });
    const charge = { cents: quote.dueTodayCents, last4: '4242', nextCents: quote.nextBill!.totalCents };
    expect((await create(agent, { code, charge })).status).toBe(200);
    expect(quote.dueTodayCents).toBeLessThan(2400);
    const full = plusMonths(bought, 3);
    expect(sydneyDate(new Date(quote.code!.full.from))).toBe(sydneyDate(full));
    for (const month of [1, 2, 3]) await passTo(app, plusMonths(bought, month), 2 * 3600_000);
    expect(await invoiced(user.id)).toEqual([2500, quote.dueTodayCents, 2375 + 2400, 2375 + 2400, 2375 + 2850]);
    expect(await incidents()).toEqual([]);
  });

  it('is for a team too: who joins in the last discounted month is prorated with the code', async () => {
    const { code } = await makeCode({ months: 1, percent: 50 });
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, members: 1 });
    await buyWith(owner.agent, code, { teamId: team.id });
    await app.context.queue.drain();
    const bought = (await shown(owner.agent, toolId, team.id))!;
    // The next invoice is already at the full price.
    expect(bought).toMatchObject({ quantity: 2, monthlyCents: 6000 });
    await pass(app, 15 * DAY);
    const member = await createUser(app.context, { membershipType: 'team' });
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: member.id, role: 'member' });
    await memberJoined(app.context, team.id, { id: member.id, name: 'Hugh Lang' });
    await app.context.queue.drain();
    const [part, ...others] = await rowsOf(app, 'select cause, cents from adjustments where subscription_id = $1', [
      bought.id,
    ]);
    expect(others).toEqual([]);
    expect(part).toMatchObject({ cause: 'joined' });
    // Half a month of one member at half the price of $30.00.
    expect(part!['cents']).toBeGreaterThan(700);
    expect(part!['cents']).toBeLessThan(800);
    expect(await shown(owner.agent, toolId, team.id)).toMatchObject({ quantity: 3, monthlyCents: 9000 });
    expect(await incidents()).toEqual([]);
  });
});

describe('a code with few redemptions', () => {
  it('is redeemed by three of ten at once where three may, who each pay what they were told', async () => {
    const { code, id } = await makeCode();
    const people = await Promise.all(Array.from({ length: 10 }, () => app.signedIn()));
    const answers = await Promise.all(people.map(({ agent }) => create(agent, { code })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(3).fill(200),
      ...Array<number>(7).fill(400),
    ]);
    for (const answer of answers)
      if (answer.status === 400) expect(refusal(answer)).toBe('This discount code has been used as often as it can be');
    for (const [index, { agent, user }] of people.entries()) {
      const { clientSecret } = answers[index]!.body;
      if (!clientSecret) continue;
      await confirm(app, clientSecret, 'pm_card_visa');
      await agent.post(`/api/subscriptions/${toolId}/sync`).send({}).expect(200);
      expect(await invoiced(user.id)).toEqual([2400]);
    }
    expect((await redemptionsOf(id)).map(({ isOpen }) => isOpen)).toEqual([false, false, false]);
  });

  it('is redeemed once, however often and by how many tabs the purchase is sent, and not again by that payer', async () => {
    const { code, id } = await makeCode();
    const { agent } = await app.signedIn();
    const tabs = await Promise.all([1, 2, 3, 4].map(() => create(agent, { code })));
    expect(new Set(tabs.map(({ status, body }) => [status, body.clientSecret].join(' '))).size).toBe(1);
    expect(await redemptionsOf(id)).toMatchObject([{ isOpen: true }]);
    expect(await quoted(agent, code)).toMatchObject({ totalCents: 2400 });
    await buyWith(agent, code);
    await agent.post('/api/cancel-subscription').send({ toolId, cancelImmediately: true }).expect(200);
    await pass(app, 9 * DAY);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'expired' });
    for (const answer of [await quoteWith(agent, code), await create(agent, { code })])
      expect(refusal(answer)).toBe('You have used this discount code for this tool before');
    expect(await redemptionsOf(id)).toHaveLength(1);
  });

  it('gets the redemption back where the purchase is withdrawn, refused or never paid', async () => {
    const { code, id } = await makeCode({ mostRedemptions: 1 });
    const first = await app.signedIn();
    const second = await app.signedIn();
    expect((await create(first.agent, { code })).status).toBe(200);
    expect(refusal((await quoteWith(second.agent, code)) as Answer)).toMatch(/as often as it can be/);
    // The first adviser opens the same purchase without it.
    expect((await create(first.agent, {})).status).toBe(200);
    expect(await redemptionsOf(id)).toEqual([]);
    expect((await create(second.agent, { code })).status).toBe(200);
    await app.clock.advance(25 * 3600_000);
    await app.sandbox!.tick();
    await resumePurchases(app.context);
    await app.context.queue.drain();
    expect(await redemptionsOf(id)).toEqual([]);
    await buyWith(first.agent, code);
    expect(await redemptionsOf(id)).toHaveLength(1);
  });
});

describe('a code that can’t be used', () => {
  it('is refused by its field where it is unknown, ended, early, over or for other tools; those who redeemed it keep it', async () => {
    const { agent } = await app.signedIn();
    const kept = await app.signedIn();
    const waiting = await app.signedIn();
    const ended = await makeCode();
    await buyWith(kept.agent, ended.code);
    const opened = await create(waiting.agent, { code: ended.code });
    await ended.post(`/api/admin/codes/${ended.id}/end`, { reason: 'Enough' }).expect(200);
    expect((await ended.post(`/api/admin/codes/${ended.id}/end`, { reason: 'Again' })).body).toMatchObject({
      code: 'code_over',
    });
    // A purchase that was open keeps the code.
    expect((await create(waiting.agent, { code: ended.code })).body.clientSecret).toBe(opened.body.clientSecret);
    await buyWith(waiting.agent, ended.code);
    expect(await invoiced(waiting.user.id)).toEqual([2400]);
    const later = await makeCode({ startsOn: inDays(3) });
    const over = await makeCode({ lastDay: inDays(0) });
    const others = await makeCode({ toolIds: ['file-note-ai', 'portfolio-ai'] });
    await app.clock.advance(26 * 3600_000);
    for (const [code, sentence] of [
      ['NOSUCHCODE', /That code isn’t valid/],
      ['no-code', /That code isn’t valid/],
      [ended.code, /has ended/],
      [later.code, /can be used from/],
      [over.code, /could be used until/],
      [others.code, /is not for Risk Profile AI/],
    ] as const) {
      const answers = [
        await quoteWith(agent, code),
        await create(agent, { code }),
        await create(agent, { code, trial: true }),
      ];
      for (const answer of answers as Answer[]) {
        expect(answer.status).toBe(400);
        expect(refusal(answer)).toMatch(sentence);
      }
    }
    expect(await shown(agent, toolId)).toBeUndefined();
    expect(await shown(kept.agent, toolId)).toMatchObject({ monthlyCents: 2400, winBack: { code: ended.code } });
  });

  it('is refused where the volume discount takes off as much or more, and no redemption is used', async () => {
    const smaller = await makeCode({ percent: 4 });
    const larger = await makeCode({ percent: 6 });
    const { agent } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    const answer = await create(agent, { code: smaller.code });
    expect(refusal(answer)).toMatch(/bulk discount of 5% is larger than the 4% of this code/);
    expect(await redemptionsOf(smaller.id)).toEqual([]);
    expect(await quoted(agent, larger.code)).toMatchObject({
      totalCents: 2820,
      code: { full: { cents: 2850 } },
    });
  });

  it('is refused to the administrator who made it, and to their practice; others redeem it', async () => {
    const { code, id, agent } = await makeCode({ percent: 90 });
    const [maker] = await rowsOf(app, 'select made_by as id from discount_codes where id = $1', [id]);
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id });
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: String(maker!['id']), role: 'member' });
    const answers = [
      await quoteWith(agent, code),
      await create(agent, { code }),
      await quoteWith(owner.agent, code, `&teamId=${team.id}`),
      await create(owner.agent, { code, teamId: team.id }),
    ];
    for (const answer of answers as Answer[]) {
      expect(answer.status).toBe(400);
      expect(refusal(answer)).toMatch(/nor can your practice/);
    }
    expect(await redemptionsOf(id)).toEqual([]);
    expect((await create((await app.signedIn()).agent, { code })).status).toBe(200);
  });

  it('stops whoever guesses', async () => {
    const { agent } = await app.signedIn();
    let status = 400;
    for (let tries = 0; status === 400 && tries < 70; tries += 1)
      ({ status } = await quoteWith(agent, `GUESS${tries}`));
    expect(status).toBe(429);
  });
});

describe('administrators', () => {
  it('read who made and ended each code, and the audit log tells it', async () => {
    const { code, id, post, agent } = await makeCode({ toolIds: [toolId] });
    await post(`/api/admin/codes/${id}/end`, { reason: 'Misprinted' }).expect(200);
    const [listed] = (await agent.get('/api/admin/codes').expect(200)).body as object[];
    expect(listed).toMatchObject({
      code,
      percent: 20,
      months: 3,
      toolIds: [toolId],
      redeemed: 0,
      open: 0,
      reason: 'Spring',
      ended: { reason: 'Misprinted' },
    });
    const { body } = await agent.get('/api/admin/audit').expect(200);
    const told = JSON.stringify(body);
    expect(told).toContain(`Made the discount code ${code}: 20% off for 3 months, for Risk Profile AI, until`);
    expect(told).toContain(`Ended the discount code ${code} early`);
  });

  it('are told which field is wrong; where two make one code at once, one makes it', async () => {
    const { post, code } = await makeCode();
    const good = {
      code: 'AUTUMN',
      percent: 20,
      months: 3,
      toolIds: null,
      lastDay: inDays(1),
      mostRedemptions: 3,
      reason: 'x',
    };
    for (const [change, field] of [
      [{ code: 'a-b' }, 'code'],
      [{ code }, 'code'],
      [{ percent: 0 }, 'percent'],
      [{ percent: 12.5 }, 'percent'],
      [{ months: 25 }, 'months'],
      [{ toolIds: [] }, 'toolIds'],
      [{ toolIds: ['no-tool'] }, 'toolIds'],
      [{ toolIds: ['lost-money-ai'] }, 'toolIds'],
      [{ lastDay: inDays(-1) }, 'lastDay'],
      [{ startsOn: inDays(-1) }, 'startsOn'],
      [{ startsOn: inDays(2) }, 'lastDay'],
      [{ mostRedemptions: 0 }, 'mostRedemptions'],
      [{ reason: ' ' }, 'reason'],
    ] as const) {
      const { body } = await post('/api/admin/codes', { ...good, ...change }).expect(400);
      expect((body as { fields: object }).fields, JSON.stringify(change)).toHaveProperty([field]);
    }
    const both = await Promise.all([post('/api/admin/codes', good), post('/api/admin/codes', good)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});
