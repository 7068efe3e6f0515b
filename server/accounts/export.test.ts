import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { accountExport, type AccountExport } from '#shared/api/account-export.ts';
import { seller } from '#shared/brand.ts';
import { emailChanges, users } from '#shared/schema/accounts.ts';
import { usageAnalytics } from '#shared/schema/analytics.ts';
import { adjustmentNotes, adjustments, billingAddresses, invoices } from '#shared/schema/billing.ts';
import { bookkeepers } from '#shared/schema/books.ts';
import { identities, rememberedDevices } from '#shared/schema/factors.ts';
import { mails, reminderSettings } from '#shared/schema/notifications.ts';
import { personalTables } from '#shared/schema/personal-data.ts';
import { sessionStatements, toolAsks, toolReviews } from '#shared/schema/record.ts';
import { trialUses } from '#shared/schema/subscriptions.ts';
import { recordPeople, teamInvitations } from '#shared/schema/teams.ts';
import { authTokens } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { trialIdentityOf } from '#server/payers/service.ts';
import { createRedeemedCode, createTeam } from '#server/testing/factories.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { enrolApp } from '#server/testing/second-factor.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();

const download = async (agent: Agent) => agent.get('/api/user/export').expect(200);

/** A person about whom every table knows something. */
async function known() {
  const { db } = app.context;
  const { agent, user } = await app.signedIn();
  const userId = user.id;
  await buy(app, agent, 'risk-profile-ai');
  await agent.post('/api/create-subscription').send({ toolId: 'fact-find-ai', trial: true }).expect(200);
  await createRedeemedCode(app.context, userId);
  await agent.post('/api/forgot-password').send({ email: user.email }).expect(200);
  await app.context.queue.drain();
  await agent
    .post('/api/user/change-password')
    .send({ currentPassword: 'Correct-Horse-7', newPassword: 'Brave-Otter-42' })
    .expect(200);
  await enrolApp(agent);
  await agent
    .post('/api/user/email-change')
    .send({ email: `next-${user.email}` })
    .expect(200);
  const { team } = await createTeam(app.context, { ownerId: userId });
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db.insert(teamInvitations).values({
    teamId: team.id,
    email: 'friend@practice.example',
    invitedById: userId,
    token: `inv-${userId}`,
    expiresAt,
  });
  await db
    .insert(billingAddresses)
    .values({ userId, line1: '1 Pitt Street', city: 'Sydney', state: 'NSW', postcode: '2000' });
  await db
    .insert(bookkeepers)
    .values({ userId, email: 'books@accountant.example', token: `books-${userId}`, askedAt: new Date() });
  const left = { firstName: 'Alex', lastName: 'Nguyen', email: user.email, leftAt: new Date() };
  await db.insert(recordPeople).values({ ...left, teamId: team.id, userId });
  await db.insert(reminderSettings).values({ userId, weeklyStatements: true });
  await db.update(users).set({ creditCents: 500 }).where(eq(users.id, userId));
  await db.insert(authTokens).values({
    userId,
    token: `key-${userId}`,
    toolId: 'risk-profile-ai',
    kind: 'api_key',
    lastFour: 'wxyz',
    expiresAt,
  });
  await db
    .insert(rememberedDevices)
    .values({ userId, token: `device-${userId}`, authEpoch: 0, device: 'Firefox on Windows', expiresAt });
  await db.insert(identities).values({ userId, provider: 'google', issuer: 'https://google.example', subject: userId });
  const [invoice] = await db.select().from(invoices).where(eq(invoices.userId, userId));
  const note = {
    invoiceId: invoice!.id,
    number: `CN-${userId}`,
    totalCents: 1100,
    gstCents: 100,
    issuedAt: new Date(),
  };
  await db.insert(adjustmentNotes).values({ ...note, providerId: `re_${userId}`, reason: 'Charged twice' });
  const part = {
    toolId: 'risk-profile-ai',
    toolName: 'Risk Profile AI',
    from: '2026-11-02',
    to: '2026-11-02',
    days: 1,
    periodEnd: new Date(),
    cents: -100,
  };
  await db.insert(adjustments).values([
    { ...part, cause: 'correction', userId },
    { ...part, cause: 'left', teamId: team.id, personId: userId, person: 'Alex Nguyen' },
  ]);
  const opened = { userId, toolId: 'risk-profile-ai', sessionId: userId, clientReference: 'F-1204' };
  const [session] = await db.insert(toolUsage).values(opened).returning();
  const stated = { sessionId: session!.id, checked: true, remark: 'Read twice', madeAt: new Date() };
  await db.insert(sessionStatements).values({ ...stated, userId });
  const review = { teamId: team.id, toolId: 'risk-profile-ai', remark: 'Fit for us', madeAt: new Date() };
  const ask = { teamId: team.id, toolId: 'file-note-ai', reason: 'For reviews', wasAllowed: true, askedAt: new Date() };
  await db.insert(toolAsks).values({ ...ask, userId });
  await db.insert(toolReviews).values({ ...review, userId });
  await db
    .insert(usageAnalytics)
    .values({ userId, toolId: 'risk-profile-ai', eventId: userId, performanceScore: '7.5' });
  return { agent, user };
}

it('the export is a download of everything held about oneself', async () => {
  const { agent, user } = await known();
  const answer = await download(agent);
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="?adviserly-export-\d{4}-\d\d-\d\d\.json"?$/,
  );
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['cache-control']).toBe('no-store');
  const { exportedAt, index, ...all } = answer.body as AccountExport;
  expect(index.find(({ title }) => title === 'Record of AI use')).toMatchObject({
    what: expect.stringContaining('the client reference (your file number for a client, never a name)'),
    seenBy:
      'You, the owner, the admins and the reviewers of your practice, the maker of a tool that you open for a client (only the file number and the purpose) and our administrators.',
    kept: expect.stringMatching(/^Seven years, longer while the practice has a legal hold;/) as string,
    sections: ['toolSessions', 'statements', 'accessTokens'],
  });
  const listed = new Set(index.flatMap(({ sections }) => sections));
  expect([...listed, 'card'].toSorted()).toEqual(Object.keys(all).toSorted());
  expect(new Date(exportedAt).getTime()).not.toBeNaN();
  expect(all.account).toMatchObject({ id: user.id, email: user.email, specializationAreas: ['Retirement Planning'] });
  expect(all.account.creditCents).toBe(500);
  expect(all.reminderSettings).toMatchObject({ weeklyStatements: true });
  expect(all.card).toMatchObject({ brand: 'visa', last4: '4242' });
  for (const [section, held] of Object.entries(all)) {
    expect(held, section).not.toBeNull();
    if (Array.isArray(held)) expect(held, section).not.toHaveLength(0);
  }
  expect(all.subscriptions.map((row) => row.toolId).toSorted()).toContain('risk-profile-ai');
  expect(all.trialsTaken).toMatchObject([{ toolId: 'fact-find-ai' }]);
  expect(all.adjustmentNotes).toMatchObject([{ reason: 'Charged twice', totalCents: 1100 }]);
  expect(all.adjustments.map(({ cause, cents }) => [cause, cents]).toSorted()).toEqual([
    ['correction', -100],
    ['left', null],
  ]);
  expect(all.invoices[0]?.buyer).toMatchObject({ name: 'Alex Nguyen', email: user.email });
  expect(all.accessTokens).toMatchObject([{ kind: 'api_key', lastFour: 'wxyz' }]);
});

it('the export shows every table that holds something of a person, or the declaration says why not', () => {
  const { exportedAt: _when, index: _map, card: _ofAccount, ...sections } = accountExport.shape;
  const declared = personalTables.flatMap(({ handling }) => ('exported' in handling ? [handling.exported] : []));
  expect([...new Set(declared)].toSorted()).toEqual(Object.keys(sections).toSorted());
});

it('the export holds no secret: no hash, token, link or provider id', async () => {
  const { agent, user } = await known();
  const { text } = await download(agent);
  const stored = await rowsOf(
    app,
    `select password as secret from users where id = $1
      union all select stripe_customer_id from users where id = $1
      union all select stripe_subscription_id from tool_subscriptions where user_id = $1 and stripe_subscription_id is not null
      union all select stripe_invoice_id from invoices where user_id = $1
      union all select sid from sessions where user_id = $1
      union all select public_id::text from sessions where user_id = $1
      union all select token from password_reset_tokens where user_id = $1
      union all select token from email_changes where user_id = $1
      union all select secret from second_factors where user_id = $1
      union all select code from recovery_codes where user_id = $1
      union all select token from remembered_devices where user_id = $1
      union all select identity from trial_uses`,
    [user.id],
  );
  expect(stored.length).toBeGreaterThan(7);
  for (const { secret } of stored) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/reset-password\?token|"password"|"token"|unsub|authEpoch|"sess"/);
});

it('the export tells nothing of anybody else', async () => {
  const { user: other } = await known();
  const { agent, user } = await app.signedIn({ profileCompleted: false });
  const { text, body } = await download(agent);
  expect(text).not.toContain(other.id);
  expect(text).not.toContain(other.email);
  const { account, exportedAt: _, index: _map, sessions, activity, ...rest } = body as AccountExport;
  expect(activity).toMatchObject([{ action: 'account.signed_in', byYou: true }]);
  expect(account.id).toBe(user.id);
  expect(sessions).toHaveLength(1);
  for (const held of Object.values(rest)) expect(held === null || (held as unknown[]).length === 0).toBe(true);
});

it('whoever has not shown that an address is theirs reads nothing that others sent to it', async () => {
  const { db } = app.context;
  const { user: payer } = await app.signedIn();
  const email = `books-${payer.id}@accountant.example`;
  const { team } = await createTeam(app.context, { ownerId: payer.id, name: 'Harbour' });
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db.insert(teamInvitations).values({ teamId: team.id, email, invitedById: payer.id, token: email, expiresAt });
  await db.insert(bookkeepers).values({ userId: payer.id, email, token: email, askedAt: new Date() });
  const copy = {
    toAddress: email,
    kind: 'bookkeeper-copy',
    subject: 'Tax invoice 1: $3.00',
    textBody: '',
    htmlBody: '',
  };
  await db.insert(mails).values({ ...copy, createdAt: new Date() });
  await db.insert(trialUses).values({ identity: trialIdentityOf(email), toolId: 'fact-find-ai' });
  const sentIn = async (agent: Agent) => {
    const { mails, invitations, bookkeepers, trialsTaken } = (await download(agent)).body as AccountExport;
    return [mails, invitations, bookkeepers, trialsTaken].map((rows) => rows.length);
  };
  const { agent, user } = await app.signedIn({ email, emailVerified: false });
  expect(await sentIn(agent)).toEqual([0, 0, 0, 0]);
  await db.update(users).set({ emailVerified: true }).where(eq(users.id, user.id));
  expect(await sentIn(agent)).toEqual([1, 1, 1, 1]);
});

it('the mails to a former address and to us are in the export', async () => {
  const { db } = app.context;
  const { agent, user } = await app.signedIn();
  const former = `former-${user.email}`;
  const at = new Date();
  const change = { userId: user.id, fromEmail: former, toEmail: user.email, confirmedAt: at, expiresAt: at };
  await db.insert(emailChanges).values({ ...change, token: former, undoToken: `undo-${former}` });
  const mail = { kind: 'receipt', subject: 'Your receipt', textBody: '', htmlBody: '' };
  await db.insert(mails).values({ ...mail, toAddress: former, createdAt: new Date(at.getTime() - 1000) });
  const letter = { name: 'Alex', email: user.email, topic: 'A tool', message: 'It does not open' };
  await agent.post('/api/contact').send(letter).expect(200);
  const { mails: held } = (await download(agent)).body as AccountExport;
  expect(held.map(({ toAddress }) => toAddress).toSorted()).toEqual([former, seller().supportEmail].toSorted());
});
