import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { createAdmin, createUser } from '#server/testing/factories.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

const form = {
  email: ' First.Admin@Practice.example ',
  password: 'horse battery staple',
  firstName: 'Ada',
  lastName: 'Wong',
};
const email = 'first.admin@practice.example';
const path = '/api/setup-admin';
const adminsOf = (app: TestApp) => app.context.db.select().from(users).where(eq(users.isAdmin, true));

let app: TestApp;
afterEach(() => app.stop());

describe('POST /api/setup-admin in development', () => {
  beforeEach(async () => {
    app = await startTestApp();
  });

  it('makes one administrator, verified and complete, and answers with what the page shows', async () => {
    await app.agent().get(path).expect(200, { open: true });
    const answer = await app.agent().post(path).send(form).expect(201);
    expect(answer.body).toMatchObject({ email, password: form.password });
    expect(Object.keys(answer.body as object).toSorted()).toEqual(['email', 'message', 'note', 'password']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['set-cookie']).toBeUndefined();
    const [admin] = await adminsOf(app);
    expect(admin).toMatchObject({ email, emailVerified: true, profileCompleted: true, freeAccessGranted: false });
    const [audited] = await app.context.db.select().from(auditLog);
    expect(audited).toMatchObject({ action: 'account.admin_created', subjectId: admin!.id });
    expect(JSON.stringify(audited)).not.toMatch(/practice|horse/);
    const agent = app.agent();
    await agent.post('/api/login').send({ email, password: form.password }).expect(200);
    await agent.get('/api/admin/csrf-token').expect(200);

    await app.agent().get(path).expect(200, { open: false });
    const again = await app
      .agent()
      .post(path)
      .send({ ...form, email: 'second@practice.example' })
      .expect(409);
    expect(again.body).toMatchObject({ code: 'setup_done' });
  });

  it('one-time admin creation: makes one under twenty at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        app
          .agent()
          .post(path)
          .send({ ...form, email: `admin-${i}@practice.example` }),
      ),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
    expect(await adminsOf(app)).toHaveLength(1);
  });

  it('is closed where an administrator exists', async () => {
    await createAdmin(app.context);
    await app.agent().post(path).send(form).expect(409);
  });

  it('takes over nobody’s account', async () => {
    const user = await createUser(app.context, { email });
    const answer = await app.agent().post(path).send(form).expect(409);
    expect(answer.body).toMatchObject({ code: 'email_taken' });
    expect(await app.context.db.select().from(users)).toEqual([user]);
  });

  it.each([
    [{ email: '' }, { email: 'Please fill in all fields' }],
    [{ email: 'none' }, { email: 'Please enter a valid email address' }],
    [{ firstName: ' ' }, { firstName: 'Please fill in all fields' }],
    [{ lastName: undefined }, { lastName: 'Please fill in all fields' }],
    [{ password: '' }, { password: 'Please fill in all fields' }],
    [{ password: 'Eleven-char' }, { password: 'Password must be at least 12 characters long' }],
    [{ password: 'é'.repeat(1001) }, { password: 'Password must be at most 1000 characters long' }],
    [{ password: 'unbelievable' }, { password: 'This password is too common.' }],
    [{ isAdmin: false }, { isAdmin: 'Unknown field: isAdmin' }],
    [{ freeAccessGranted: true }, { freeAccessGranted: 'Unknown field: freeAccessGranted' }],
  ])('Admin setup: names the fault of %j', async (change, fields) => {
    const answer = await app
      .agent()
      .post(path)
      .send({ ...form, ...change })
      .expect(400);
    expect((answer.body as { fields: object }).fields).toEqual(fields);
    expect(await adminsOf(app)).toHaveLength(0);
  });
});

const production = {
  NODE_ENV: 'production',
  PAYMENTS: 'sandbox',
  LOG_LEVEL: 'silent',
  SESSION_SECRET: 'k3!vQz-7pWm#29xLr_Tg8sYd5nHb4cJf',
};

describe('POST /api/setup-admin in production', () => {
  it('is closed without a token of the server’s', async () => {
    app = await startTestApp(production);
    await app.agent().get(path).expect(200, { open: false });
    const answer = await app
      .agent()
      .post(path)
      .send({ ...form, setupToken: '' })
      .expect(403);
    expect(answer.body).toMatchObject({ code: 'setup_closed' });
    expect(await adminsOf(app)).toHaveLength(0);
  });

  it('needs the token, masks the password, and limits guesses', async () => {
    const token = 'a-setup-token-of-some-length';
    app = await startTestApp({ ...production, SETUP_TOKEN: token, TRUST_PROXY: 'loopback' });
    const send = (setupToken: string | undefined, ip: string) =>
      app
        .agent()
        .post(path)
        .set('x-forwarded-for', ip)
        .send({ ...form, setupToken });
    for (const wrong of [undefined, '', 'wrong', token.slice(1), `${token} `])
      await send(wrong, '192.0.2.1').expect(403);
    const answer = await send(token, '192.0.2.1').expect(201);
    expect(answer.body).toMatchObject({ email, password: '••••••••••••' });
    expect(answer.text).not.toContain(form.password);
    await send(token, '192.0.2.1').expect(409);
    for (let i = 0; i < 20; i += 1) await send(`guess-${i}`, '192.0.2.2').expect(403);
    await send(token, '192.0.2.2').expect(429);
  });
});
