import { describe, expect, it } from 'vitest';
import { createTeam } from '#server/testing/factories.ts';
import { buy, DAY, passTime, rowsOf } from '#server/testing/purchases.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';
import { remindOfRenewals } from './reminders.ts';

const app = freshTestApp();

const days = async (count: number) => {
  for (let day = 0; day < count; day += 1) {
    await passTime(app, DAY);
    await remindOfRenewals(app.context);
  }
};
const trial = (agent: Agent, toolId: string) =>
  agent.post('/api/create-subscription').send({ toolId, trial: true }).expect(200);
const noticesOf = async (userId: string) =>
  (
    await rowsOf(
      app,
      `select title, message, action_url from notifications
       where user_id = $1 and dedupe_key like 'renewal:%' order by created_at`,
      [userId],
    )
  ).map((row) => row as { title: string; message: string; action_url: string });
const mailed = async (to: string) =>
  (
    await rowsOf(
      app,
      `select subject, text_body, headers from mails where to_address = $1 and kind in ('trial-ending', 'renewal-reminder') order by created_at`,
      [to],
    )
  ).map((row) => row as { subject: string; text_body: string; headers: Record<string, string> | null });

describe('reminders 7, 3 and 1 days before', () => {
  it('a trial without a card: three reminders, each once, of how it ends; none before and after', async () => {
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
      /^Your free trial of File Note AI ends on .+ Add a card to keep it for \$25\.00 a month/,
    );
    expect(notices[0]!.action_url).toBe('/dashboard?tab=billing');
    const mails = await mailed(user.email);
    expect(mails).toHaveLength(3);
    for (const mail of mails) {
      expect(mail.text_body).toContain('/unsubscribe?token=');
      expect(mail.headers).toHaveProperty('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click');
    }
  });

  it('a renewal: price, date and how to cancel; again in each period', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await days(30);
    const first = await mailed(user.email);
    expect(first).toHaveLength(3);
    expect(first[0]!.subject).toMatch(/^Risk Profile AI renews on \d+ \w+ \d{4}$/);
    expect(first[0]!.text_body).toMatch(/renews on .+ for \$30\.00\./);
    expect(first[0]!.text_body).toContain('choose Cancel before that day');
    await days(32);
    expect(await mailed(user.email)).toHaveLength(6);
  });

  it('a trial with a card says what will be charged', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'fact-find-ai');
    await trial(agent, 'pre-fill-ai');
    await days(24);
    const notice = (await noticesOf(user.id)).find(({ message }) => message.includes('Pre-Fill AI'));
    expect(notice?.message).toMatch(
      /It then continues for \$28\.50 a month, charged to your Visa •••• 4242 \(\$30\.00, Bulk discount \(5%\) −\$1\.50\)\.$/,
    );
  });

  it('follows the settings: days and channels', async () => {
    const { agent, user } = await app.signedIn();
    const settings = { emailReminders: false, reminderDays: [3], inAppNotifications: true };
    await agent.post('/api/reminder-settings').send(settings).expect(200);
    await trial(agent, 'file-note-ai');
    await days(30);
    expect(await noticesOf(user.id)).toHaveLength(1);
    expect(await mailed(user.email)).toHaveLength(0);
  });

  it('tells nobody of what costs nothing', async () => {
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    await agent.post('/api/create-subscription').send({ toolId: 'file-note-ai' }).expect(200);
    await days(30);
    expect(await noticesOf(user.id)).toEqual([]);
  });

  it('an end is announced like a renewal', async () => {
    const paid = await app.signedIn();
    await buy(app, paid.agent, 'risk-profile-ai');
    await paid.agent.patch('/api/subscriptions/risk-profile-ai/auto-renew').send({ autoRenew: false }).expect(200);
    await days(30);
    const notices = await noticesOf(paid.user.id);
    expect(notices.map(({ title }) => title)).toEqual(Array(3).fill('Your subscription ends soon'));
    expect(notices[0]!.message).toMatch(/^Risk Profile AI ends on .+ Nothing more is charged for it\.$/);
  });

  it('six tools on one day: one mail at 7, 3 and 1 days, with each price, the total, and what is charged', async () => {
    const { agent, user } = await app.signedIn();
    const tools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai', 'share-advice-ai', 'portfolio-ai'];
    for (const tool of tools) await buy(app, agent, tool);
    await days(31);
    const mails = await mailed(user.email);
    expect(mails).toHaveLength(3);
    const charges = await rowsOf(
      app,
      "select total_cents from invoices where user_id = $1 and issued_at > (select max(issued_at) from invoices where user_id = $1) - interval '1 day'",
      [user.id],
    );
    const total = charges.reduce((sum, row) => sum + Number(row['total_cents']), 0);
    expect(charges).toHaveLength(6);
    for (const { text_body } of mails) expect(text_body).toContain(`Together $${(total / 100).toFixed(2)}`);
  });

  it('a team: its name, and its own page', async () => {
    const { agent, user } = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: user.id, members: 2 });
    await agent
      .post('/api/create-subscription')
      .send({ toolId: 'file-note-ai', teamId: team.id, trial: true })
      .expect(200);
    await days(45);
    const notices = await noticesOf(user.id);
    expect(notices).toHaveLength(3);
    for (const { message, action_url } of notices) {
      expect(message).toContain(team.name);
      expect(action_url).toBe(`/teams?team=${team.id}&tab=billing`);
    }
  });
});
