import { describe, expect, it } from 'vitest';
import { createUser } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';
import { notify } from './service.ts';
import { stopLinks, stopToken } from '#server/platform/stop-links.ts';
import { mailSubject } from '#server/platform/mail-subject.ts';

const app = testApp();

const defaults = {
  emailReminders: true,
  reminderDays: [7, 3, 1],
  inAppNotifications: true,
  weeklyStatements: false,
};

describe('GET and POST /api/reminder-settings', () => {
  it('the defaults are days 7, 3 and 1 on both channels', async () => {
    const { agent } = await app.signedIn();
    expect((await agent.get('/api/reminder-settings').expect(200)).body).toEqual(defaults);
  });

  it('keeps what was chosen, in one order', async () => {
    const { agent } = await app.signedIn();
    const chosen = { emailReminders: false, reminderDays: [1, 7], inAppNotifications: true };
    const expected = { ...chosen, reminderDays: [7, 1], weeklyStatements: false };
    expect((await agent.post('/api/reminder-settings').send(chosen).expect(200)).body).toEqual(expected);
    expect((await agent.get('/api/reminder-settings').expect(200)).body).toEqual(expected);
    await agent.post('/api/reminder-settings').send(defaults).expect(200);
    expect((await agent.get('/api/reminder-settings').expect(200)).body).toEqual(defaults);
  });

  it('what is left out stays, so that a dialog that was open before undoes nothing (fleet#885)', async () => {
    const { agent } = await app.signedIn();
    await agent
      .post('/api/reminder-settings')
      .send({ reminderDays: [3] })
      .expect(200);
    await agent.post('/api/reminder-settings').send({ emailReminders: false }).expect(200);
    const { body } = await agent.post('/api/reminder-settings').send({ weeklyStatements: true }).expect(200);
    expect(body).toEqual({ ...defaults, reminderDays: [3], emailReminders: false, weeklyStatements: true });
    await agent.post('/api/reminder-settings').send({}).expect(200, body);
  });

  it.each([
    ['another day', { ...defaults, reminderDays: [5] }, 'reminderDays.0'],
    ['a day as text', { ...defaults, reminderDays: ['7'] }, 'reminderDays.0'],
    ['too many days', { ...defaults, reminderDays: [7, 3, 1, 1] }, 'reminderDays'],
    ['a channel that is neither on nor off', { reminderDays: [7], emailReminders: null }, 'emailReminders'],
    ['somebody else', { ...defaults, userId: 'x' }, 'userId'],
  ])('refuses %s by name', async (_name, body, field) => {
    const { agent } = await app.signedIn();
    const answer = await agent.post('/api/reminder-settings').send(body).expect(400);
    expect(answer.body.fields).toHaveProperty([field]);
    expect((await agent.get('/api/reminder-settings')).body).toEqual(defaults);
  });

  it('two at once leave one of the two', async () => {
    const { agent } = await app.signedIn();
    const send = (days: number[]) => agent.post('/api/reminder-settings').send({ ...defaults, reminderDays: days });
    const answers = await Promise.all([send([7]), send([1])]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([[7], [1]]).toContainEqual((await agent.get('/api/reminder-settings')).body.reminderDays);
  });
});

describe('POST /api/unsubscribe', () => {
  const settings = async (email: string) =>
    (await (await app.signIn(email)).agent.get('/api/reminder-settings')).body as typeof defaults;

  it('ends reminder mails of the adviser whose token it is, signed out, and only mails', async () => {
    const [one, other] = [await createUser(app.context), await createUser(app.context)];
    const token = stopToken(app.context, 'unsubscribe', one.id);
    const answer = await app.agent().post('/api/unsubscribe').send({ token }).expect(200);
    expect(answer.body).toEqual({ message: "You won't get any more reminder emails." });
    await app.agent().post('/api/unsubscribe').send({ token }).expect(200);
    expect(await settings(one.email)).toEqual({ ...defaults, emailReminders: false });
    expect(await settings(other.email)).toEqual(defaults);
  });

  it('takes the one-click form that a mail programme sends (RFC 8058), whatever site it says to come from', async () => {
    const user = await createUser(app.context);
    const { oneClick } = stopLinks(app.context, 'unsubscribe', user.id);
    const { pathname, search } = new URL(oneClick);
    const post = app
      .agent()
      .post(pathname + search)
      .set('sec-fetch-site', 'cross-site')
      .type('form');
    await post.send({ 'List-Unsubscribe': 'One-Click' }).expect(200);
    expect((await settings(user.email)).emailReminders).toBe(false);
  });

  it('a GET changes nothing', async () => {
    const user = await createUser(app.context);
    const { pathname, search } = new URL(stopLinks(app.context, 'unsubscribe', user.id).oneClick);
    await app
      .agent()
      .get(pathname + search)
      .expect(405);
    expect(await settings(user.email)).toEqual(defaults);
  });

  it('refuses a token that is not ours: made up, of another adviser, cut, empty, none', async () => {
    const [one, other] = [await createUser(app.context), await createUser(app.context)];
    const signature = stopToken(app.context, 'unsubscribe', other.id).split('.')[1]!;
    for (const token of [
      'x',
      `${one.id}.${signature}`,
      stopToken(app.context, 'unsubscribe', one.id).slice(0, -1),
      `${one.id}.`,
    ])
      expect((await app.agent().post('/api/unsubscribe').send({ token }).expect(400)).body.code).toBe(
        'unsubscribe_invalid',
      );
    await app.agent().post('/api/unsubscribe').send({}).expect(400);
    await app.agent().post('/api/unsubscribe').send({ token: '' }).expect(400);
    expect(await settings(one.email)).toEqual(defaults);
  });

  it('is a link and a header in reminder mails, and in no other', async () => {
    const user = await createUser(app.context);
    const mail = { kind: 'renewal-reminder', subject: mailSubject`Renews` };
    const notice = { userId: user.id, type: 'subscription_renewal', title: 'A', message: 'B' } as const;
    await notify(app.context, { ...notice, dedupeKey: 'a', mail });
    await notify(app.context, {
      ...notice,
      dedupeKey: 'b',
      mail: { ...mail, subject: mailSubject`Receipt`, always: true },
    });
    await notify(app.context, {
      ...notice,
      type: 'system_alert',
      dedupeKey: 'c',
      mail: { ...mail, subject: mailSubject`Alert` },
    });
    const sent = (await app.context.db.$client.query('select * from mails where to_address = $1', [user.email]))
      .rows as {
      subject: string;
      headers: Record<string, string> | null;
      text_body: string;
      html_body: string;
    }[];
    const { page, oneClick } = stopLinks(app.context, 'unsubscribe', user.id);
    const reminder = sent.find(({ subject }) => subject === 'Renews')!;
    expect(reminder.headers).toEqual({
      'List-Unsubscribe': `<${oneClick}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(reminder.text_body).toContain(page);
    expect(reminder.html_body).toContain(page.replaceAll('&', '&amp;'));
    for (const other of sent.filter(({ subject }) => subject !== 'Renews')) {
      expect(other.headers).toBeNull();
      expect(other.text_body).not.toContain('unsubscribe');
    }
  });
});
