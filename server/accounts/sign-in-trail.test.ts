import { desc, eq, or } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '#shared/schema/admin.ts';
import { mails } from '#shared/schema/notifications.ts';
import { auditOwnAccount } from '#server/audit/service.ts';
import { transaction } from '#server/platform/data/database.ts';
import { createLog } from '#server/platform/logs/log.ts';
import { createUser, password } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp({ TRUST_PROXY: 'loopback' });

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const rowsOf = (userId: string) =>
  app.context.db
    .select()
    .from(auditLog)
    .where(or(eq(auditLog.subjectId, userId), eq(auditLog.actorId, userId)))
    .orderBy(desc(auditLog.createdAt));
const actionsOf = async (userId: string) => (await rowsOf(userId)).map(({ action }) => action);
const login = (email: string, given: string, ip: string, browser = app.agent()) =>
  browser.post('/api/login').set({ 'x-forwarded-for': ip, 'user-agent': firefox }).send({ email, password: given });
const newDeviceMails = (email: string) => app.context.db.select().from(mails).where(eq(mails.toAddress, email));

describe('the audit log', () => {
  it('holds every sign-in, failure and sign-out, with account, device and address', async () => {
    const user = await createUser(app.context);
    const browser = app.agent();
    await login(user.email, 'Wrong-Horse-7', '198.51.100.1', browser).expect(401);
    await login(user.email, password, '198.51.100.1', browser).expect(200);
    await browser.post('/api/logout').expect(200);
    expect(await actionsOf(user.id)).toEqual(['account.signed_out', 'account.signed_in', 'account.sign_in_failed']);
    const [, signedIn, failed] = await rowsOf(user.id);
    const from = { ip: '198.51.100.1', device: 'Firefox on Linux', subjectId: user.id };
    expect(signedIn).toMatchObject({ ...from, actorId: user.id, after: { knownDevice: false } });
    expect(failed).toMatchObject({ ...from, actorId: null });
  });

  it('keeps a flood of wrong passwords to a few rows: five failures and one throttle per account and origin', async () => {
    const user = await createUser(app.context);
    for (let i = 0; i < 30; i += 1) await login(user.email, 'Wrong-Horse-7', '198.51.100.2');
    expect((await actionsOf(user.id)).toSorted()).toEqual([
      ...Array<string>(5).fill('account.sign_in_failed'),
      'account.sign_in_throttled',
    ]);
  });

  it('never holds what was typed as the address of an unknown account', async () => {
    await login('my-secret-password@practice.example', 'x', '198.51.100.3').expect(401);
    const rows = await app.context.db.select().from(auditLog).where(eq(auditLog.ip, '198.51.100.3'));
    expect(rows).toMatchObject([{ action: 'account.sign_in_failed', subjectId: null, after: { account: 'unknown' } }]);
  });

  it('holds refused calls of administrators and limits that were reached, three for each caller and call', async () => {
    const { agent, user } = await app.signedIn();
    for (let i = 0; i < 6; i += 1) await agent.get('/api/admin/users').expect(403);
    for (let i = 0; i < 16; i += 1)
      await agent.post('/api/user/change-password').send({ currentPassword: 'x', newPassword: 'Brave-Otter-42' });
    const refused = (await rowsOf(user.id)).filter(({ action }) => action.startsWith('refused.'));
    expect(refused.map(({ action, after }) => `${action} ${String(after?.['call'])}`)).toEqual([
      ...Array<string>(3).fill('refused.too_many POST /api/user/change-password'),
      ...Array<string>(3).fill('refused.administrators_call GET /api/admin/users'),
    ]);
  });

  it('gets a line of JSON for each row that was committed, and for no other', async () => {
    const user = await createUser(app.context);
    const lines: string[] = [];
    const log = createLog({ logLevel: 'info' }, { write: (line) => lines.push(line) });
    const record = (action: 'account.closed' | 'account.registered', fails: boolean) =>
      transaction(app.context.db, async (db) => {
        await auditOwnAccount({ ...app.context, log, db }, action, user.id);
        if (fails) throw new Error('undone');
      });
    await record('account.closed', true).catch(() => undefined);
    expect(lines).toEqual([]);
    await record('account.registered', false);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { msg: 'audit', level: 'info', audit: { action: 'account.registered', actorId: user.id, subjectId: user.id } },
    ]);
  });
});

describe('a person', () => {
  it('sees their own sign-ins and what others tried, and nobody else’s', async () => {
    const { agent, user } = await app.signedIn();
    await login(user.email, 'Wrong-Horse-7', '198.51.100.4').expect(401);
    await login((await createUser(app.context)).email, 'x', '198.51.100.5').expect(401);
    expect((await agent.get('/api/user/sign-ins').expect(200)).body).toMatchObject([
      { what: 'sign_in_failed', ip: '198.51.100.4', device: 'Firefox on Linux' },
      { what: 'signed_in' },
    ]);
  });

  it('is told by mail of a new browser, but not of the first, nor of one that is known', async () => {
    const { agent, user } = await app.signedIn();
    await agent.post('/api/logout').expect(200);
    await agent.post('/api/login').send({ email: user.email, password }).expect(200);
    expect(await newDeviceMails(user.email)).toHaveLength(0);
    await login(user.email, password, '198.51.100.6').expect(200);
    const [mail, ...others] = await newDeviceMails(user.email);
    expect(others).toHaveLength(0);
    expect(mail).toMatchObject({ kind: 'new-device', subject: 'New sign-in to your Adviserly account' });
    expect(mail!.textBody).toContain('Firefox on Linux, from 198.51.100.6');
  });
});
