import { createHmac } from 'node:crypto';
import { desc, eq, sql } from 'drizzle-orm';
import express from 'express';
import pg from 'pg';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessions, users } from '#shared/schema/accounts.ts';
import { createAdmin, createUser, password } from '#server/testing/factories.ts';
import { startTestApp, type Agent, type TestApp } from '#server/testing/test-app.ts';
import { errorHandler } from './error-handler.ts';
import { createLog, requestLog } from '../logs/log.ts';
import { createSessions } from './session.ts';
import { hashToken } from '../crypto/tokens.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
const days = (count: number) => hours(24 * count);
const rowsOf = (userId: string) =>
  app.context.db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.createdAt));
const countRows = async () =>
  Number((await app.context.db.$client.query('select count(*) from sessions')).rows[0].count);
/** The session's own cookies, without the device's. */
const setCookies = (answer: request.Response) =>
  [answer.headers['set-cookie'] ?? []].flat().filter((cookie) => !/^(__Host-)?device=/.test(cookie));
/** The session id inside the cookie that an answer sets. */
const idIn = (answer: request.Response) =>
  /sid=s%3A([^.]+)\./.exec(setCookies(answer).find((cookie) => cookie.startsWith('sid=s')) ?? '')?.[1];
const cookieOf = (answer: request.Response) => setCookies(answer)[0]!.split(';')[0]!;
const login = (email: string, browser: Agent = app.agent()) =>
  browser.post('/api/login').send({ email, password }).expect(200);
const userWith = (cookie: string) => app.agent().get('/api/user').set('cookie', cookie);

/** A server beside the app, on the same sessions, with a route that this test needs. */
function otherServer(pool: pg.Pool, routes: (router: express.Express) => void) {
  const other = express();
  other.use(
    requestLog(app.context.log),
    ...createSessions(app.context.env, pool, () => Promise.resolve(null)).middleware,
  );
  routes(other);
  return other.use(errorHandler);
}

describe('the session id', () => {
  it('is stored as its hash only', async () => {
    const user = await createUser(app.context);
    const id = idIn(await login(user.email))!;
    const [row] = await rowsOf(user.id);
    expect(row!.sid).toBe(hashToken(id));
    expect(JSON.stringify(row)).not.toContain(id);
  });

  it('changes at every sign-in, and the one before stops working', async () => {
    const browser = app.agent();
    const [one, two] = [await createUser(app.context), await createUser(app.context)];
    const first = await login(one.email, browser);
    const second = await login(two.email, browser);
    expect(idIn(second)).not.toBe(idIn(first));
    await userWith(cookieOf(first)).expect(401);
    expect((await userWith(cookieOf(second)).expect(200)).body).toMatchObject({ id: two.id });
  });

  it('changes when somebody registers', async () => {
    const browser = app.agent();
    const user = await createUser(app.context);
    const before = await login(user.email, browser);
    const body = { email: 'new@practice.example', password: 'Brave-Otter-42', firstName: 'Mia', lastName: 'Wong' };
    const after = await browser.post('/api/register').send(body).expect(201);
    expect(idIn(after)).not.toBe(idIn(before));
    await userWith(cookieOf(before)).expect(401);
  });

  it('cannot be planted, not even with the right signature', async () => {
    const planted = 'planted-session-id';
    const signature = createHmac('sha256', app.context.env.sessionSecrets[0])
      .update(planted)
      .digest('base64')
      .replace(/=+$/, '');
    const user = await createUser(app.context);
    const cookie = `sid=${encodeURIComponent(`s:${planted}.${signature}`)}`;
    const answer = await app
      .agent()
      .post('/api/login')
      .set('cookie', cookie)
      .send({ email: user.email, password })
      .expect(200);
    expect(idIn(answer)).not.toBe(planted);
    await userWith(cookie).expect(401);
  });

  it.each(['sid=s%3Aabc.def', 'sid=%00', 'sid=%E0%A4%A', 'sid=', `sid=s%3A${'x'.repeat(400)}.y`, 'sid=s%3Aa%00b.c'])(
    'a cookie that we did not make is nobody: %s',
    async (cookie) => {
      const before = await countRows();
      const answer = await userWith(cookie).expect(401);
      expect(answer.body).toMatchObject({ code: 'unauthorized', message: 'Unauthorized' });
      expect(await countRows()).toBe(before);
    },
  );
});

describe('POST /api/logout', () => {
  it('ends this session only, keeps its tombstone, and takes the cookie away', async () => {
    const user = await createUser(app.context);
    const browser = app.agent();
    const kept = await login(user.email);
    const ended = await login(user.email, browser);
    const before = await countRows();
    const answer = await browser.post('/api/logout').expect(200);
    expect(await countRows()).toBe(before);
    expect(answer.body).toEqual({ message: 'You have been successfully logged out.' });
    expect(setCookies(answer).join()).toMatch(/^sid=; Path=\/; Expires=Thu, 01 Jan 1970[^;]+; HttpOnly; SameSite=Lax$/);
    await userWith(cookieOf(ended)).expect(401);
    await userWith(cookieOf(kept)).expect(200);
    const [tombstone] = await app.context.db
      .select()
      .from(sessions)
      .where(eq(sessions.sid, hashToken(idIn(ended)!)));
    expect(tombstone).toMatchObject({ sess: {}, userId: null });
    expect(tombstone!.destroyedAt).not.toBeNull();
  });

  it('stores nothing where there is no session, and is no error', async () => {
    const before = await countRows();
    await app.agent().post('/api/logout').expect(200);
    expect(await countRows()).toBe(before);
  });

  it('is final: a request in flight that changes the session does not revive it', async () => {
    const user = await createUser(app.context);
    const cookie = cookieOf(await login(user.email));
    let arrived!: () => void;
    let goOn!: () => void;
    const inFlight = new Promise<void>((resolve) => (arrived = resolve));
    const released = new Promise<void>((resolve) => (goOn = resolve));
    const other = otherServer(app.context.db.$client, (router) =>
      router.post('/slow', async (req, res) => {
        arrived();
        await released;
        req.session.device = 'changed after the sign-out';
        res.json({ user: req.user?.id });
      }),
    );
    const slow = request(other)
      .post('/slow')
      .set('cookie', cookie)
      .then((answer) => answer);
    await inFlight;
    await app.agent().post('/api/logout').set('cookie', cookie).expect(200);
    goOn();
    expect((await slow).body).toEqual({ user: user.id });
    await userWith(cookie).expect(401);
    expect(await rowsOf(user.id)).toHaveLength(0);
  });
});

describe('a session', () => {
  const lives = [
    ['adviser', createUser, 24, 14 * 24],
    ['administrator', createAdmin, 1, 12],
  ] as const;

  describe.each(lives)('as that of an %s', (_who, create, idle, absolute) => {
    const signedIn = async (change: (minutes: number) => Partial<typeof sessions.$inferInsert>, minutes: number) => {
      const user = await create(app.context);
      const cookie = cookieOf(await login(user.email));
      await app.context.db.update(sessions).set(change(minutes)).where(eq(sessions.userId, user.id));
      return userWith(cookie);
    };
    const seen = (minutes: number) => ({ lastSeenAt: hours(minutes / 60) });
    const made = (minutes: number) => ({ createdAt: hours(minutes / 60) });

    it(`ends ${idle} h after its last use`, async () => {
      expect((await signedIn(seen, idle * 60 - 2)).status).toBe(200);
      expect((await signedIn(seen, idle * 60 + 2)).status).toBe(401);
    });
    it(`ends ${absolute} h after the sign-in, used or not`, async () => {
      expect((await signedIn(made, absolute * 60 - 2)).status).toBe(200);
      expect((await signedIn(made, absolute * 60 + 2)).status).toBe(401);
    });
  });

  it('is never prolonged beyond its absolute end', async () => {
    const user = await createUser(app.context);
    const cookie = cookieOf(await login(user.email));
    const createdAt = hours(14 * 24 - 1);
    await app.context.db
      .update(sessions)
      .set({ createdAt, lastSeenAt: hours(1) })
      .where(eq(sessions.userId, user.id));
    await userWith(cookie).expect(200);
    const [row] = await rowsOf(user.id);
    expect(row!.expire.getTime() - createdAt.getTime()).toBe(14 * 86_400_000);
  });

  it('ends with its row, whatever the timestamps say', async () => {
    const user = await createUser(app.context);
    const cookie = cookieOf(await login(user.email));
    await app.context.db
      .update(sessions)
      .set({ expire: hours(0) })
      .where(eq(sessions.userId, user.id));
    await userWith(cookie).expect(401);
  });

  it('follows rights at once: an adviser made administrator has the short life', async () => {
    const user = await createUser(app.context);
    const cookie = cookieOf(await login(user.email));
    await app.context.db
      .update(sessions)
      .set({ lastSeenAt: hours(2) })
      .where(eq(sessions.userId, user.id));
    await app.context.db.update(users).set({ isAdmin: true }).where(eq(users.id, user.id));
    await userWith(cookie).expect(401);
  });

  it('costs no write for each GET, as its use is noted every five minutes', async () => {
    const user = await createUser(app.context);
    const cookie = cookieOf(await login(user.email));
    const version = async () =>
      (
        await app.context.db.$client.query('select xmin::text, last_seen_at from sessions where user_id = $1', [
          user.id,
        ])
      ).rows[0] as { xmin: string; last_seen_at: Date };
    const before = await version();
    for (let i = 0; i < 20; i += 1) {
      const answer = await userWith(cookie).expect(200);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect((await version()).xmin).toBe(before.xmin);
    await app.context.db
      .update(sessions)
      .set({ lastSeenAt: hours(6 / 60) })
      .where(eq(sessions.userId, user.id));
    await userWith(cookie).expect(200);
    const touched = await version();
    expect(Date.now() - touched.last_seen_at.getTime()).toBeLessThan(10_000);
    await userWith(cookie).expect(200);
    expect((await version()).xmin).toBe(touched.xmin);
  });

  it('is not kept awake by calls a page makes by itself', async () => {
    const user = await createUser(app.context);
    const cookie = cookieOf(await login(user.email));
    const lastSeenAt = hours(6 / 60);
    await app.context.db.update(sessions).set({ lastSeenAt }).where(eq(sessions.userId, user.id));
    await userWith(cookie).set('x-background', '1').expect(200);
    expect((await rowsOf(user.id))[0]!.lastSeenAt).toEqual(lastSeenAt);
    await userWith(cookie).expect(200);
    expect((await rowsOf(user.id))[0]!.lastSeenAt.getTime()).toBeGreaterThan(lastSeenAt.getTime());
  });

  it('ends everywhere when the epoch of the account is raised; a new sign-in works', async () => {
    const user = await createUser(app.context);
    const cookies = [cookieOf(await login(user.email)), cookieOf(await login(user.email))];
    for (const cookie of cookies) await userWith(cookie).expect(200);
    await app.context.db
      .update(users)
      .set({ authEpoch: sql`${users.authEpoch} + 1` })
      .where(eq(users.id, user.id));
    for (const cookie of cookies) await userWith(cookie).expect(401);
    await userWith(cookieOf(await login(user.email))).expect(200);
  });

  it('ends with the account', async () => {
    const user = await createUser(app.context);
    const cookie = cookieOf(await login(user.email));
    await app.context.db.delete(users).where(eq(users.id, user.id));
    await userWith(cookie).expect(401);
  });
});

describe('look-ups that share a query', () => {
  it('never answer one browser with another user: 4,000 answers of 40 users, visitors, forged and ended sessions', async () => {
    const people: { id: string | null; cookie: string }[] = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const user = await createUser(app.context);
        return { id: user.id, cookie: cookieOf(await login(user.email)) };
      }),
    );
    const ended = people.slice(0, 4);
    for (const each of ended) {
      await app.agent().post('/api/logout').set('cookie', each.cookie).expect(200);
      each.id = null;
    }
    const asking = [...people, { id: null, cookie: 'sid=s%3Aforged.signature' }, { id: null, cookie: '' }];
    let wrong = 0;
    let next = 0;
    const browser = async () => {
      while (next < 4000) {
        const { id, cookie } = asking[(next += 7) % asking.length]!;
        const answer = await fetch(`${app.url}/api/user`, { headers: { cookie } });
        const body = (await answer.json()) as { id?: string };
        if ((body.id ?? null) !== id || answer.status !== (id ? 200 : 401)) wrong += 1;
      }
    };
    await Promise.all(Array.from({ length: 50 }, browser));
    expect(wrong).toBe(0);
  });

  it('two requests of one session do not share what they change', async () => {
    const user = await createUser(app.context);
    const cookie = cookieOf(await login(user.email));
    const seen: (string | undefined)[] = [];
    let release: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (release = resolve));
    const other = otherServer(app.context.db.$client, (router) =>
      router.get('/mark/:name', async (req, res) => {
        seen.push(req.session.device);
        req.session.device = req.params.name;
        if (seen.length === 2) release();
        await both;
        res.json({ device: req.session.device });
      }),
    );
    const ask = (name: string) => request(other).get(`/mark/${name}`).set('cookie', cookie);
    const answers = await Promise.all([ask('one'), ask('two')]);
    expect(answers.map(({ body }) => body.device)).toEqual(['one', 'two']);
    expect(seen).not.toContain('one');
    expect(seen).not.toContain('two');
  });
});

describe('a session whose store does not answer', () => {
  it('gets 503 and never "signed out", and its cookie works afterwards', async () => {
    const user = await createUser(app.context);
    const cookie = cookieOf(await login(user.email));
    const holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table sessions in access exclusive mode');
      const answer = await userWith(cookie).expect(503);
      expect(answer.body).toMatchObject({ code: 'busy' });
      expect(answer.headers['retry-after']).toBe('2');
      expect(answer.headers['set-cookie']).toBeUndefined();
    } finally {
      await holder.end();
    }
    await userWith(cookie).expect(200);
  });

  it('gets 503 where nobody listens', async () => {
    const cookie = cookieOf(await login((await createUser(app.context)).email));
    const pool = new pg.Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 1000 });
    const other = otherServer(pool, (router) =>
      router.get('/', (req, res) => res.json({ user: req.user?.id ?? null })),
    );
    const answer = await request(other).get('/').set('cookie', cookie).expect(503);
    expect(answer.body).toMatchObject({ code: 'busy' });
    await pool.end();
  });
});

describe('the cookie', () => {
  it('on http is sid, HttpOnly and Lax, for as long as the session can live', async () => {
    const answer = await login((await createUser(app.context)).email);
    expect(setCookies(answer)).toHaveLength(1);
    const [cookie] = setCookies(answer);
    expect(cookie).toMatch(/^sid=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const expires = new Date(/Expires=([^;]+)/.exec(cookie!)![1]!);
    expect(Math.abs(expires.getTime() - days(-14).getTime())).toBeLessThan(60_000);
  });

  it.each([
    ['says nothing', {}, 0],
    ['says https', { 'x-forwarded-proto': 'https' }, 0],
    ['says http', { 'x-forwarded-proto': 'http' }, 1],
    ['says https, then http', { 'x-forwarded-proto': 'https, http' }, 0],
  ])('follows APP_URL where the proxy %s of the scheme', async (_what, headers, lines) => {
    const said: string[] = [];
    const log = createLog({ logLevel: 'warn' }, { write: (line) => void said.push(line) });
    const secure = await startTestApp({ APP_URL: 'https://adviserly.example', TRUST_PROXY: 'loopback' }, app.database, {
      log,
    });
    const { email } = await createUser(app.context);
    for (let i = 0; i < 2; i += 1) {
      const answer = await secure.agent().post('/api/login').set(headers).send({ email, password }).expect(200);
      const cookies = answer.get('Set-Cookie') ?? [];
      const sid = cookies.find((cookie) => cookie.startsWith('__Host-sid='));
      expect(sid).toMatch(/; Secure/);
      const mine = { ...headers, cookie: sid!.split(';')[0]! };
      await secure.agent().get('/api/user').set(mine).expect(200);
    }
    await secure.context.queue.drain();
    expect(await secure.context.queue.failedCounts()).toEqual(lines ? { 'cookie-lost': lines } : {});
    await secure.context.db.execute(`delete from pgboss.job where name = 'cookie-lost'`);
    await secure.stop();
    expect(said.filter((line) => /"warn".*X-Forwarded-Proto/.test(line))).toHaveLength(lines);
  });

  it('on https has the __Host- prefix and Secure, and is taken away as such', async () => {
    const secure = await startTestApp({ APP_URL: 'https://adviserly.example', TRUST_PROXY: 'loopback' }, app.database);
    try {
      const user = await createUser(app.context);
      const answer = await request(secure.url)
        .post('/api/login')
        .set('x-forwarded-proto', 'https')
        .send({ email: user.email, password })
        .expect(200);
      const [cookie] = setCookies(answer);
      expect(cookie).toMatch(/^__Host-sid=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/);
      expect(cookie).not.toMatch(/domain/i);
      const out = await request(secure.url)
        .post('/api/logout')
        .set({ 'x-forwarded-proto': 'https', cookie: cookie!.split(';')[0]! })
        .expect(200);
      expect(setCookies(out).join()).toMatch(
        /^__Host-sid=; Path=\/; Expires=Thu, 01 Jan 1970[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      );
    } finally {
      await secure.stop();
    }
  });

  it('is not sent again where its session changes, and the change is kept', async () => {
    const cookie = cookieOf(await login((await createUser(app.context)).email));
    const other = otherServer(app.context.db.$client, (router) =>
      router.get('/mark', (req, res) => {
        const before = req.session.device;
        req.session.device = 'changed';
        res.json({ before });
      }),
    );
    const first = await request(other).get('/mark').set('cookie', cookie).expect(200);
    expect(setCookies(first)).toEqual([]);
    expect((await request(other).get('/mark').set('cookie', cookie)).body).toEqual({ before: 'changed' });
  });

  it('is given to nobody who did not sign in', async () => {
    const before = await countRows();
    for (const path of ['/api/tools', '/api/user', '/api/login', '/api/admin/csrf-token'])
      expect((await app.agent().get(path).redirects(0)).headers['set-cookie']).toBeUndefined();
    expect(await countRows()).toBe(before);
  });
});
