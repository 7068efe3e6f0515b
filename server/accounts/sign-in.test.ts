import bcrypt from 'bcryptjs';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { createPasswords } from '#server/platform/crypto/passwords.ts';
import { createUser, password } from '#server/testing/factories.ts';
import { testApp } from '#server/testing/test-app.ts';
import { checkPassword } from './service.ts';

const app = testApp({ TRUST_PROXY: 'loopback' });

let number = 0;
const from = () => `198.51.100.${(number += 1)}`;
const login = (email: string, given: string, ip = from()) =>
  app.agent().post('/api/login').set('x-forwarded-for', ip).send({ email, password: given });

describe('POST /api/login', () => {
  it('answers the user, whatever the capitals and blanks around the address', async () => {
    const user = await createUser(app.context);
    const answer = await login(` ${user.email.toUpperCase()} `, password).expect(200);
    expect(answer.body).toMatchObject({ id: user.id, specializationAreas: ['Retirement Planning'] });
  });

  it('refuses a wrong password and an unknown address alike', async () => {
    const user = await createUser(app.context);
    const wrong = await login(user.email, 'Wrong-Horse-7').expect(401);
    const unknown = await login('nobody@practice.example', password).expect(401);
    for (const answer of [wrong, unknown]) {
      expect(answer.body).toMatchObject({ code: 'invalid_credentials', message: 'Invalid email or password.' });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it('refuses a closed account', async () => {
    const user = await createUser(app.context, { closedAt: new Date() });
    await login(user.email, password).expect(401);
  });

  it.each([
    ['NUL in the password', `${password}\0`],
    ['the password repeated behind a NUL, equal to bcrypt', `${password}\0${password}`],
    ['a password longer than bcrypt reads', `${password}${'x'.repeat(80)}`],
    ['another capital', password.toLowerCase()],
    ['a trailing blank', `${password} `],
  ])('refuses %s', async (_kind, given) => {
    const user = await createUser(app.context);
    await login(user.email, given).expect(401);
  });

  it('never matches the first 72 bytes of a longer password', async () => {
    const long = `Aa1${'z'.repeat(69)}`;
    const user = await createUser(app.context, { password: bcrypt.hashSync(long, 4) });
    await login(user.email, long).expect(200);
    await login(user.email, `${long}more`).expect(401);
  });

  it.each([
    [{}, { email: 'Please enter a valid email address', password: 'Password is required' }],
    [
      { email: 'a\0b@practice.example', password: [] },
      { email: 'Please enter a valid email address', password: 'Password is required' },
    ],
    [{ email: { $ne: '' }, password: 'x' }, { email: 'Please enter a valid email address' }],
  ])('names the faults of %j', async (body, fields) => {
    const answer = await app.agent().post('/api/login').send(body).expect(400);
    expect(answer.body).toMatchObject({ code: 'invalid_input', fields });
  });

  it('rehashes a password whose cost is old, and the password still works', async () => {
    const user = await createUser(app.context, { password: bcrypt.hashSync(password, 4) });
    const passwords = createPasswords({ cost: 5 });
    const caller = { actorId: null, ip: '192.0.2.1' };
    const actor = await checkPassword({ ...app.context, passwords, caller }, user.email, password);
    await passwords.close();
    expect(actor?.id).toBe(user.id);
    const [row] = await app.context.db.select().from(users).where(eq(users.id, user.id));
    expect(row!.password).toMatch(/^sha256:\$2[aby]\$05\$/);
    await login(user.email, password).expect(200);
  });

  it('does not count a try that our own fault ended', async () => {
    const user = await createUser(app.context);
    const passwords = createPasswords({ cost: 4, share: 0 });
    const caller = { actorId: null, ip: '192.0.2.2' };
    for (let i = 0; i < 12; i += 1)
      await expect(checkPassword({ ...app.context, passwords, caller }, user.email, password)).rejects.toMatchObject({
        code: 'busy',
      });
    await passwords.close();
    await login(user.email, password).expect(200);
  });
});

describe('Limits: sign-in', () => {
  it('refuses the eleventh try after ten failures per account and origin, even with the right password, and says when', async () => {
    const user = await createUser(app.context);
    const ip = from();
    for (let i = 0; i < 10; i += 1) await login(user.email, 'Wrong-Horse-7', ip).expect(401);
    const answer = await login(user.email.toUpperCase(), password, ip).expect(429);
    expect(answer.body).toMatchObject({
      code: 'rate_limited',
      message: 'Too many attempts. Please try again in 15 minutes.',
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(800);
    await login((await createUser(app.context)).email, password, ip).expect(200);
  });

  it('lets nobody lock an account out from elsewhere', async () => {
    const user = await createUser(app.context);
    const elsewhere = from();
    for (let i = 0; i < 11; i += 1) await login(user.email, 'Wrong-Horse-7', elsewhere);
    await login(user.email, password).expect(200);
  });

  it('stops guesses from a hundred origins, and keeps out no browser that signed in before', async () => {
    const user = await createUser(app.context);
    const browser = app.agent();
    const signIn = (given: string) => browser.post('/api/login').send({ email: user.email, password: given });
    await signIn(password).expect(200);
    for (let i = 0; i < 100; i += 1) await login(user.email, 'Wrong-Horse-7', `203.0.113.${i}`).expect(401);
    await login(user.email, password).expect(429);
    await browser.post('/api/logout').expect(200);
    await signIn(password).expect(200);
    // It has twenty tries of its own, one already used; after that it counts as a stranger.
    for (let i = 0; i < 19; i += 1) await signIn('Wrong-Horse-7').expect(401);
    await signIn(password).expect(429);
  });

  it('takes a browser as known to no account but its own, and believes no cookie of others', async () => {
    const [one, other] = [await createUser(app.context), await createUser(app.context)];
    const ip = from();
    const cookie = String((await login(one.email, password).expect(200)).headers['set-cookie']);
    const device = /device=[\w.-]+/.exec(cookie)![0];
    for (let i = 0; i < 10; i += 1) await login(other.email, 'x', ip).set('cookie', device).expect(401);
    await login(other.email, password, ip).set('cookie', device).expect(429);
    for (let i = 0; i < 10; i += 1) await login(one.email, 'x', ip).expect(401);
    await login(one.email, password, ip).set('cookie', device.replace('device=', 'device=x')).expect(429);
    await login(one.email, password, ip).set('cookie', device).expect(200);
  });

  it('lets exactly ten of forty simultaneous guesses of one origin look at the password', async () => {
    const user = await createUser(app.context);
    const ip = from();
    const answers = await Promise.all(Array.from({ length: 40 }, () => login(user.email, 'Wrong-Horse-7', ip)));
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(30);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
  });

  it.each([
    ['IPv4', (port: number) => `203.0.114.9:${port}`],
    ['IPv6', (port: number) => `[2001:db8:7:7::1]:${port}`],
  ])('counts one origin, whatever port a proxy adds to its %s address', async (_kind, origin) => {
    const user = await createUser(app.context);
    for (let i = 0; i < 10; i += 1) await login(user.email, 'x', origin(5000 + i)).expect(401);
    await login(user.email, password, origin(6000)).expect(429);
  });

  it('does not count successes', async () => {
    const user = await createUser(app.context);
    for (let i = 0; i < 15; i += 1) await login(user.email, password).expect(200);
  });

  it('counts a hundred failures per IP, IPv6 by its /64, and lets nobody use up the tries of others', async () => {
    const tries = Array.from({ length: 100 }, (_, i) => () => login(`guess-${i}@x.example`, 'x', `2001:db8:1:2::${i}`));
    for (const one of tries) await one().expect(401);
    const victim = await createUser(app.context);
    for (let i = 0; i < 12; i += 1) await login(victim.email, 'x', '2001:db8:1:2:ffff::1').expect(429);
    await login(victim.email, password, '2001:db8:1:3::1').expect(200);
  });
});

describe('GET /api/login', () => {
  it.each([
    ['/subscribe/risk-profile-ai?x=1#y', '/auth?returnTo=%2Fsubscribe%2Frisk-profile-ai%3Fx%3D1%23y'],
    ['/', '/auth?returnTo=%2F'],
    ['//evil.example', '/auth'],
    ['/\\evil.example', '/auth'],
    ['/\t/evil.example', '/auth'],
    ['/\r\nLocation: https://evil.example', '/auth'],
    ['https://evil.example', '/auth'],
    ['javascript:alert(1)', '/auth'],
    ['', '/auth'],
    [`/${'x'.repeat(3000)}`, '/auth'],
  ])('%j leads to %s', async (returnTo, location) => {
    const answer = await app.agent().get('/api/login').query({ returnTo }).redirects(0).expect(302);
    expect(answer.headers['location']).toBe(location);
  });

  it('drops a repeated returnTo, and needs none', async () => {
    const twice = await app.agent().get('/api/login?returnTo=/a&returnTo=/b').redirects(0).expect(302);
    expect(twice.headers['location']).toBe('/auth');
    const none = await app.agent().get('/api/login').redirects(0).expect(302);
    expect(none.headers['location']).toBe('/auth');
  });
});
