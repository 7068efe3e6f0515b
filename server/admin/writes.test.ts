import { and, desc, eq, like, ne } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { passwordGuessable } from '#shared/rules/people/accounts.ts';
import { contract } from '#shared/api/index.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { mails, notifications } from '#shared/schema/notifications.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { authTokens } from '#shared/schema/tools.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { newToken } from '#server/platform/crypto/tokens.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createUser, password } from '#server/testing/factories.ts';
import { hostile } from '#server/testing/house/hostile-values.ts';
import { buy, shown as shownTool } from '#server/testing/purchases.ts';
import { enrolApp } from '#server/testing/second-factor.ts';
import { testApp } from '#server/testing/test-app.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';

const tool = 'risk-profile-ai';

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
let secret: string;
beforeAll(async () => {
  admin = await administrator(app);
  secret = await makeSecret(app, tool);
});

const userRow = async (id: string) => (await app.context.db.select().from(users).where(eq(users.id, id)))[0]!;
const auditOf = (subjectId: string) =>
  app.context.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, subjectId), like(auditLog.action, 'admin.%')))
    .orderBy(desc(auditLog.createdAt));
const noticesOf = (userId: string) =>
  app.context.db.select().from(notifications).where(eq(notifications.userId, userId));
const mailsTo = (address: string) =>
  app.context.db
    .select()
    .from(mails)
    .where(and(eq(mails.toAddress, address), ne(mails.kind, 'new-device')));
const codeOf = (answer: { body: unknown }) => (answer.body as { code: string }).code;
const subscribe = (userId: string) =>
  app.context.db.insert(toolSubscriptions).values({ userId, toolId: tool, status: 'active', revision: 1 });

const writes = [...Object.entries(contract.admin), ...Object.entries(contract.oversight)]
  .map(([name, endpoint]) => [name, endpoint as Endpoint] as const)
  .filter(([, endpoint]) => endpoint.method !== 'GET');

describe.each(writes)('the administrator’s token of %s', (_name, api) => {
  const { method, path } = api;
  const id = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';
  const address = path.replace(':id', id);
  const send = (agent: typeof admin.agent, body: object, query = '') =>
    agent[method.toLowerCase() as 'post' | 'delete'](address + query).send(body);

  it('is required: it may be neither missing, foreign, old nor in the query', async () => {
    const other = await administrator(app);
    expect(codeOf(await send(admin.agent, {}).expect(403))).toBe('csrf_invalid');
    expect(codeOf(await send(admin.agent, { _csrf: other.csrfToken }).expect(403))).toBe('csrf_invalid');
    const query = `?_csrf=${encodeURIComponent(admin.csrfToken)}`;
    expect(codeOf(await send(admin.agent, {}, query).expect(403))).toBe('csrf_invalid');
    await other.agent.post('/api/login').send({ email: other.user.email, password }).expect(200);
    expect(codeOf(await send(other.agent, { _csrf: other.csrfToken }).expect(403))).toBe('csrf_invalid');
  });

  it('is accepted in the body, which is then checked without it', async () => {
    const answer = await send(admin.agent, { _csrf: admin.csrfToken, unknown: 1 }).expect(400);
    expect((answer.body as { fields: object }).fields).toHaveProperty('unknown');
  });

  it.each(hostile)('does not save a body with %s in every field', async (_kind, value) => {
    const fields = Object.keys((api.body as unknown as { shape: object }).shape);
    const body = Object.fromEntries(fields.map((field) => [field, value]));
    // Calls with no field pass the check of input, and ask for something that does not exist.
    const answer = await send(admin.agent, { ...body, _csrf: admin.csrfToken });
    expect(answer.status).toBe(fields.length > 0 ? 400 : 404);
  });

  it('helps nobody who is no administrator', async () => {
    const { agent } = await app.signedIn();
    const answer = await send(agent, { _csrf: admin.csrfToken }).expect(403);
    expect(answer.body).toMatchObject({ code: 'admin_required', message: 'Administrator access required.' });
    expect(codeOf(await send(app.agent(), { _csrf: admin.csrfToken }).expect(401))).toBe('unauthorized');
  });
});

describe('free access', () => {
  it('is granted and revoked, each with its audit row, notice and mail', async () => {
    const user = await createUser(app.context);
    const granted = await admin.post('/api/admin/grant-free-access', { userId: user.id }).expect(200);
    expect(granted.body).toEqual({ message: 'Free access granted' });
    expect((await userRow(user.id)).freeAccessGranted).toBe(true);
    await admin.post('/api/admin/revoke-free-access', { userId: user.id }).expect(200);
    expect((await userRow(user.id)).freeAccessGranted).toBe(false);
    expect(await auditOf(user.id)).toMatchObject([
      { action: 'admin.free_access_revoked', actorId: admin.user.id, after: { freeAccessGranted: false } },
      { action: 'admin.free_access_granted', actorId: admin.user.id, before: { freeAccessGranted: false } },
    ]);
    const titles = (await noticesOf(user.id)).map((notice) => notice.title);
    expect(titles.toSorted()).toEqual(['Free access ended', 'Free access granted']);
    expect(await mailsTo(user.email)).toHaveLength(2);
  });

  it('shows beforehand what becomes of each price', async () => {
    const { agent, user } = await app.signedIn();
    const ask = async () => (await admin.agent.get(`/api/admin/users/${user.id}/forecast`).expect(200)).body as object;
    expect(await ask()).toMatchObject({ bill: null, card: null, changes: [], toStart: [] });
    await buy(app, agent, tool);
    expect(await ask()).toMatchObject({
      bill: { totalCents: 3000 },
      card: { last4: '4242' },
      changes: [{ toolName: 'Risk Profile AI', fromCents: 3000, toCents: 0 }],
      toStart: [],
    });
    await admin.post('/api/admin/grant-free-access', { userId: user.id }).expect(200);
    await app.context.queue.drain();
    await agent.post('/api/create-subscription').send({ toolId: 'share-advice-ai' }).expect(200);
    const { changes, toStart } = (await ask()) as { changes: object[]; toStart: { monthlyCents: number }[] };
    // From the first bill that is thirty days away.
    expect(changes).toMatchObject([
      { toolName: 'Risk Profile AI', fromCents: 0, toCents: 2850 },
      { toolName: 'Share Advice AI', fromCents: 0, toCents: 3325 },
    ]);
    expect(toStart).toEqual([]);
    await admin.post('/api/admin/revoke-free-access', { userId: user.id }).expect(200);
    await app.context.queue.drain();
    expect(await shownTool(agent, tool)).toMatchObject({ baseCents: 3000, monthlyCents: 0 });
    expect(await ask()).toMatchObject({ bill: { totalCents: 0 }, later: { monthCents: 2850 + 3325 } });
    await admin.agent.get('/api/admin/users/6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b/forecast').expect(404);
  });

  it('gives seven days of grace to what was free once it is revoked; granted again, it goes on', async () => {
    const { agent, user } = await app.signedIn();
    await admin.post('/api/admin/grant-free-access', { userId: user.id }).expect(200);
    await agent.post('/api/create-subscription').send({ toolId: 'share-advice-ai' }).expect(200);
    const shown = async () => {
      await app.context.queue.drain();
      const { body } = await agent.get('/api/user/subscriptions').expect(200);
      return (body as { toolId: string }[]).find(({ toolId }) => toolId === 'share-advice-ai');
    };
    expect(await shown()).toMatchObject({ status: 'active', monthlyCents: 0 });
    await admin.post('/api/admin/revoke-free-access', { userId: user.id }).expect(200);
    expect(await shown()).toMatchObject({ status: 'grace_period', hasAccess: true });
    await admin.post('/api/admin/grant-free-access', { userId: user.id }).expect(200);
    expect(await shown()).toMatchObject({ status: 'active', monthlyCents: 0 });
  });

  it('is granted once, however many ask at the same time', async () => {
    const user = await createUser(app.context);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => admin.post('/api/admin/grant-free-access', { userId: user.id })),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(await auditOf(user.id)).toHaveLength(1);
    const again = await admin.post('/api/admin/grant-free-access', { userId: user.id }).expect(409);
    expect(again.body).toMatchObject({ code: 'already_free', message: 'This user already has free access.' });
  });

  it('is refused to an unknown or closed account', async () => {
    const closed = await createUser(app.context, { closedAt: new Date() });
    for (const userId of ['6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b', closed.id]) {
      expect(codeOf(await admin.post('/api/admin/grant-free-access', { userId }).expect(404))).toBe('user_not_found');
      expect(codeOf(await admin.post('/api/admin/revoke-free-access', { userId }).expect(404))).toBe('user_not_found');
    }
    await admin.post('/api/admin/grant-free-access', { userId: 'no-id' }).expect(400);
    await admin.post('/api/admin/grant-free-access').expect(400);
  });
});

describe('POST /api/admin/reset-password', () => {
  it('sets the password, ends every session and notifies the adviser', async () => {
    const { agent, user } = await app.signedIn();
    const newPassword = 'Fresh-Start-2026';
    const done = await admin.post('/api/admin/reset-password', { userId: user.id, newPassword }).expect(200);
    expect(done.body).toEqual({ message: 'Password reset successfully' });
    await agent.get('/api/user').expect(401);
    await app.agent().post('/api/login').send({ email: user.email, password }).expect(401);
    await app.agent().post('/api/login').send({ email: user.email, password: newPassword }).expect(200);
    const [row] = await auditOf(user.id);
    expect(row).toMatchObject({ action: 'admin.password_reset', actorId: admin.user.id, before: null, after: null });
    const [mail] = await mailsTo(user.email);
    expect(mail).toMatchObject({ kind: 'password-changed', subject: 'Your Adviserly password was reset' });
    expect(mail!.textBody).not.toContain(newPassword);
    expect((await noticesOf(user.id))[0]).toMatchObject({ type: 'system_alert', title: 'Your password was reset' });
  });

  it.each([
    [{}, 'userId', 'Please select a user and enter a new password'],
    [{ userId: '', newPassword: 'Fresh-Start-2026' }, 'userId', 'Please select a user and enter a new password'],
    [{ newPassword: '' }, 'newPassword', 'Please select a user and enter a new password'],
    [{ newPassword: 'Aa1' }, 'newPassword', 'Password must be at least 8 characters long'],
    [{ newPassword: 'alllowercase1' }, 'newPassword', 'Password must contain at least one uppercase letter'],
    [{ newPassword: 'ALLUPPERCASE1' }, 'newPassword', 'Password must contain at least one lowercase letter'],
    [{ newPassword: 'NoNumberHere' }, 'newPassword', 'Password must contain at least one number'],
    [{ newPassword: `Aa1${'x'.repeat(1000)}` }, 'newPassword', 'Password must be at most 1000 characters long'],
    [{ newPassword: 'Password1' }, 'newPassword', 'This password is too common.'],
    [{ newPassword: 'AlexNguyen7' }, 'newPassword', passwordGuessable],
  ])('refuses %j', async (body, field, sentence) => {
    const user = await createUser(app.context);
    const answer = await admin.post('/api/admin/reset-password', {
      ...(Object.keys(body).length > 0 && { userId: user.id }),
      ...body,
    });
    expect(answer.status).toBe(400);
    expect((answer.body as { fields: Record<string, string> }).fields[field]).toBe(sentence);
    expect((await userRow(user.id)).authEpoch).toBe(0);
    expect(await auditOf(user.id)).toEqual([]);
  });

  it('refuses an unknown user', async () => {
    const nobody = { userId: '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b', newPassword: 'Fresh-Start-2026' };
    expect(codeOf(await admin.post('/api/admin/reset-password', nobody).expect(404))).toBe('user_not_found');
  });
});

describe('POST /api/admin/reset-factors', () => {
  it('begins a reset that is due in a day; 409 where there is no factor, 404 where there is nobody', async () => {
    const { agent, user } = await app.signedIn();
    const reset = (userId: string) => admin.post('/api/admin/reset-factors', { userId });
    expect(codeOf(await reset(user.id).expect(409))).toBe('no_factor');
    await enrolApp(agent);
    await reset(user.id).expect(200);
    expect(codeOf(await reset('6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b').expect(404))).toBe('user_not_found');
  });
});

describe('API keys', () => {
  type Made = { userEmail: string; apiKey: string; warning: string };
  const generate = (values: object) => admin.post('/api/admin/generate-api-key', values);
  const introspect = async (token: string) =>
    (await app.agent().post('/api/tools/introspect').auth(tool, secret).type('form').send({ token }).expect(200))
      .body as { active: boolean; sub?: string };

  it('are made for people with access, shown once, listed masked, used, and revoked', async () => {
    const user = await createUser(app.context);
    await subscribe(user.id);
    const made = (await generate({ userId: user.id, toolId: tool, expirationDays: 30 }).expect(201)).body as Made;
    expect(made.userEmail).toBe(user.email);
    expect(made.apiKey).toMatch(/^ak_[\w-]{43}$/);
    expect(made.warning).toBe('Store this API key now. For security it cannot be shown again.');

    const [stored] = await app.context.db.select().from(authTokens).where(eq(authTokens.userId, user.id));
    expect(JSON.stringify(stored)).not.toContain(made.apiKey);
    expect(stored!.expiresAt.getTime()).toBe(plus(stored!.createdAt, 30 * day).getTime());
    const find = async (search: string) =>
      (await admin.agent.get(`/api/admin/all-api-keys?search=${encodeURIComponent(search)}`).expect(200))
        .body as object[];
    expect(await find(user.email)).toEqual([
      {
        id: stored!.id,
        userId: user.id,
        userName: 'Alex Nguyen',
        userEmail: user.email,
        toolId: tool,
        toolName: 'Risk Profile AI',
        createdAt: stored!.createdAt.toISOString(),
        expiresAt: stored!.expiresAt.toISOString(),
        lastUsedAt: null,
        token: `ak_••••••••${made.apiKey.slice(-4)}`,
      },
    ]);
    expect((await admin.agent.get('/api/admin/all-api-keys').expect(200)).body).toMatchObject([{ id: stored!.id }]);
    expect(await find('somebody-else')).toEqual([]);

    expect(await introspect(made.apiKey)).toMatchObject({ active: true, sub: user.id });
    expect(await find(user.email)).toMatchObject([{ lastUsedAt: expect.any(String) as string }]);
    const [notice] = await noticesOf(user.id);
    expect(notice).toMatchObject({ type: 'system_alert', title: 'New API key' });
    expect(await mailsTo(user.email)).toMatchObject([{ kind: 'api-key' }]);

    const gone = await admin.remove(`/api/admin/api-keys/${stored!.id}`).expect(200);
    expect(gone.body).toEqual({ message: 'API key revoked successfully' });
    expect(await introspect(made.apiKey)).toEqual({ active: false });
    expect(await find(user.email)).toEqual([]);
    expect(codeOf(await admin.remove(`/api/admin/api-keys/${stored!.id}`).expect(404))).toBe('api_key_not_found');
    const rows = await auditOf(user.id);
    expect(rows.map((row) => row.action)).toEqual(['admin.api_key_revoked', 'admin.api_key_generated']);
    expect(JSON.stringify(rows)).not.toContain(made.apiKey);
  });

  it('end with the access, and are not made without it', async () => {
    const user = await createUser(app.context);
    const refused = await generate({ userId: user.id, toolId: tool }).expect(409);
    expect(refused.body).toMatchObject({
      code: 'api_key_needs_access',
      message: 'The user needs an active subscription to this tool.',
    });
    expect(await auditOf(user.id)).toEqual([]);
    await subscribe(user.id);
    const { apiKey } = (await generate({ userId: user.id, toolId: tool }).expect(201)).body as Made;
    expect((await introspect(apiKey)).active).toBe(true);
    await app.context.db
      .update(toolSubscriptions)
      .set({ status: 'expired', isActive: false })
      .where(eq(toolSubscriptions.userId, user.id));
    expect(await introspect(apiKey)).toEqual({ active: false });
  });

  it('last 365 days by default, and end then', async () => {
    const user = await createUser(app.context);
    await subscribe(user.id);
    await generate({ userId: user.id, toolId: tool }).expect(201);
    const [row] = await app.context.db.select().from(authTokens).where(eq(authTokens.userId, user.id));
    expect(row!.expiresAt.getTime() - row!.createdAt.getTime()).toBe(365 * day);
  });

  it.each([
    [{ toolId: tool }, 'userId', 'Please select both a user and a tool'],
    [{ userId: 'me', toolId: tool }, 'userId', 'Please select both a user and a tool'],
    [{ toolId: '' }, 'toolId', 'Please select both a user and a tool'],
    [{ expirationDays: 0 }, 'expirationDays', 'Expiration must be a whole number of days from 1 to 365'],
    [{ expirationDays: 366 }, 'expirationDays', 'Expiration must be a whole number of days from 1 to 365'],
    [{ expirationDays: 1.5 }, 'expirationDays', 'Expiration must be a whole number of days from 1 to 365'],
    [{ expirationDays: '30' }, 'expirationDays', 'Expiration must be a whole number of days from 1 to 365'],
  ])('refuses %j', async (values, field, sentence) => {
    const user = await createUser(app.context);
    const base = field === 'userId' ? {} : { userId: user.id, toolId: tool };
    const answer = await generate({ ...base, ...values }).expect(400);
    expect((answer.body as { fields: Record<string, string> }).fields[field]).toBe(sentence);
  });

  it('need a tool and a user that exist, and can’t be revoked by the id of a launch token', async () => {
    const user = await createUser(app.context);
    expect(codeOf(await generate({ userId: user.id, toolId: 'no-such-tool' }).expect(404))).toBe('tool_not_found');
    const nobody = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';
    expect(codeOf(await generate({ userId: nobody, toolId: tool }).expect(404))).toBe('user_not_found');
    const [launch] = await app.context.db
      .insert(authTokens)
      .values({ userId: user.id, toolId: tool, token: newToken(), expiresAt: plus(new Date(), day) })
      .returning();
    await admin.remove(`/api/admin/api-keys/${launch!.id}`).expect(404);
    await admin.remove('/api/admin/api-keys/none').expect(400);
    const open = and(eq(authTokens.id, launch!.id), eq(authTokens.isRevoked, false));
    expect(await app.context.db.select().from(authTokens).where(open)).toHaveLength(1);
  });
});

it('an administrator suspends an account, reinstates it, signs it out and asks it for a new password', async () => {
  const user = await createUser(app.context);
  // The tests before this one made more writes than an administrator may make in a minute.
  await app.context.db.$client.query('delete from rate_limits');
  for (const what of ['suspend', 'reinstate', 'end-sessions', 'demand-password'])
    await admin.post(`/api/admin/${what}`, { userId: user.id, reason: 'A test' }).expect(200);
  expect(await auditOf(user.id)).toHaveLength(4);
  // The demand of a new password mails a link, too.
  expect(await mailsTo(user.email)).toHaveLength(5);
});

type Admin = typeof contract.admin;
type Write = { [K in keyof Admin]: Admin[K]['method'] extends 'GET' ? never : K }[keyof Admin];
/** What each write is called in the audit log. */
const actions: Record<Write, string> = {
  grantFreeAccess: 'admin.free_access_granted',
  revokeFreeAccess: 'admin.free_access_revoked',
  resetPassword: 'admin.password_reset',
  resetFactors: 'admin.factor_reset_requested',
  suspend: 'admin.user_suspended',
  reinstate: 'admin.user_reinstated',
  endSessions: 'admin.sessions_ended',
  demandPassword: 'admin.password_change_demanded',
  generateApiKey: 'admin.api_key_generated',
  revokeApiKey: 'admin.api_key_revoked',
};

it.each(Object.entries(actions))('%s is tested above, and leaves an audit row', async (_name, action) => {
  const rows = await app.context.db.select().from(auditLog).where(eq(auditLog.action, action));
  expect(
    rows.length,
    `No test here made an audit row ${action}: call audit() in the write's transaction`,
  ).toBeGreaterThan(0);
});

it('an administrator makes sixty writes a minute, and then gets 429', async () => {
  const busy = await administrator(app);
  const nobody = { userId: '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b' };
  for (let i = 0; i < 60; i += 1) await busy.post('/api/admin/grant-free-access', nobody).expect(404);
  const answer = await busy.post('/api/admin/grant-free-access', nobody).expect(429);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
});
