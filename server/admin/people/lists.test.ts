import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { createAdmin, createUser } from '#server/testing/factories.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

type User = { id: string; email: string; firstName: string; freeAccessGranted: boolean };
type Page = { users: User[]; pagination: { page: number; total: number; totalPages: number; more: boolean } };
type Stats = { stats: { userId: string; totalUsage: number }[]; pagination: { total: number; totalPages: number } };

const app = testApp();
let admin: Agent;
beforeAll(async () => {
  admin = (await app.signIn((await createAdmin(app.context)).email)).agent;
});

const list = async (query = '') => (await admin.get(`/api/admin/users${query}`).expect(200)).body as Page;
const open = () =>
  app.context.db
    .select({ id: users.id })
    .from(users)
    .where(sql`closed_at is null`)
    .orderBy(sql`seq desc`);

/** Accounts in one statement. */
async function many(count: number) {
  const template = await createUser(app.context);
  await app.context.db.execute(sql`
    insert into users (email, password, first_name, last_name, free_access_granted)
    select 'many' || n || '@block' || n % 7 || '.example', ${template.password}, 'Many', 'Number-' || n, n % 5 = 0
    from generate_series(1, ${count}) n`);
}

describe('GET /api/admin/users', () => {
  it('pages through everybody once, newest first, whatever the size of the page', async () => {
    await many(2500);
    await app.context.db.execute(sql`update users set closed_at = now() where email like 'many%5@block3.example'`);
    const expected = (await open()).map((row) => row.id);
    for (const limit of [50, 37, 100]) {
      const seen: string[] = [];
      const pages = Math.ceil(expected.length / limit);
      for (let page = 1; page <= pages; page += 1) {
        const { users: rows, pagination } = await list(`?page=${page}&limit=${limit}`);
        expect(pagination).toEqual({ page, total: expected.length, totalPages: pages, more: false });
        seen.push(...rows.map((row) => row.id));
      }
      expect(seen).toEqual(expected);
    }
    expect((await list('?page=100000')).users).toEqual([]);
  });

  it('lists free access alone, with its own total', async () => {
    const free = await app.context.db
      .select({ id: users.id })
      .from(users)
      .where(sql`free_access_granted and closed_at is null`)
      .orderBy(sql`seq desc`);
    const seen: string[] = [];
    for (let page = 1; page <= Math.ceil(free.length / 50); page += 1) {
      const { users: rows, pagination } = await list(`?page=${page}&freeAccess=true`);
      expect(pagination.total).toBe(free.length);
      seen.push(...rows.map((row) => row.id));
    }
    expect(seen).toEqual(free.map((row) => row.id));
  });

  it.each([
    ['unverified', 'not email_verified'],
    ['suspended', 'suspended_at is not null'],
    ['administrators', 'is_admin'],
  ])('lists %s alone, with their own total, also in a search', async (only, condition) => {
    await createUser(app.context, { firstName: 'Filtered', emailVerified: false });
    const held = await createUser(app.context, { firstName: 'Filtered' });
    await app.context.db.execute(
      sql`update users set suspended_at = now(), suspended_for = 'A test' where id = ${held.id}`,
    );
    await createAdmin(app.context, { firstName: 'Filtered' });
    const expected = await app.context.db
      .select({ id: users.id })
      .from(users)
      .where(sql`closed_at is null and ${sql.raw(condition)}`)
      .orderBy(sql`seq desc`);
    const { users: rows, pagination } = await list(`?limit=100&only=${only}`);
    expect(rows.map((row) => row.id)).toEqual(expected.map((row) => row.id).slice(0, 100));
    expect(pagination.total).toBe(expected.length);
    const found = (await list(`?limit=100&only=${only}&search=filtered`)).users;
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ id }) => expected.some((row) => row.id === id))).toBe(true);
  });

  it('answers what the page shows of a user, and nothing secret', async () => {
    const [first] = (await list('?limit=1')).users;
    const names =
      'chargesPaused createdAt dealerGroup email emailVerified firstName freeAccessGranted id isAdmin lastName membershipType mustChangePassword ownsTeam profileCompleted suspendedAt suspendedFor';
    expect(Object.keys(first!).toSorted()).toEqual(names.split(' '));
  });

  it.each([
    '?page=0',
    '?page=-1',
    '?page=1e30',
    '?page=x',
    '?limit=0',
    '?limit=101',
    '?freeAccess=false',
    '?only=x',
    '?x=1',
  ])('names %s as what it refuses', async (query) => {
    const answer = await admin.get(`/api/admin/users${query}`).expect(400);
    expect((answer.body as { code: string }).code).toBe('invalid_input');
  });
});

describe('the search by name or email', () => {
  let maeve: User;
  beforeAll(async () => {
    maeve = await createUser(app.context, {
      firstName: 'Maeve',
      lastName: "O'Sullivan-Reyes",
      email: 'm.osullivan+tax@harbour-wealth.com.au',
      freeAccessGranted: true,
    });
    await createUser(app.context, { firstName: 'Reyes', lastName: 'Maevson', email: 'other@elsewhere.example' });
  });
  const find = async (text: string, more = '') =>
    (await list(`?search=${encodeURIComponent(text)}${more}`)).users.map((user) => user.email);

  it.each([
    'maeve',
    'MAEVE O',
    "  maeve   o's ",
    "o'sullivan",
    "O'Sullivan-Reyes Mae",
    'reyes',
    'm.osu',
    'm.osullivan+tax@harbour-wealth.com.au',
    'osullivan+',
    'harbour',
    'sulliv',
    'wealth.com',
    'O’Sullivan',
    'OSULLIVAN',
    'máeve o',
    'ｍａｅｖｅ',
    '\u200Bmaeve\u00A0',
    'sullivan\u2011reyes',
  ])('finds a person by %j', async (text) => {
    expect(await find(text)).toContain(maeve.email);
  });

  it.each(['%', '_', '\\', "'", '’', 'maeve%', 'nobody-of-that-name', '😀'])('finds nobody by %j', async (text) => {
    expect(await find(text)).toEqual([]);
  });

  it.each([
    ['Céline', 'Pariel', ['cel', 'cél', 'celine p'], '(arawa/workspace#378)'],
    ['George', 'Łazienbny', ['lazienbny', 'łazi', 'ŁAZI'], '(book/Act#77)'],
    ['Xavi', 'Díaz', ['dí', 'di\u0301az', 'dÍaz', 'diaz x'], '(indico#1496)'],
    ['Renée', 'Đặng', ['renee', 'RENÉE', 'Rene\u0301e', 'dang', 'đặng', 'Đa\u0323\u0306ng'], ''],
    ['Søren', 'Strauß', ['soren', 'søren', 'strauss', 'STRAUß'], ''],
    ['Σωκράτης', 'Παππάς', ['σωκρατησ', 'παππας'], ''],
    ['دانا', 'D’Arcy', ['دانا', "d'arcy", 'darcy', 'd`arcy'], ''],
  ])('finds %s %s by %j %s', async (firstName, lastName, typed, _source) => {
    const { email } = await createUser(app.context, { firstName, lastName });
    for (const text of typed) expect(await find(text), text).toEqual([email]);
  });

  it('puts names before addresses and finds among free access alone', async () => {
    expect((await find('maev')).length).toBe(2);
    expect(await find('maev', '&freeAccess=true')).toEqual([maeve.email]);
  });

  it('puts first names before surnames, then addresses, then the newest that contain the text', async () => {
    const made = async (firstName: string, lastName: string, email: string) =>
      (await createUser(app.context, { firstName, lastName, email })).email;
    const inside = await made('Old', 'McQuillow', 'a.one@inside.example');
    const newerInside = await made('New', 'Person', 'b.one@quillow.example');
    const address = await made('Some', 'Body', 'quillow.me@address.example');
    const surname = await made('Anna', 'Quillow', 'c.one@surname.example');
    const later = await made('Quillow', 'Zed', 'd.one@first.example');
    const name = await made('Quillow', 'Abel', 'e.one@first.example');
    expect(await find('quillow')).toEqual([name, later, surname, address, newerInside, inside]);
  });

  it('finds no closed account', async () => {
    const gone = await createUser(app.context, { firstName: 'Zebedee', closedAt: new Date() });
    expect(await find('zebedee')).toEqual([]);
    expect(gone.id).toBeTruthy();
  });

  it('lists the first 200 and says that there are more, in pages that repeat nobody', async () => {
    const seen = new Set<string>();
    for (let page = 1; page <= 4; page += 1) {
      const answer = await list(`?search=many&page=${page}`);
      expect(answer.pagination).toEqual({ page, total: 200, totalPages: 4, more: true });
      expect(answer.users).toHaveLength(50);
      for (const user of answer.users) seen.add(user.id);
    }
    expect(seen.size).toBe(200);
    expect((await list('?search=many&page=5')).users).toEqual([]);
  });
});

it('GET /api/admin/subscriber-stats counts open accounts', async () => {
  const stats = async () => (await admin.get('/api/admin/subscriber-stats').expect(200)).body as Record<string, number>;
  const before = await stats();
  await createUser(app.context, { closedAt: new Date() });
  await createUser(app.context, { freeAccessGranted: true, emailVerified: false });
  await createUser(app.context, { profileCompleted: false, emailVerified: true });
  const after = await stats();
  const more = Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - before[name]!]));
  expect(more).toEqual({ total: 2, verified: 1, withProfiles: 1, freeAccess: 1 });
});

describe('GET /api/admin/usage-stats', () => {
  it('ranks by uses, and answers every user once', async () => {
    await app.context.db.execute(sql`
      insert into tool_usage (user_id, tool_id, session_id)
      select id, 'file-note-ai', gen_random_uuid()::text from users, generate_series(1, (1 + seq % 4)::int)
      where closed_at is null and seq % 3 <> 0`);
    const recounted = await app.context.db
      .select({ userId: toolUsage.userId, totalUsage: sql<number>`count(*)::int` })
      .from(toolUsage)
      .groupBy(toolUsage.userId);
    const expected = recounted.toSorted(
      (a, b) => b.totalUsage - a.totalUsage || (a.userId < b.userId ? 1 : a.userId > b.userId ? -1 : 0),
    );
    const read = async () => {
      const seen: { userId: string; totalUsage: number }[] = [];
      for (let page = 1; page <= Math.ceil(expected.length / 50); page += 1) {
        const { body } = await admin.get(`/api/admin/usage-stats?page=${page}&limit=50`).expect(200);
        const { stats, pagination } = body as Stats;
        expect(pagination.total).toBe(expected.length);
        seen.push(...stats.map(({ userId, totalUsage }) => ({ userId, totalUsage })));
      }
      return seen;
    };
    expect(await read()).toEqual(expected);
  });

  it('says when a tool was last used', async () => {
    const user = await createUser(app.context, { firstName: 'Recent' });
    const at = new Date('2027-03-04T05:06:07Z');
    await app.context.db
      .insert(toolUsage)
      .values(Array.from({ length: 9 }, () => ({ userId: user.id, toolId: 'pre-fill-ai', lastAccessed: at })));
    const { body } = await admin.get('/api/admin/usage-stats').expect(200);
    expect((body as Stats).stats[0]).toMatchObject({
      userId: user.id,
      firstName: 'Recent',
      email: user.email,
      totalUsage: 9,
      lastUsed: at.toISOString(),
    });
    await app.context.db.delete(toolUsage).where(eq(toolUsage.userId, user.id));
  });
});
