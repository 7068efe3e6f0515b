import express from 'express';
import { eq } from 'drizzle-orm';
import request from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineApi } from '#shared/api/endpoint.ts';
import { sessions, users } from '#shared/schema/accounts.ts';
import { createAdmin } from '#server/testing/factories.ts';
import { testApp, type TestApp } from '#server/testing/test-app.ts';
import { errorHandler } from './error-handler.ts';
import { implement } from './implement.ts';
import { requestLog } from '../logs/log.ts';
import { createSessions } from './session.ts';

/** A typical administrative write: a strict body of nothing but `note`. */
const api = defineApi({
  write: {
    method: 'POST',
    path: '/api/admin/test-write',
    access: 'admin',
    summary: 'A write',
    body: z.strictObject({ note: z.string() }),
    response: z.object({ note: z.string() }),
  },
  read: {
    method: 'GET',
    path: '/api/admin/test-read',
    access: 'admin',
    summary: 'A read',
    response: z.object({ read: z.boolean() }),
  },
});

const app = testApp();
let otherApp: express.Express;
beforeAll(async () => {
  const { context } = app;
  const { middleware } = createSessions(context.env, context.db.$client, () => Promise.resolve(null));
  otherApp = express();
  otherApp.use(requestLog(context.log), express.json(), ...middleware);
  otherApp.use(
    implement(
      api,
      {
        write: ({ body }) => Promise.resolve({ note: body.note }),
        read: () => Promise.resolve({ read: true }),
      },
      context,
    ),
  );
  otherApp.use(errorHandler);
});

/** An administrator's cookie and token. */
async function administrator() {
  const user = await createAdmin(app.context);
  const { agent } = await app.signIn(user.email);
  const answer = await agent.get('/api/admin/csrf-token').expect(200);
  const { csrfToken } = answer.body as { csrfToken: string };
  return { user, agent, csrfToken, cookie: cookieOf(agent) };
}
const cookieOf = (agent: Awaited<ReturnType<TestApp['signIn']>>['agent']) =>
  agent.jar.getCookies({ domain: '127.0.0.1', path: '/', secure: false, script: false }).toValueString();

const write = (cookie: string, query = '') =>
  request(otherApp).post(`/api/admin/test-write${query}`).set('cookie', cookie);

describe('an administrative write', () => {
  it('passes with the token in the header', async () => {
    const { cookie, csrfToken } = await administrator();
    const answer = await write(cookie).set('x-csrf-token', csrfToken).send({ note: 'a' }).expect(200);
    expect(answer.body).toEqual({ note: 'a' });
  });

  it('passes with the token in the body, which the endpoint does not see', async () => {
    const { cookie, csrfToken } = await administrator();
    await write(cookie).send({ note: 'a', _csrf: csrfToken }).expect(200);
  });

  it('passes with a token that was asked for again, as both are good', async () => {
    const { agent, cookie, csrfToken } = await administrator();
    const again = (await agent.get('/api/admin/csrf-token')).body as { csrfToken: string };
    for (const token of [csrfToken, again.csrfToken])
      await write(cookie).set('x-csrf-token', token).send({ note: 'a' }).expect(200);
  });

  it.each([
    ['no token', () => ({})],
    ['an empty token', () => ({ header: '' })],
    ['a guess', () => ({ header: 'abcdefgh-0123456789abcdefghijklmnop' })],
    ['a token in the query', (own: string) => ({ query: `?_csrf=${encodeURIComponent(own)}` })],
    ['a token in csurf’s other headers', (own: string) => ({ other: own })],
    ['a token that is no text', () => ({ body: { _csrf: { $ne: '' } } })],
  ] as [string, (own: string) => { header?: string; query?: string; other?: string; body?: object }][])(
    'is refused with %s',
    async (_kind, given) => {
      const { cookie, csrfToken } = await administrator();
      const { header, query = '', other, body } = given(csrfToken);
      let call = write(cookie, query);
      if (header !== undefined) call = call.set('x-csrf-token', header);
      if (other !== undefined) call = call.set('xsrf-token', other).set('x-xsrf-token', other).set('csrf-token', other);
      const answer = await call.send({ note: 'a', ...body }).expect(403);
      expect(answer.body).toMatchObject({ code: 'csrf_invalid' });
    },
  );

  it('is refused with the token of another administrator', async () => {
    const [one, two] = [await administrator(), await administrator()];
    await write(one.cookie).set('x-csrf-token', two.csrfToken).send({ note: 'a' }).expect(403);
  });

  it('is refused with the token of the session before; a new one is given', async () => {
    const before = await administrator();
    const { agent } = await app.signIn(before.user.email);
    const cookie = cookieOf(agent);
    await write(cookie).set('x-csrf-token', before.csrfToken).send({ note: 'a' }).expect(403);
    const { csrfToken } = (await agent.get('/api/admin/csrf-token')).body as { csrfToken: string };
    await write(cookie).set('x-csrf-token', csrfToken).send({ note: 'a' }).expect(200);
  });

  it('is refused, whatever the token, once the rights are gone or the session has ended', async () => {
    const { user, agent, cookie, csrfToken } = await administrator();
    await app.context.db.update(users).set({ isAdmin: false }).where(eq(users.id, user.id));
    const answer = await write(cookie).set('x-csrf-token', csrfToken).send({ note: 'a' }).expect(403);
    expect(answer.body).toMatchObject({ code: 'admin_required', message: 'Administrator access required.' });
    await agent.post('/api/logout').expect(200);
    await write(cookie).set('x-csrf-token', csrfToken).send({ note: 'a' }).expect(401);
  });

  it('is checked before its body, and its body strictly after it', async () => {
    const { cookie, csrfToken } = await administrator();
    await write(cookie).send({ nonsense: true }).expect(403);
    const answer = await write(cookie).set('x-csrf-token', csrfToken).send({ nonsense: true }).expect(400);
    expect((answer.body as { fields: object }).fields).toHaveProperty('nonsense');
  });

  it('needs no token to read', async () => {
    const { cookie } = await administrator();
    await request(otherApp).get('/api/admin/test-read').set('cookie', cookie).expect(200);
  });
});

describe('GET /api/admin/csrf-token', () => {
  it('gives an adviser nothing and leaves their session as it was', async () => {
    const { agent, user } = await app.signedIn();
    const stored = () => app.context.db.select().from(sessions).where(eq(sessions.userId, user.id));
    const before = await stored();
    await agent.get('/api/admin/csrf-token').expect(403);
    expect(await stored()).toEqual(before);
  });

  it('gives a visitor nothing, and no session', async () => {
    const count = async () => (await app.context.db.select().from(sessions)).length;
    const before = await count();
    const answer = await app.agent().get('/api/admin/csrf-token').expect(401);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await count()).toBe(before);
  });

  it('is never kept by a cache, and the secret never leaves', async () => {
    const { agent, user } = await administrator();
    const answer = await agent.get('/api/admin/csrf-token').expect(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const [row] = await app.context.db.select().from(sessions).where(eq(sessions.userId, user.id));
    const { csrfSecret } = row!.sess as { csrfSecret: string };
    expect(csrfSecret.length).toBeGreaterThan(10);
    expect(answer.text).not.toContain(csrfSecret);
  });
});
