import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { emailVerificationTokens, users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { mails } from '#shared/schema/notifications.ts';
import { testApp } from '#server/testing/test-app.ts';

// The limit per IP would stop this file after ten registrations, so each comes from an IP of its own.
const app = testApp({ TRUST_PROXY: 'loopback' });
let number = 0;
const from = () => `203.0.113.${(number += 1)}`;
const form = (email: string) => ({ email, password: 'Brave-Otter-42', firstName: 'Mia', lastName: 'Wong' });
const register = (body: object, ip = from()) => app.agent().post('/api/register').set('x-forwarded-for', ip).send(body);
const rowsOf = async (email: string) => app.context.db.select().from(users).where(eq(users.email, email));

describe('POST /api/register', () => {
  it('creates the account, mails the link, writes the audit row and signs in', async () => {
    const agent = app.agent();
    const answer = await agent
      .post('/api/register')
      .set('x-forwarded-for', from())
      .send(form('  Mia.Wong@Practice.Example '))
      .expect(201);
    expect(answer.body).toMatchObject({
      email: 'mia.wong@practice.example',
      firstName: 'Mia',
      emailVerified: false,
      profileCompleted: false,
      isAdmin: false,
      membershipType: 'standard',
      professionalCredentials: [],
      specializationAreas: [],
    });
    for (const secret of ['password', 'stripeCustomerId', 'stripeSubscriptionId', 'authEpoch', 'cardLast4', 'closedAt'])
      expect(answer.body).not.toHaveProperty(secret);
    expect((await agent.get('/api/user').expect(200)).body).toEqual(answer.body);
    expect((await agent.get('/api/auth/user').expect(200)).body).toEqual(answer.body);

    const { id } = answer.body as { id: string };
    const [row] = await rowsOf('mia.wong@practice.example');
    expect(row!.password).toMatch(/^sha256:\$2[aby]\$/);
    const [mail] = await app.context.db.select().from(mails).where(eq(mails.toAddress, 'mia.wong@practice.example'));
    expect(mail!.subject).toBe('Verify your email address for Adviserly');
    const token = /\/verify-email\?token=([\w-]{43})/.exec(mail!.textBody)![1]!;
    expect(mail!.htmlBody).toContain(`/verify-email?token=${token}`);
    const [stored] = await app.context.db
      .select()
      .from(emailVerificationTokens)
      .where(eq(emailVerificationTokens.userId, id));
    expect(stored!.token).not.toBe(token);
    expect(stored!.token).toMatch(/^[0-9a-f]{64}$/);
    const audited = await app.context.db.select().from(auditLog).where(eq(auditLog.subjectId, id));
    expect(audited.map(({ action, actorId }) => [action, actorId]).toSorted()).toEqual([
      ['account.registered', id],
      ['account.signed_in', id],
    ]);
    expect(JSON.stringify(audited)).not.toContain('mia.wong');
  });

  it('Registration failure: refuses a second account for the same address, whatever its capitals', async () => {
    await register(form('taken@practice.example')).expect(201);
    const answer = await register(form('TAKEN@practice.example')).expect(409);
    expect(answer.body).toMatchObject({
      code: 'email_taken',
      message: 'An account with this email already exists.',
    });
  });

  it('lets one of twenty at once win, with one mail', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(form('race@practice.example'))));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
    const sent = await app.context.db.select().from(mails).where(eq(mails.toAddress, 'race@practice.example'));
    expect(sent).toHaveLength(1);
    expect(await rowsOf('race@practice.example')).toHaveLength(1);
  });

  it.each([
    ['Password1', 'This password is too common.'],
    [
      'Adviserly1',
      'This password is easy to guess. Please use more than your name, your email address or a common word.',
    ],
    [
      'Weak-2026',
      'This password is easy to guess. Please use more than your name, your email address or a common word.',
    ],
    ['Short1a', 'Password must be at least 8 characters long'],
    ['lowercase-7', 'Password must contain at least one uppercase letter'],
    ['UPPERCASE-7', 'Password must contain at least one lowercase letter'],
    ['No-Numbers-Here', 'Password must contain at least one number'],
    [`Aa1${'é'.repeat(998)}`, 'Password must be at most 1000 characters long'],
  ])('Register: refuses the password %s', async (password, sentence) => {
    const answer = await register({ ...form('weak@practice.example'), password }).expect(400);
    expect(answer.body).toMatchObject({ code: 'invalid_input', fields: { password: sentence } });
    expect(await rowsOf('weak@practice.example')).toHaveLength(0);
  });

  it.each(['Win at evil.com', 'evil。com', 'paypal-login.support', '\u202Egro', '\u200B\u2060'])(
    'refuses the name %j, which would stand in mails to others',
    async (firstName) => {
      const answer = await register({ ...form('phish@practice.example'), firstName }).expect(400);
      expect(answer.body).toMatchObject({ fields: { firstName: expect.stringMatching(/^Please|is required$/) } });
    },
  );

  it('names a field called hasOwnProperty', async () => {
    const answer = await register({ ...form('own@practice.example'), hasOwnProperty: 1 }).expect(400);
    expect(answer.body).toMatchObject({ fields: { hasOwnProperty: 'Unknown field: hasOwnProperty' } });
  });

  it('Register: names every missing field with its sentence', async () => {
    const answer = await register({}).expect(400);
    expect((answer.body as { fields: object }).fields).toEqual({
      email: 'Please enter a valid email address',
      password: 'Password must be at least 8 characters long',
      firstName: 'First name is required',
      lastName: 'Last name is required',
    });
  });

  it.each(['isAdmin', 'emailVerified', 'freeAccessGranted', 'membershipType', 'id', '__proto__x'])(
    'refuses the field %s',
    async (field) => {
      const answer = await register({ ...form('sly@practice.example'), [field]: true }).expect(400);
      expect((answer.body as { fields: object }).fields).toHaveProperty(field);
      expect(await rowsOf('sly@practice.example')).toHaveLength(0);
    },
  );

  it('keeps markup in a name as text in the mail', async () => {
    await register({ ...form('markup@practice.example'), firstName: '<img src=x>' }).expect(201);
    const [mail] = await app.context.db.select().from(mails).where(eq(mails.toAddress, 'markup@practice.example'));
    expect(mail!.htmlBody).not.toContain('<img');
    expect(mail!.htmlBody).toContain('&lt;img src=x&gt;');
  });

  it('Limits: is limited to ten per hour and address of origin', async () => {
    const ip = from();
    for (let i = 0; i < 10; i += 1) await register(form(`many-${i}@practice.example`), ip).expect(201);
    const answer = await register(form('many-10@practice.example'), ip).expect(429);
    expect(answer.body).toMatchObject({ code: 'rate_limited' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3500);
    await register(form('many-10@practice.example')).expect(201);
  });

  it.each([
    ['Computer2026', /much like a common password/],
    ['Internet1!', /much like a common password/],
    ['Chelsea123', /much like a common password/],
    ['PassWord1', /too common/],
    ['Practice1', /word of your trade/],
    ['Wealth2026', /word of your trade/],
    ['Planner2026', /word of your trade/],
    ['Superannuation1', /word of your trade/],
    [`A1${'x'.repeat(900)}`, /repeats a character/],
  ])('refuses %s, and says why', async (weak, why) => {
    const answer = await register({ ...form('weak@practice.example'), password: weak }).expect(400);
    expect((answer.body as { fields: { password: string } }).fields.password).toMatch(why);
  });

  it.each(['Brave-Otter-42', 'Correct-Horse-7', `Giraffe-2026-${'Quiet lake '.repeat(80)}`])(
    'takes %s',
    async (strong) => {
      await register({ ...form(`strong-${number}@practice.example`), password: strong }).expect(201);
    },
  );

  it('Limits: lets the thirteen colleagues of a practice in who verify their addresses, but thirty an hour at most (hypothesis#5652, mastodon#14253)', async () => {
    const ip = from();
    const colleague = async (n: number) => {
      const email = `colleague-${n}@practice.example`;
      const agent = app.agent();
      const answer = await agent.post('/api/register').set('x-forwarded-for', ip).send(form(email));
      if (answer.status !== 201) return answer.status;
      const [mail] = await app.context.db.select().from(mails).where(eq(mails.toAddress, email));
      const token = /token=([\w-]+)/.exec(mail!.textBody)![1];
      await agent.post('/api/verify-email').set('x-forwarded-for', ip).send({ token }).expect(200);
      return answer.status;
    };
    for (let n = 0; n < 30; n += 1) expect(await colleague(n)).toBe(201);
    expect(await colleague(30)).toBe(429);
  });

  it('leaves nothing behind when the mail cannot be queued', async () => {
    await app.context.db.execute('alter table mails rename to mails_away');
    await register(form('rollback@practice.example')).expect(500);
    await app.context.db.execute('alter table mails_away rename to mails');
    expect(await rowsOf('rollback@practice.example')).toHaveLength(0);
    await register(form('rollback@practice.example')).expect(201);
  });
});
