import { desc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { passwordResetTokens, users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { mails, notifications } from '#shared/schema/notifications.ts';
import { createUser, password as oldPassword } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp({ TRUST_PROXY: 'loopback' });

const password = 'Brave-Otter-42';
const sentence = 'If an account exists with this email, you will receive password reset instructions.';
let number = 0;
const from = () => `192.0.2.${(number += 1) % 250}`;
const forgot = (email: unknown, ip = from()) =>
  app.agent().post('/api/forgot-password').set('x-forwarded-for', ip).send({ email });
const reset = (body: object, ip = from()) =>
  app.agent().post('/api/reset-password').set('x-forwarded-for', ip).send(body);
const mailsTo = (email: string) =>
  app.context.db.select().from(mails).where(eq(mails.toAddress, email)).orderBy(desc(mails.createdAt));
const tokensOf = (userId: string) =>
  app.context.db.select().from(passwordResetTokens).where(eq(passwordResetTokens.userId, userId));
const rowOf = async (id: string) => (await app.context.db.select().from(users).where(eq(users.id, id)))[0]!;
const tokenIn = (text: string) => /\/reset-password\?token=([\w-]{43})/.exec(text)![1]!;

/** The token of the link mailed to this address now. */
async function linkFor(email: string, ip = from()): Promise<string> {
  await forgot(email, ip).expect(200);
  await app.context.queue.drain();
  return tokenIn((await mailsTo(email))[0]!.textBody);
}

describe('POST /api/forgot-password', () => {
  it('mails a link in HTML and text, of which only the hash is stored, for an hour', async () => {
    const user = await createUser(app.context, { firstName: '<b>Mia' });
    const answer = await forgot(` ${user.email.toUpperCase()} `).expect(200);
    expect(answer.body).toEqual({ message: sentence });
    await app.context.queue.drain();
    const [mail] = await mailsTo(user.email);
    expect(mail).toMatchObject({ subject: 'Reset your Adviserly password', kind: 'password-reset' });
    const token = tokenIn(mail!.textBody);
    expect(tokenIn(mail!.htmlBody)).toBe(token);
    expect(mail!.htmlBody).toContain('&lt;b&gt;Mia');
    const [row] = await tokensOf(user.id);
    expect(row!.token).toMatch(/^[0-9a-f]{64}$/);
    expect(row!.expiresAt.getTime() - row!.createdAt.getTime()).toBe(3_600_000);
  });

  it('answers the same for an unknown and a closed account, and mails nobody', async () => {
    const closed = await createUser(app.context, { closedAt: new Date() });
    for (const email of ['nobody@practice.example', closed.email]) {
      expect((await forgot(email).expect(200)).body).toEqual({ message: sentence });
      await app.context.queue.drain();
      expect(await mailsTo(email)).toHaveLength(0);
    }
  });

  it('does the same work for a known and an unknown address: one job, nothing written or mailed by the request', async () => {
    const user = await createUser(app.context);
    const jobs = async () =>
      Number(
        (await app.context.db.$client.query(`select count(*) from pgboss.job where name = 'mail-reset-link'`)).rows[0]
          .count,
      );
    for (const email of [user.email, 'stranger@practice.example']) {
      const before = await jobs();
      await forgot(email).expect(200);
      expect(await jobs()).toBe(before + 1);
      expect(await mailsTo(email)).toHaveLength(0);
    }
    expect(await tokensOf(user.id)).toHaveLength(0);
  });

  it.each(['limited@practice.example', 'known'])(
    'Limits: allows three an hour, address and origin, known or not: %s',
    async (kind) => {
      const email = kind === 'known' ? (await createUser(app.context)).email : kind;
      const ip = from();
      for (let i = 0; i < 3; i += 1) await forgot(email, ip).expect(200);
      const answer = await forgot(email.toUpperCase(), ip).expect(429);
      expect(answer.body).toMatchObject({ code: 'rate_limited' });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3500);
    },
  );

  it('Limits: one origin has twenty, whatever the addresses', async () => {
    const ip = from();
    for (let i = 0; i < 20; i += 1) await forgot(`many-${i}@practice.example`, ip).expect(200);
    await forgot('many-20@practice.example', ip).expect(429);
  });

  it('Limits: does not count an office’s colleagues who use their links, whatever their number', async () => {
    const office = from();
    for (let colleague = 0; colleague < 22; colleague += 1) {
      const { email } = await createUser(app.context);
      await reset({ token: await linkFor(email, office), password }, office).expect(200);
    }
    for (let strange = 0; strange < 20; strange += 1) await forgot(`a${strange}@office.example`, office).expect(200);
    await forgot('a20@office.example', office).expect(429);
  });

  it('lets others use up ten mails an hour, and none of the owner’s own', async () => {
    const { agent, user } = await app.signedIn();
    for (let i = 0; i < 10; i += 1) await forgot(user.email).expect(200);
    await forgot(user.email).expect(429);
    await agent.post('/api/forgot-password').send({ email: user.email }).expect(200);
  });

  it('names the fault of an address that is none', async () => {
    const answer = await forgot('not an address').expect(400);
    expect(answer.body).toMatchObject({ fields: { email: 'Please enter a valid email address' } });
  });

  it('supersedes older links, also when asked twice at once', async () => {
    const user = await createUser(app.context);
    const first = await linkFor(user.email);
    await Promise.all([forgot(user.email), forgot(user.email)]);
    await app.context.queue.drain();
    expect((await tokensOf(user.id)).filter((row) => !row.used)).toHaveLength(1);
    await reset({ token: first, password }).expect(400);
  });
});

describe('POST /api/reset-password', () => {
  it('sets the password, ends every session at once, tells the owner, and verifies the address', async () => {
    const { agent, user } = await app.signedIn({ emailVerified: false });
    const other = (await app.signIn(user.email)).agent;
    const token = await linkFor(user.email);
    const answer = await reset({ token, password }).expect(200);
    // The browser is now known, but not signed in.
    expect(answer.headers['set-cookie']).toEqual([expect.stringMatching(/^device=/)]);
    await agent.get('/api/user').expect(401);
    await other.get('/api/user').expect(401);
    const login = (given: string) => app.agent().post('/api/login').send({ email: user.email, password: given });
    await login(oldPassword).expect(401);
    await login(password).expect(200);
    expect(await rowOf(user.id)).toMatchObject({ authEpoch: 1, emailVerified: true, isAdmin: false });
    const subjects = (await mailsTo(user.email)).map(({ subject }) => subject);
    expect(subjects).toContain('Your Adviserly password was changed');
    const [notice] = await app.context.db.select().from(notifications).where(eq(notifications.userId, user.id));
    expect(notice).toMatchObject({ type: 'system_alert', title: 'Your password was changed' });
    const audited = await app.context.db.select().from(auditLog).where(eq(auditLog.subjectId, user.id));
    expect(audited).toContainEqual(expect.objectContaining({ action: 'account.password_reset', actorId: user.id }));
  });

  it('Reset, Invalid or expired: never works twice', async () => {
    const user = await createUser(app.context);
    const token = await linkFor(user.email);
    await reset({ token, password }).expect(200);
    const answer = await reset({ token, password: 'Another-Otter-43' }).expect(400);
    expect(answer.body).toMatchObject({ code: 'reset_token_invalid', message: 'Invalid or expired reset token' });
  });

  it('lets one of a hundred simultaneous uses win', async () => {
    const user = await createUser(app.context);
    const token = await linkFor(user.email);
    const answers = await Promise.all(Array.from({ length: 100 }, () => reset({ token, password })));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array<number>(99).fill(400)]);
    expect(await rowOf(user.id)).toMatchObject({ authEpoch: 1 });
  });

  it('Reset, Invalid or expired: refuses an expired token, by business time', async () => {
    const user = await createUser(app.context);
    const token = await linkFor(user.email);
    const set = (expiresAt: Date) =>
      app.context.db.update(passwordResetTokens).set({ expiresAt }).where(eq(passwordResetTokens.userId, user.id));
    await set(app.context.now());
    await reset({ token, password }).expect(400);
    await set(new Date(app.context.now().getTime() + 60_000));
    await reset({ token, password }).expect(200);
  });

  it('refuses the stored hash, another kind of token, and a closed account’s', async () => {
    const { agent, user } = await app.signedIn({ emailVerified: false });
    const token = await linkFor(user.email);
    await reset({ token: (await tokensOf(user.id))[0]!.token, password }).expect(400);
    await agent.post('/api/resend-verification').expect(200);
    const verification = /verify-email\?token=([\w-]+)/.exec((await mailsTo(user.email))[0]!.textBody)![1]!;
    await reset({ token: verification, password }).expect(400);
    await app.agent().post('/api/verify-email').set('x-forwarded-for', from()).send({ token }).expect(400);
    await app.context.db.update(users).set({ closedAt: new Date() }).where(eq(users.id, user.id));
    await reset({ token, password }).expect(400);
    expect((await rowOf(user.id)).password).toBe(user.password);
  });

  it.each([
    [{ password }, { token: 'Reset token is required' }],
    [{ token: '', password }, { token: 'Reset token is required' }],
    [{ token: 'x', password: 'Short1a' }, { password: 'Password must be at least 8 characters long' }],
    [{ token: 'x', password: 'lowercase-7' }, { password: 'Password must contain at least one uppercase letter' }],
    [{ token: 'x', password: 'UPPERCASE-7' }, { password: 'Password must contain at least one lowercase letter' }],
    [{ token: 'x', password: 'No-Numbers-Here' }, { password: 'Password must contain at least one number' }],
    [{ token: 'x', password: 'Password1' }, { password: 'This password is too common.' }],
    [{ token: 'x', password: `Aa1${'é'.repeat(998)}` }, { password: 'Password must be at most 1000 characters long' }],
    [{ token: 'x', password, isAdmin: true }, { isAdmin: 'Unknown field: isAdmin' }],
    [{ token: 'x', password, userId: 'y' }, { userId: 'Unknown field: userId' }],
  ])('names the fault of %j', async (body, fields) => {
    expect((await reset(body).expect(400)).body).toMatchObject({ code: 'invalid_input', fields });
  });

  it('refuses a password made of the owner’s name, and the link still works', async () => {
    const user = await createUser(app.context, { firstName: 'Philippa', lastName: 'Wong' });
    const token = await linkFor(user.email);
    const answer = await reset({ token, password: 'PhilippaWong1' }).expect(400);
    expect(answer.body).toMatchObject({ fields: { password: expect.stringContaining('easy to guess') } });
    await reset({ token, password }).expect(200);
  });

  it('is never resurrected: by a changed password, or by an account closed and registered anew', async () => {
    const { agent, user } = await app.signedIn();
    const before = await linkFor(user.email);
    await agent
      .post('/api/user/change-password')
      .send({ currentPassword: oldPassword, newPassword: 'Third-Otter-44' })
      .expect(200);
    await reset({ token: before, password }).expect(400);

    const open = await linkFor(user.email);
    await agent.post('/api/user/close-account').send({ password: 'Third-Otter-44' }).expect(200);
    const names = { firstName: 'Mia', lastName: 'Wong' };
    await app
      .agent()
      .post('/api/register')
      .set('x-forwarded-for', from())
      .send({ ...names, email: user.email, password: 'Fourth-Otter-45' })
      .expect(201);
    for (const token of [before, open]) await reset({ token, password }).expect(400);
    await app.agent().post('/api/login').send({ email: user.email, password: 'Fourth-Otter-45' }).expect(200);
  });

  it('keeps the link when the password is refused', async () => {
    const user = await createUser(app.context);
    const token = await linkFor(user.email);
    await reset({ token, password: 'Password1' }).expect(400);
    await reset({ token, password }).expect(200);
  });

  it.each(['a\0b', '\ud800', "' or 1=1 --", 'x'.repeat(43)])('refuses the token %j', async (token) => {
    expect((await reset({ token, password }).expect(400)).body).toMatchObject({ code: 'reset_token_invalid' });
  });

  it('Limits: failures per IP are 20 in 15 minutes, and successes do not count', async () => {
    const ip = from();
    await reset({ token: await linkFor((await createUser(app.context)).email), password }, ip).expect(200);
    for (let i = 0; i < 20; i += 1) await reset({ token: `guess-${i}`, password }, ip).expect(400);
    const token = await linkFor((await createUser(app.context)).email);
    await reset({ token, password }, ip).expect(429);
    await reset({ token, password }).expect(200);
  });

  it('leaves the password and the link as they were when the notice cannot be written', async () => {
    const user = await createUser(app.context);
    const token = await linkFor(user.email);
    await app.context.db.execute('alter table notifications rename to notifications_away');
    await reset({ token, password }).expect(500);
    await app.context.db.execute('alter table notifications_away rename to notifications');
    expect(await rowOf(user.id)).toMatchObject({ password: user.password, authEpoch: 0 });
    await reset({ token, password }).expect(200);
  });
});
