import { desc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { emailVerificationTokens, users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { mails } from '#shared/schema/notifications.ts';
import { type NewUser, password } from '#server/testing/factories.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp({ TRUST_PROXY: 'loopback', PARTNER_EMAIL_DOMAINS: 'partner.example' });

let number = 0;
const from = () => `192.0.2.${(number += 1)}`;
const verify = (token: unknown, agent: Agent = app.agent(), ip = from()) =>
  agent.post('/api/verify-email').set('x-forwarded-for', ip).send({ token });

async function mailedToken(email: string): Promise<string> {
  const [mail] = await app.context.db
    .select()
    .from(mails)
    .where(eq(mails.toAddress, email))
    .orderBy(desc(mails.createdAt))
    .limit(1);
  return /token=([\w-]+)/.exec(mail!.textBody)![1]!;
}

/** A signed-in, unverified adviser who asked for a link. */
async function unverified(details: NewUser = {}) {
  const { agent, user } = await app.signedIn({ emailVerified: false, ...details });
  await agent.post('/api/resend-verification').expect(200);
  return { agent, user, token: await mailedToken(user.email) };
}
const rowOf = async (id: string) => (await app.context.db.select().from(users).where(eq(users.id, id)))[0]!;

describe('POST /api/verify-email', () => {
  it('verifies once, in a session of the account', async () => {
    const { agent, user, token } = await unverified();
    const answer = await verify(token, agent).expect(200);
    expect(answer.body).toMatchObject({ id: user.id, emailVerified: true, membershipType: 'standard' });
    expect((await agent.get('/api/user').expect(200)).body).toMatchObject({ emailVerified: true });
    const audited = await app.context.db.select().from(auditLog).where(eq(auditLog.subjectId, user.id));
    expect(audited).toContainEqual(expect.objectContaining({ action: 'account.email_verified', actorId: user.id }));

    const again = await verify(token, agent).expect(400);
    expect(again.body).toMatchObject({ code: 'token_invalid', message: 'Invalid or expired verification token' });
  });

  it('an address registered by somebody else is not verified by its owner: no session, or another, changes nothing', async () => {
    const stranger = await unverified({ email: `victim-${Date.now()}@partner.example`, membershipType: 'standard' });
    const other = await app.signedIn();
    for (const agent of [undefined, other.agent]) {
      const answer = await verify(stranger.token, agent).expect(403);
      expect(answer.body).toMatchObject({ code: 'verify_signed_in' });
    }
    expect(await rowOf(stranger.user.id)).toMatchObject({ emailVerified: false, membershipType: 'standard' });
    await verify(stranger.token, stranger.agent).expect(200);
  });

  it('lets one of fifty simultaneous uses win', async () => {
    const { agent, token } = await unverified();
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(token, agent)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array<number>(49).fill(400)]);
  });

  it('refuses an expired token, by business time', async () => {
    const { agent, user, token } = await unverified();
    const set = (expiresAt: Date) =>
      app.context.db
        .update(emailVerificationTokens)
        .set({ expiresAt })
        .where(eq(emailVerificationTokens.userId, user.id));
    await set(app.context.now());
    await verify(token, agent).expect(400);
    expect((await rowOf(user.id)).emailVerified).toBe(false);
    await set(new Date(app.context.now().getTime() + 60_000));
    await verify(token, agent).expect(200);
  });

  it('lives 24 hours', async () => {
    const { user } = await unverified();
    const [row] = await app.context.db
      .select()
      .from(emailVerificationTokens)
      .where(eq(emailVerificationTokens.userId, user.id));
    expect(row!.expiresAt.getTime() - row!.createdAt.getTime()).toBe(24 * 3_600_000);
  });

  it('refuses the token of a closed account, also once its address is registered anew', async () => {
    const { agent, user, token } = await unverified();
    await agent.post('/api/user/close-account').send({ password }).expect(200);
    await verify(token).expect(400);
    const anew = app.agent();
    await anew
      .post('/api/register')
      .set('x-forwarded-for', from())
      .send({ email: user.email, password: 'Brave-Otter-42', firstName: 'Mia', lastName: 'Wong' })
      .expect(201);
    await verify(token).expect(400);
    expect((await anew.get('/api/user')).body).toMatchObject({ emailVerified: false });
  });

  it('refuses the stored hash, so that a leaked table opens nothing', async () => {
    const { user } = await unverified();
    const [row] = await app.context.db
      .select()
      .from(emailVerificationTokens)
      .where(eq(emailVerificationTokens.userId, user.id));
    await verify(row!.token).expect(400);
  });

  it.each([
    [undefined, 'Verification token is required'],
    ['', 'Verification token is required'],
    [42, 'Verification token is required'],
    ['x'.repeat(101), 'Verification token is required'],
  ])('names the fault of token %j', async (token, sentence) => {
    const answer = await verify(token).expect(400);
    expect((answer.body as { fields: object }).fields).toEqual({ token: sentence });
  });

  it.each(['a\0b', '\ud800', "' or 1=1 --"])('refuses the token %j', async (token) => {
    const answer = await verify(token).expect(400);
    expect(answer.body).toMatchObject({ code: 'token_invalid' });
  });

  it('changes nothing at a GET, as mail scanners send', async () => {
    const { user, token } = await unverified();
    await app.agent().get(`/api/verify-email?token=${token}`).expect(405);
    expect((await rowOf(user.id)).emailVerified).toBe(false);
  });

  it('limits tries per IP to 20 in 15 minutes, counting failures only', async () => {
    const ip = from();
    const { agent, token } = await unverified();
    await verify(token, agent, ip).expect(200);
    for (let i = 0; i < 20; i += 1) await verify(`guess-${i}`, agent, ip).expect(400);
    const another = await unverified();
    const answer = await verify(another.token, another.agent, ip).expect(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('partner membership', () => {
  it.each([
    ['a@partner.example', 'standard', 'shaw_partners'],
    ['b@partner.example', 'team', 'team'],
    ['c@other.example', 'standard', 'standard'],
    ['d@sub.partner.example', 'standard', 'standard'],
    ['e@notpartner.example', 'standard', 'standard'],
  ] as const)('%s, %s before: %s', async (email, before, after) => {
    const { agent, user, token } = await unverified({ email, membershipType: before });
    expect((await verify(token, agent).expect(200)).body).toMatchObject({ membershipType: after });
    expect((await rowOf(user.id)).membershipType).toBe(after);
  });
});

describe('POST /api/resend-verification', () => {
  it('supersedes the older link', async () => {
    const { agent, user, token } = await unverified();
    const answer = await agent.post('/api/resend-verification').expect(200);
    expect(answer.body).toEqual({ message: `A new verification link was sent to ${user.email}.` });
    await verify(token, agent).expect(400);
    await verify(await mailedToken(user.email), agent).expect(200);
  });

  it('leaves one live link when asked twice at once', async () => {
    const { agent, user } = await unverified();
    await Promise.all([agent.post('/api/resend-verification'), agent.post('/api/resend-verification')]);
    const live = await app.context.db
      .select()
      .from(emailVerificationTokens)
      .where(eq(emailVerificationTokens.userId, user.id));
    expect(live).toHaveLength(1);
  });

  it('is 409 once verified', async () => {
    const { agent } = await app.signedIn();
    const answer = await agent.post('/api/resend-verification').expect(409);
    expect(answer.body).toMatchObject({ code: 'already_verified' });
  });

  it('is limited to three an hour', async () => {
    const { agent } = await unverified();
    await agent.post('/api/resend-verification').expect(200);
    await agent.post('/api/resend-verification').expect(200);
    await agent.post('/api/resend-verification').expect(429);
  });
});
