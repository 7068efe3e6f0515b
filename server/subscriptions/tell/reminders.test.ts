import { describe, expect, it, vi } from 'vitest';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, confirm, DAY, giveCard, live, pass, passTime, rowsOf, shown } from '#server/testing/purchases.ts';
import { type Agent, freshTestApp } from '#server/testing/test-app.ts';
import { remindOfRenewals } from './jobs.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 300_000 });

const app = freshTestApp();

const days = async (count: number) => {
  for (let day = 0; day < count; day += 1) {
    await passTime(app, DAY);
    await remindOfRenewals(app.context);
  }
};
const trial = (agent: Agent, toolId: string, more: object = {}) =>
  agent
    .post('/api/create-subscription')
    .send({ toolId, trial: true, ...more })
    .expect(200);
const noticesOf = async (userId: string) =>
  (
    await rowsOf(
      app,
      `select title, message, action_url from notifications
       where user_id = $1 and dedupe_key like 'reminder:%' order by created_at`,
      [userId],
    )
  ).map((row) => row as { title: string; message: string; action_url: string });
type Mail = { kind: string; subject: string; text_body: string; headers: Record<string, string> | null };
const mailed = async (to: string) =>
  (await rowsOf(
    app,
    `select kind, subject, text_body, headers from mails where to_address = $1
     and kind in ('trial-ending', 'renewal-reminder', 'yearly-summary') order by created_at`,
    [to],
  )) as Mail[];
const subjects = async (to: string) => (await mailed(to)).map(({ subject }) => subject);

const settings = (agent: Agent, more: object) =>
  agent
    .post('/api/reminder-settings')
    .send({ emailReminders: true, reminderDays: [7, 3, 1], inAppNotifications: true, ...more })
    .expect(200);
const silent = { emailReminders: false, inAppNotifications: false };

describe('reminders 7, 3 and 1 days before', () => {
  it('tell of a trial without a card three times, each once, how it ends, and never before or after', async () => {
    const { agent, user } = await app.signedIn();
    await trial(agent, 'file-note-ai');
    await days(21);
    expect(await noticesOf(user.id)).toEqual([]);
    await days(2);
    expect(await noticesOf(user.id)).toHaveLength(1);
    await Promise.all([remindOfRenewals(app.context), remindOfRenewals(app.context)]);
    expect(await noticesOf(user.id)).toHaveLength(1);
    await days(10);
    const notices = await noticesOf(user.id);
    expect(notices.map(({ title }) => title)).toEqual(Array(3).fill('Your free trial is ending'));
    expect(notices[0]!.message).toMatch(
      /^Your free trial of File Note AI ends on .+ Add a card to keep it for \$25\.00 a month, GST included/,
    );
    expect(notices[0]!.action_url).toBe('/dashboard?tab=billing');
    const mails = await mailed(user.email);
    expect(mails).toHaveLength(3);
    for (const mail of mails) {
      expect(mail.text_body).toContain('/unsubscribe?token=');
      expect(mail.headers).toHaveProperty('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click');
    }
  });

  it('tell of a bill first amount, card and day, then each tool and how to stop, and again in each period', async () => {
    const { agent, user } = await app.signedIn();
    for (const tool of ['risk-profile-ai', 'fact-find-ai']) await buy(app, agent, tool);
    await days(31);
    const expected = ['In 7 days', 'In 3 days', 'Tomorrow'].map((when) => `${when}: $76.00 to Visa 4242`);
    expect(await subjects(user.email)).toEqual(expected);
    const [first] = await mailed(user.email);
    expect(first!.text_body).toMatch(/We’ll charge \$76\.00 to your Visa •••• 4242 on \d+ \w+ \d{4}, in 7 days\./);
    expect(first!.text_body).toMatch(/^Risk Profile AI +\$28\.50\n {2}\$30\.00, Bulk discount \(5%\) −\$1\.50$/m);
    expect(first!.text_body).toMatch(/choose Cancel by \d+ \w+ \d{4}\./);
    await days(32);
    expect(await subjects(user.email)).toEqual([...expected, ...expected]);
  });

  it('make up for a missed run, once', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const { endDate } = (await shown(agent, 'risk-profile-ai'))!;
    await passTime(app, new Date(endDate!).getTime() - app.context.now().getTime() - 5 * DAY);
    for (let run = 0; run < 2; run += 1) await remindOfRenewals(app.context);
    await days(1);
    expect(await subjects(user.email)).toEqual(['In 5 days: $30.00 to Visa 4242']);
  });

  it('follow the settings of days and channels', async () => {
    const { agent, user } = await app.signedIn();
    await settings(agent, { emailReminders: false, reminderDays: [3] });
    await trial(agent, 'file-note-ai');
    await days(30);
    expect(await noticesOf(user.id)).toHaveLength(1);
    expect(await mailed(user.email)).toHaveLength(0);
  });

  it('tell nobody of what costs nothing', async () => {
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    await agent.post('/api/create-subscription').send({ toolId: 'file-note-ai' }).expect(200);
    await days(30);
    expect(await noticesOf(user.id)).toEqual([]);
  });

  it('announce an end like a renewal', async () => {
    const paid = await app.signedIn();
    await buy(app, paid.agent, 'risk-profile-ai');
    await paid.agent.patch('/api/subscriptions/risk-profile-ai/auto-renew').send({ autoRenew: false }).expect(200);
    await days(31);
    const notices = await noticesOf(paid.user.id);
    expect(notices.map(({ title }) => title)).toEqual(Array(3).fill('Your subscription ends soon'));
    expect(notices[0]!.message).toMatch(/^Risk Profile AI ends on .+ Nothing more is charged for it\.$/);
  });

  it('name with a day what ends on it', async () => {
    const { agent, user } = await app.signedIn();
    await trial(agent, 'file-note-ai');
    await days(2);
    await trial(agent, 'fact-find-ai');
    await days(31);
    const endOf = async (toolId: string) => formatSydneyDate(new Date((await shown(agent, toolId))!.trialEndDate!));
    const [first, second] = [await endOf('file-note-ai'), await endOf('fact-find-ai')];
    expect(first).not.toBe(second);
    for (const subject of await subjects(user.email))
      expect([`Trial of File Note AI ends on ${first}`, `Trial of Fact Find AI ends on ${second}`]).toContain(subject);
  });

  it('name the team, and lead to its own page', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
    await trial(agent, 'file-note-ai', { teamId: team.id });
    await days(45);
    const notices = await noticesOf(user.id);
    expect(notices).toHaveLength(3);
    for (const { message, action_url } of notices) {
      expect(message).toContain(team.name);
      expect(action_url).toBe(`/teams?team=${team.id}&tab=billing`);
    }
  });
});

describe('the mails that no setting switches off', () => {
  it('tell a week before that a trial turns paid, with price and card', async () => {
    const { agent, user } = await app.signedIn();
    await settings(agent, silent);
    await giveCard(app, agent);
    await trial(agent, 'file-note-ai');
    await live(app, 29 * DAY);
    const [mail, ...others] = await mailed(user.email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'trial-ending', subject: 'In 7 days: $25.00 to Visa 4242', headers: null });
    expect(mail!.text_body).toMatch(/Your free trial of File Note AI ends on .+; this is the first bill with it\./);
    expect(mail!.text_body).toMatch(/choose Cancel (today|by \d+ \w+ \d{4})\./);
    await live(app, 2 * DAY);
    expect(await rowsOf(app, 'select total_cents from bills where user_id = $1', [user.id])).toEqual([
      { total_cents: 2500 },
    ]);
  });

  it('tell a week before the first bill without it that a discount runs out', async () => {
    const { agent, user } = await app.signedIn();
    await trial(agent, 'file-note-ai');
    await live(app, 31 * DAY);
    await settings(agent, silent);
    const offer = { toolId: 'file-note-ai', offerId: 'monthly_restart', discountPercentage: 15 };
    const { body } = await agent.post('/api/resubscribe').send(offer).expect(200);
    await confirm(app, body.clientSecret as string, 'pm_card_visa');
    await agent.post('/api/subscriptions/file-note-ai/sync').send({}).expect(200);
    const before = (await mailed(user.email)).length;
    await live(app, 30 * DAY);
    const [mail, ...others] = (await mailed(user.email)).slice(before);
    expect(others).toEqual([]);
    expect(mail!.subject).toBe('In 7 days: $25.00 to Visa 4242');
    expect(mail!.text_body).toContain('Your welcome back discount for File Note AI has run out');
  });

  it('tell once a year what one subscribes to', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await settings(agent, silent);
    for (let month = 0; month < 11; month += 1) await pass(app, (365 / 12) * DAY);
    await live(app, 40 * DAY);
    const [mail, ...others] = await mailed(user.email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'yearly-summary', headers: null });
    expect(mail!.text_body).toContain(
      'Once a year we list what you subscribe to: Risk Profile AI, $30.00 a month. It goes on until you cancel.',
    );
  });

  it('tell it once a year, and not again in the later reminders of that bill', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    for (let month = 0; month < 11; month += 1) await pass(app, (365 / 12) * DAY);
    await live(app, 40 * DAY);
    const mails = await mailed(user.email);
    expect(mails.slice(-3).map(({ subject }) => subject)).toEqual(
      ['In 7 days', 'In 3 days', 'Tomorrow'].map((when) => `${when}: $30.00 to Visa 4242`),
    );
    const yearly = mails.filter(({ text_body }) => text_body.includes('Once a year'));
    expect(yearly.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['yearly-summary', 'In 7 days: $30.00 to Visa 4242'],
    ]);
  });

  it('tell a payer without a card on each day how to add one', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await settings(agent, { ...silent, reminderDays: [] });
    for (let day = 0; day < 31; day += 1) {
      await passTime(app, DAY);
      await rowsOf(app, 'update users set card_last4 = null, card_brand = null where id = $1', [user.id]);
      await remindOfRenewals(app.context);
    }
    const mails = await mailed(user.email);
    expect(mails.map(({ subject }) => subject)).toEqual(
      ['In 7 days', 'In 3 days', 'Tomorrow'].map((when) => `${when}: $30.00, and there is no card`),
    );
    for (const { text_body } of mails) {
      expect(text_body).toContain('There is no card on file; please add one on your Billing tab.');
      expect(text_body).toContain('Add a card:');
    }
  });
});
