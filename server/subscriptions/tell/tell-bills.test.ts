import { describe, expect, it, vi } from 'vitest';
import type { Forecast, ToldBill } from '#shared/api/billing.ts';
import { formatCalendarDay } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, DAY, live, pass, passTo, rowsOf } from '#server/testing/purchases.ts';
import { type Agent, freshTestApp } from '#server/testing/test-app.ts';
import { freeAccessChanged } from '../change/free-access.ts';
import { tellBills } from './jobs.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 300_000 });

const app = freshTestApp();
const HOUR = DAY / 24;
type Mail = { kind: string; subject: string; text: string };

/** The mails about money, the oldest first. */
const mailsTo = async (to: string, ...kinds: string[]) =>
  (
    (await rowsOf(
      app,
      'select kind, subject, text_body as text from mails where to_address = $1 order by created_at, id',
      [to],
    )) as Mail[]
  ).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
const forecast = async (agent: Agent, teamId?: string) =>
  (await agent.get(`/api/billing/forecast${teamId ? `?teamId=${teamId}` : ''}`).expect(200)).body as Forecast;
const coming = async (agent: Agent, teamId?: string) => (await forecast(agent, teamId)).bill!;

/** A practice with these tools, and how somebody joins it. */
async function practice(tools: string[], members = 2) {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id, name: 'Riverside Advice', members });
  for (const tool of tools) await buy(app, agent, tool, 'pm_card_visa', { teamId: team.id });
  await app.context.queue.drain();
  const join = async (firstName: string, lastName: string) => {
    const invited = await app.signedIn({ firstName, lastName });
    const body = { email: invited.user.email };
    const { body: invitation } = await agent.post(`/api/teams/${team.id}/invite`).send(body).expect(200);
    const token = new URL((invitation as { inviteUrl: string }).inviteUrl).searchParams.get('token')!;
    await invited.agent.post(`/api/invitations/${token}/accept`).send({}).expect(200);
    await app.context.queue.drain();
    return invited.user;
  };
  return { agent, user, team, join };
}

/** The amounts of a mail's table, whose last one is the total. */
const amountsIn = (text: string) =>
  [...text.matchAll(/^\S.*\s(−?)\$([\d,]+\.\d\d)$/gm)].map(
    ([, minus, amount]) => (minus ? -1 : 1) * Math.round(Number(amount!.replaceAll(',', '')) * 100),
  );

describe('a payer whose press has said what it does to the bill', () => {
  it('buys tools one after the other, and gets receipts and no other mail', async () => {
    const { agent, user } = await app.signedIn();
    for (const tool of ['risk-profile-ai', 'fact-find-ai', 'file-note-ai']) {
      await buy(app, agent, tool);
      await pass(app, 2 * DAY);
    }
    const mails = await mailsTo(user.email);
    expect(mails.map(({ kind }) => kind)).toEqual(['receipt', 'receipt', 'receipt']);
    const { totalCents, day } = await coming(agent);
    expect(totalCents).toBe(9450);
    expect(mails[2]!.text).toContain(`We’ll charge $94.50 to your Visa •••• 4242 on ${formatCalendarDay(day)}.`);
    expect(mails[2]!.text).toMatch(/choose Cancel by \d+ \w+ \d{4}\./);
  });

  it('can read it again, as it was told', async () => {
    const { agent } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await buy(app, agent, 'fact-find-ai');
    const { body } = await agent.get('/api/billing/told?page=1').expect(200);
    const { told } = body as { told: ToldBill[] };
    const bill = await coming(agent);
    expect(told.map(({ kind }) => kind)).toEqual(['receipt', 'receipt']);
    expect(told[0]).toMatchObject({ billAt: bill.at, totalCents: 7600, lines: bill.lines, parts: [], later: null });
    expect(told[0]!.paragraphs.join('\n')).toContain('We’ll charge $76.00 to your Visa •••• 4242');
    const other = await app.signedIn();
    expect((await other.agent.get('/api/billing/told?page=1').expect(200)).body).toMatchObject({ told: [] });
  });

  it('gets no more than twelve mails for three tools in two months, and each charge is as it was told', async () => {
    const { agent, user } = await app.signedIn();
    for (const tool of ['risk-profile-ai', 'fact-find-ai', 'file-note-ai']) await buy(app, agent, tool);
    await live(app, 62 * DAY);
    const mails = await mailsTo(user.email);
    expect(mails.length).toBeLessThanOrEqual(12);
    const subjects = mails.map(({ subject }) => subject);
    for (const when of ['In 7 days', 'In 3 days', 'Tomorrow'])
      expect(subjects.filter((one) => one === `${when}: $94.50 to Visa 4242`)).toHaveLength(2);
    expect(subjects.filter((one) => one === 'Receipt: $94.50 for three tools')).toHaveLength(2);
  });
});

describe('members', () => {
  it('who join over a month bring one mail for each day on which somebody joined, and are charged as told', async () => {
    const { agent, user, team, join } = await practice(['risk-profile-ai', 'fact-find-ai']);
    const days = [
      ['Hugh Lang'],
      ['Ben Cole', 'Cara Diaz', 'Dan Ek'],
      ['Eva Fox'],
      ['Gil Hay', 'Ida Jay'],
      ['Kim Lee'],
      ['Max Orr'],
    ];
    for (const names of days) {
      await live(app, 4 * DAY);
      for (const name of names) await join(...(name.split(' ') as [string, string]));
    }
    await live(app, 2 * DAY);
    const mails = await mailsTo(user.email, 'bill-changed');
    expect(mails).toHaveLength(days.length);
    for (const [index, names] of days.entries()) {
      for (const name of names) expect(mails[index]!.text).toContain(name);
      expect(mails[index]!.subject).toMatch(/^Riverside Advice: \$[\d,.]+ on \d+ \w+ \d{4}$/);
      expect(mails[index]!.text).toMatch(/ joined, \+\$[\d.]+ a month and \$[\d.]+ for \d+.*\d{4}\./);
    }
    const bill = await coming(agent, team.id);
    expect(mails.at(-1)!.subject).toBe(
      `Riverside Advice: ${formatCents(bill.totalCents)} on ${formatCalendarDay(bill.day)}`,
    );
    const amounts = amountsIn(mails.at(-1)!.text);
    expect(amounts.pop()).toBe(bill.totalCents);
    expect(amounts.reduce((sum, cents) => sum + cents, 0)).toBe(bill.totalCents);
    // Two tools and nine people, each with a row; a person's row names both tools with their amounts.
    expect(amounts).toHaveLength(2 + 9);
    for (const name of days.flat())
      expect(mails.at(-1)!.text).toMatch(
        new RegExp(`^${name}, .+\\n {2}[^,]+ AI \\$[\\d.]+, [^,]+ AI \\$[\\d.]+$`, 'm'),
      );
    await passTo(app, bill.at, 2 * HOUR);
    const receipt = (await mailsTo(user.email, 'receipt')).at(-1)!;
    expect(receipt.subject).toBe(`Receipt: ${formatCents(bill.totalCents)} for Riverside Advice`);
    expect(amountsIn(receipt.text)).toEqual([...amounts, bill.totalCents]);
    const [paid] = await rowsOf(app, 'select total_cents from invoices where team_id = $1 order by issued_at desc', [
      team.id,
    ]);
    expect(paid).toEqual({ total_cents: bill.totalCents });
  });

  // The bill is due at that time in Sydney: twelve hours before is a day of the month that it ends, or the day of the bill itself.
  it.each([
    ['the last day of a month', 6, / joined, \+\$30\.00 a month and \$[\d.]+ for /],
    ['the day of the bill', 18, / joined, \+\$30\.00 a month\./],
  ])('who join on %s are named before the bill is charged, also a second time', async (_day, hour, sentence) => {
    const sydneyHour = new Date(app.context.now().getTime() + 10 * HOUR).getUTCHours();
    await pass(app, ((hour - sydneyHour + 24) % 24) * HOUR);
    const { agent, user, team, join } = await practice(['risk-profile-ai']);
    await passTo(app, (await coming(agent, team.id)).at, -DAY / 2);
    for (const name of ['Hugh Lang', 'Ben Cole']) {
      await join(...(name.split(' ') as [string, string]));
      await Promise.all([tellBills(app.context), tellBills(app.context)]);
      const told = (await mailsTo(user.email, 'bill-changed')).at(-1)!;
      expect(told.text).toContain(`${name} joined`);
      expect(told.text).toMatch(sentence);
      expect(told.subject).toContain(formatCents((await coming(agent, team.id)).totalCents));
    }
    expect(await mailsTo(user.email, 'bill-changed')).toHaveLength(2);
  });

  it('who leave make the bill cheaper, which waits for the next day', async () => {
    const { agent, user, team, join } = await practice(['risk-profile-ai']);
    await live(app, 5 * DAY);
    // Midnight in UTC is the morning in Sydney, where all of this happens on one day.
    await passTo(app, new Date(Math.ceil(app.context.now().getTime() / DAY) * DAY));
    const hugh = await join('Hugh', 'Lang');
    await pass(app, HOUR);
    await agent.delete(`/api/teams/${team.id}/members/${hugh.id}`).expect(200);
    await pass(app, HOUR);
    expect(await mailsTo(user.email, 'bill-changed')).toHaveLength(1);
    await pass(app, DAY);
    const mails = await mailsTo(user.email, 'bill-changed');
    expect(mails).toHaveLength(2);
    expect(mails[1]!.text).toMatch(/Hugh Lang left, −\$30\.00 a month and −\$[\d.]+ for /);
  });
});

describe('free access', () => {
  const setFreeAccess = async (userId: string, granted: boolean) => {
    await rowsOf(app, 'update users set free_access_granted = $2 where id = $1', [userId, granted]);
    await freeAccessChanged(app.context, userId);
    await app.context.queue.drain();
  };
  it('makes the bill $0.00, which is told with the reason, and no receipt comes', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await setFreeAccess(user.id, true);
    await pass(app, DAY);
    const [told, ...others] = await mailsTo(user.email, 'bill-changed');
    expect(others).toEqual([]);
    expect(told!.subject).toMatch(/^Your bill of .+ is \$0\.00$/);
    expect(told!.text).toContain('You have been given free access.');
    await passTo(app, (await coming(agent)).at, 2 * HOUR);
    expect(await mailsTo(user.email, 'receipt')).toHaveLength(1);
  });
});
