import { randomBytes } from 'node:crypto';
import { and, desc, eq, like } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { emailChanges, users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { secondFactors } from '#shared/schema/factors.ts';
import { mails } from '#shared/schema/notifications.ts';
import { teamInvitations } from '#shared/schema/teams.ts';
import { createTeam, createUser, type NewUser, password } from '#server/testing/factories.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { enrolApp } from '#server/testing/second-factor.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp({ PARTNER_EMAIL_DOMAINS: 'partner.example' });

const address = (domain = 'practice.example') => `moved-${randomBytes(4).toString('hex')}@${domain}`;
const codeIn = (answer: { body: unknown }) => (answer.body as { code?: string }).code;
const rowOf = async (id: string) => (await app.context.db.select().from(users).where(eq(users.id, id)))[0]!;
const linksTo = async (email: string, path: string) =>
  (
    await app.context.db
      .select()
      .from(mails)
      .where(and(eq(mails.toAddress, email), like(mails.textBody, `%${path}?token=%`)))
      .orderBy(desc(mails.createdAt))
  ).map(({ textBody }) => /token=([\w-]+)/.exec(textBody)![1]!);
const linkTo = async (email: string, path: string) => (await linksTo(email, path))[0];

const ask = (agent: Agent, email: string) => agent.post('/api/user/email-change').send({ email });
const confirm = (agent: Agent, token: string | undefined) => agent.post('/api/confirm-email-change').send({ token });
const undo = (token: string | undefined) => app.agent().post('/api/undo-email-change').send({ token });

/** Somebody who has asked for another address. */
async function asking(details: NewUser = {}, to = address()) {
  const { agent, user } = await app.signedIn(details);
  await ask(agent, to).expect(200);
  return { agent, user, to, token: await linkTo(to, '/change-email') };
}
/** Somebody who has moved to another address, with the link that undoes it. */
async function moved(details: NewUser = {}, to = address()) {
  const made = await asking(details, to);
  await confirm(made.agent, made.token).expect(200);
  return { ...made, undoToken: await linkTo(made.user.email, '/undo-email-change') };
}

describe('changing the address', () => {
  it('waits for the link mailed to the new address, and tells the old', async () => {
    const { agent, user, to, token } = await asking();
    expect((await agent.get('/api/user/email-change')).body).toMatchObject({ email: to });
    expect(await rowOf(user.id)).toMatchObject({ email: user.email });
    const subjects = (await app.context.db.select().from(mails).where(eq(mails.toAddress, user.email))).map(
      ({ subject }) => subject,
    );
    expect(subjects).toContain('Someone asked to change your email address');

    expect((await confirm(agent, token).expect(200)).body).toMatchObject({ email: to, emailVerified: true });
    expect((await agent.get('/api/user').expect(200)).body).toMatchObject({ email: to });
    expect((await agent.get('/api/user/email-change')).body).toBeNull();
    expect(await linkTo(user.email, '/undo-email-change')).toBeDefined();
    await app.agent().post('/api/login').send({ email: to, password }).expect(200);
    await app.agent().post('/api/login').send({ email: user.email, password }).expect(401);
    const actions = (await app.context.db.select().from(auditLog).where(eq(auditLog.subjectId, user.id))).map(
      ({ action }) => action,
    );
    expect(actions).toEqual(expect.arrayContaining(['account.email_change_asked', 'account.email_changed']));
  });

  it('is confirmed in a session of the account alone', async () => {
    const { agent, user, token } = await asking({}, address('partner.example'));
    const stranger = (await app.signedIn()).agent;
    for (const other of [app.agent(), stranger])
      expect(codeIn(await confirm(other, token).expect(403))).toBe('change_signed_in');
    expect(await rowOf(user.id)).toMatchObject({ email: user.email, membershipType: 'standard' });
    await confirm(agent, token).expect(200);
  });

  it('works once, of ten at once too; a newer request or a word ends the link', async () => {
    const { agent, token } = await asking();
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(agent, token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(400)]);

    const other = await asking();
    await ask(other.agent, address()).expect(200);
    expect(codeIn(await confirm(other.agent, other.token).expect(400))).toBe('email_link_invalid');
    await other.agent.delete('/api/user/email-change').expect(200);
    await other.agent.delete('/api/user/email-change').expect(404);
  });

  it('refuses an expired link', async () => {
    const { agent, user, token } = await asking();
    await app.context.db
      .update(emailChanges)
      .set({ expiresAt: app.context.now() })
      .where(eq(emailChanges.userId, user.id));
    await confirm(agent, token).expect(400);
  });

  it('refuses one’s own address, a taken one, and one that was taken meanwhile', async () => {
    const { agent, user, to, token } = await asking();
    expect((await ask(agent, user.email).expect(400)).body).toHaveProperty('fields.email');
    const other = await createUser(app.context);
    const refused = await ask(agent, other.email).expect(409);
    expect(refused.body).toMatchObject({
      code: 'email_taken',
      fields: { email: expect.stringContaining('Another account has this address.') },
    });
    await createUser(app.context, { email: to });
    expect(codeIn(await confirm(agent, token).expect(409))).toBe('email_taken');
    expect(await rowOf(user.id)).toMatchObject({ email: user.email });
  });

  it('gives an address that two want at once to one of them', async () => {
    const to = address();
    const [one, two] = [await asking({}, to), await asking({}, to)];
    const [tokenOfTwo, tokenOfOne] = await linksTo(to, '/change-email');
    const answers = await Promise.all([confirm(one.agent, tokenOfOne), confirm(two.agent, tokenOfTwo)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('is refused after five an hour', async () => {
    const { agent } = await app.signedIn();
    for (let i = 0; i < 5; i += 1) await ask(agent, address()).expect(200);
    await ask(agent, address()).expect(429);
  });
});

describe('what follows the address', () => {
  it('ends the reset link of the old mailbox', async () => {
    const { agent, user, token } = await asking();
    await app.agent().post('/api/forgot-password').send({ email: user.email }).expect(200);
    await app.context.queue.drain();
    const reset = { token: await linkTo(user.email, '/reset-password'), password: 'Brave-Otter-42' };
    await confirm(agent, token).expect(200);
    expect(codeIn(await app.agent().post('/api/reset-password').send(reset).expect(400))).toBe('reset_token_invalid');
    await agent.get('/api/user').expect(200);
  });

  it('the customers at Stripe, one’s own and that of one’s team', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const to = address();
    await ask(agent, to).expect(200);
    await confirm(agent, await linkTo(to, '/change-email')).expect(200);
    await app.context.queue.drain();
    const { stripeCustomerId } = await rowOf(user.id);
    expect(await app.context.payments.stripe.customers.retrieve(stripeCustomerId!)).toMatchObject({ email: to });
  });

  it('open invitations', async () => {
    const { agent, user, to, token } = await asking();
    const { team, ownerId } = await createTeam(app.context);
    const expiresAt = new Date(Date.now() + 3_600_000);
    const link = randomBytes(8).toString('hex');
    const invitation = { teamId: team.id, email: user.email, invitedById: ownerId, token: link, expiresAt };
    await app.context.db.insert(teamInvitations).values(invitation);
    await confirm(agent, token).expect(200);
    const [followed] = await app.context.db.select().from(teamInvitations).where(eq(teamInvitations.token, link));
    expect(followed).toMatchObject({ email: to });
  });

  it('trials: once per person, whatever the address', async () => {
    const { agent, user } = await app.signedIn();
    const trial = (browser: Agent) =>
      browser.post('/api/create-subscription').send({ toolId: 'fact-find-ai', trial: true });
    await trial(agent).expect(200);
    const to = address();
    await ask(agent, to).expect(200);
    await confirm(agent, await linkTo(to, '/change-email')).expect(200);
    const taken = await rowsOf(
      app,
      'select count(distinct identity)::int as n from trial_uses where subscription_id in (select id from tool_subscriptions where user_id = $1)',
      [user.id],
    );
    expect(taken).toEqual([{ n: 2 }]);
  });

  it('partner pricing, in and out', async () => {
    const { agent, user } = await moved({}, address('partner.example'));
    expect(await rowOf(user.id)).toMatchObject({ membershipType: 'shaw_partners' });
    const to = address();
    await ask(agent, to).expect(200);
    await confirm(agent, await linkTo(to, '/change-email')).expect(200);
    expect(await rowOf(user.id)).toMatchObject({ membershipType: 'standard' });
  });
});

describe('undoing it from the old address', () => {
  it('restores the address, ends sessions and factors of since then, and demands a new password', async () => {
    const { agent, user, to, undoToken } = await moved();
    await enrolApp(agent);
    await undo(undoToken).expect(200);
    expect(await rowOf(user.id)).toMatchObject({ email: user.email, emailVerified: true, hasSecondFactor: false });
    await agent.get('/api/user').expect(401);
    expect(await app.context.db.$count(secondFactors, eq(secondFactors.userId, user.id))).toBe(0);
    for (const email of [to, user.email]) await app.agent().post('/api/login').send({ email, password }).expect(401);
    const reset = await linkTo(user.email, '/reset-password');
    await app.agent().post('/api/reset-password').send({ token: reset, password: 'Brave-Otter-42' }).expect(200);
    const signedIn = await app.agent().post('/api/login').send({ email: user.email, password: 'Brave-Otter-42' });
    expect(signedIn.body).toMatchObject({ id: user.id });
    expect(codeIn(await undo(undoToken).expect(400))).toBe('email_link_invalid');
  });

  it('leaves the factor that was there four days before', async () => {
    const { agent, user } = await app.signedIn();
    await enrolApp(agent);
    const createdAt = new Date(Date.now() - 4 * 86_400_000);
    await app.context.db.update(secondFactors).set({ createdAt }).where(eq(secondFactors.userId, user.id));
    const to = address();
    await ask(agent, to).expect(200);
    await confirm(agent, await linkTo(to, '/change-email')).expect(200);
    await enrolApp(agent, 'Of the thief');
    await undo(await linkTo(user.email, '/undo-email-change')).expect(200);
    const left = await app.context.db.select().from(secondFactors).where(eq(secondFactors.userId, user.id));
    expect(left.map(({ name }) => name)).toEqual(['Phone']);
    expect(await rowOf(user.id)).toMatchObject({ hasSecondFactor: true });
  });

  it('reaches behind a second change', async () => {
    const { agent, user, undoToken } = await moved();
    const third = address();
    await ask(agent, third).expect(200);
    await confirm(agent, await linkTo(third, '/change-email')).expect(200);
    await undo(undoToken).expect(200);
    expect(await rowOf(user.id)).toMatchObject({ email: user.email });
  });

  it('keeps the old address for its owner meanwhile: nobody registers it or moves to it', async () => {
    const { user, undoToken } = await moved();
    const registration = { email: user.email, password: 'Brave-Otter-42', firstName: 'Sam', lastName: 'Lee' };
    expect(codeIn(await app.agent().post('/api/register').send(registration).expect(409))).toBe('email_taken');
    const other = (await app.signedIn()).agent;
    expect(codeIn(await ask(other, user.email).expect(409))).toBe('email_taken');
    const longAgo = new Date(app.context.now().getTime() - 73 * 3_600_000);
    await app.context.db.update(emailChanges).set({ confirmedAt: longAgo }).where(eq(emailChanges.userId, user.id));
    await undo(undoToken).expect(400);
    await app.agent().post('/api/register').send(registration).expect(201);
  });

  it('is not offered to an address that was never verified', async () => {
    const { undoToken } = await moved({ emailVerified: false });
    expect(undoToken).toBeUndefined();
  });
});
