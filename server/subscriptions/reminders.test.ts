import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, DAY, passTime, rowsOf } from '#server/testing/purchases.ts';
import { startTestApp, type Agent, type TestApp } from '#server/testing/test-app.ts';
import { remindOfRenewals } from './reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const days = async (count: number) => {
  for (let day = 0; day < count; day += 1) {
    await passTime(app, DAY);
    await remindOfRenewals(app.context);
  }
};
const trial = (agent: Agent, toolId: string) =>
  agent.post('/api/create-subscription').send({ toolId, trial: true }).expect(200);
const told = async (userId: string) =>
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

describe('B §9: reminders 7, 3 and 1 days before', () => {
  it('a trial without a card: told three times, each once, how it ends; silent before and after', async () => {
    const { agent, user } = await app.signedIn();
    await trial(agent, 'file-note-ai');
    await days(21);
    expect(await told(user.id)).toEqual([]);
    await days(2);
    expect(await told(user.id)).toHaveLength(1);
    await Promise.all([remindOfRenewals(app.context), remindOfRenewals(app.context)]);
    expect(await told(user.id)).toHaveLength(1);
    await days(10);
    const notices = await told(user.id);
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

  it('a renewal: price, date and how to cancel; in each period anew', async () => {
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
    const notice = (await told(user.id)).find(({ message }) => message.includes('Pre-Fill AI'));
    expect(notice?.message).toMatch(/It then continues for \$28\.50 a month, charged to your card\.$/);
  });

  it('follows the settings: days and channels', async () => {
    const { agent, user } = await app.signedIn();
    const settings = { emailReminders: false, reminderDays: [3], inAppNotifications: true };
    await agent.post('/api/reminder-settings').send(settings).expect(200);
    await trial(agent, 'file-note-ai');
    await days(30);
    expect(await told(user.id)).toHaveLength(1);
    expect(await mailed(user.email)).toHaveLength(0);
  });

  it('tells nobody whose subscription ends by itself, nor of what costs nothing', async () => {
    const { agent, user } = await app.signedIn({ freeAccessGranted: true });
    await agent.post('/api/create-subscription').send({ toolId: 'file-note-ai' }).expect(200);
    const paid = await app.signedIn();
    await buy(app, paid.agent, 'risk-profile-ai');
    await paid.agent.patch('/api/subscriptions/risk-profile-ai/auto-renew').send({ autoRenew: false }).expect(200);
    await days(30);
    expect(await told(user.id)).toEqual([]);
    expect(await told(paid.user.id)).toEqual([]);
  });
});
