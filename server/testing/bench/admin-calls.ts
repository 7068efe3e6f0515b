import http from 'node:http';
import pg from 'pg';

/** An administrator of a running server on a filled database. */
export type Bench = {
  get(path: string): Promise<number>;
  write(method: 'POST' | 'DELETE', path: string, body: object): Promise<{ ms: number; json: unknown }>;
  query(sql: string, values?: unknown[]): Promise<Record<string, string>[]>;
  pages: { users: number; free: number; usage: number; audit: number };
  user: { id: string; email: string };
  close(): Promise<void>;
};

const account = {
  email: 'bench-admin@practice.example',
  password: 'Correct-Horse-7',
  firstName: 'Bench',
  lastName: 'Mark',
};

/** One connection that stays open; milliseconds from the first byte sent to the last one read. */
function caller(port: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
  const call = (method: string, path: string, body?: object) =>
    new Promise<{ ms: number; text: string; cookies: string[] }>((resolve, reject) => {
      const begin = performance.now();
      const text = body && JSON.stringify(body);
      const request = http.request(
        {
          agent,
          port,
          host: '127.0.0.1',
          method,
          path,
          headers: {
            ...headers,
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const read = Buffer.concat(chunks).toString();
            const ms = performance.now() - begin;
            if ((answer.statusCode ?? 500) < 300)
              resolve({ ms, text: read, cookies: answer.headers['set-cookie'] ?? [] });
            else reject(new Error(`${method} ${path}: ${answer.statusCode} ${read.slice(0, 300)}`));
          });
        },
      );
      request.on('error', reject).end(text);
    });
  return { call, headers, close: () => agent.destroy() };
}

/** Signs a new administrator in. */
export async function openBench(port: number, databaseUrl: string): Promise<Bench> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const query = async (sql: string, values?: unknown[]) =>
    (await client.query<Record<string, string>>(sql, values)).rows;
  const { call, headers, close } = caller(port);
  await query('delete from rate_limits');
  const known = await query('select 1 from users where email = $1', [account.email]);
  if (known.length === 0) await call('POST', '/api/register', account);
  await query('update users set is_admin = true, email_verified = true, profile_completed = true where email = $1', [
    account.email,
  ]);
  const { cookies } = await call('POST', '/api/login', { email: account.email, password: account.password });
  headers['cookie'] = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
  const { csrfToken } = JSON.parse((await call('GET', '/api/admin/csrf-token')).text) as { csrfToken: string };
  const [counts] = await query(
    'select sum(total) as users, sum(free_access) as free, sum(with_usage) as usage from subscriber_counts',
  );
  const [user] = await query(
    `select id, email from users where email like '%.large.example' order by seq desc limit 1`,
  );
  const pagesOf = (count: string | undefined) => Math.ceil(Number(count ?? 0) / 50);
  return {
    query,
    user: { id: user?.['id'] ?? '', email: user?.['email'] ?? '' },
    pages: {
      users: pagesOf(counts?.['users']),
      free: pagesOf(counts?.['free']),
      usage: pagesOf(counts?.['usage']),
      audit: 20,
    },
    get: async (path) => (await call('GET', path)).ms,
    write: async (method, path, body) => {
      await query('delete from rate_limits');
      const { ms, text } = await call(method, path, { ...body, _csrf: csrfToken });
      return { ms, json: JSON.parse(text) as unknown };
    },
    close: async () => {
      close();
      await client.end();
    },
  };
}

const users = '/api/admin/users?limit=50';
const usage = '/api/admin/usage-stats?limit=50';
const half = (pages: number) => Math.max(1, Math.ceil(pages / 2));

/** Every read, by name. */
export const reads: Record<string, (bench: Bench) => string> = {
  'GET csrf-token': () => '/api/admin/csrf-token',
  'GET subscriber-stats': () => '/api/admin/subscriber-stats',
  'GET users, first page': () => `${users}&page=1`,
  'GET users, middle page': ({ pages }) => `${users}&page=${half(pages.users)}`,
  'GET users, last page': ({ pages }) => `${users}&page=${pages.users}`,
  'GET users, free access, first page': () => `${users}&page=1&freeAccess=true`,
  'GET users, free access, last page': ({ pages }) => `${users}&page=${pages.free}&freeAccess=true`,
  'GET users, search "smith"': () => `${users}&page=1&search=smith`,
  'GET users, search "smith", last page': () => `${users}&page=4&search=smith`,
  'GET users, search "o"': () => `${users}&page=1&search=o`,
  'GET users, search an address': ({ user }) => `${users}&page=1&search=${encodeURIComponent(user.email)}`,
  'GET users, search finds nobody': () => `${users}&page=1&search=xyzzy`,
  'GET users, picker of eight': () => '/api/admin/users?limit=8&search=chen',
  'GET usage-stats, first page': () => `${usage}&page=1`,
  'GET usage-stats, middle page': ({ pages }) => `${usage}&page=${half(pages.usage)}`,
  'GET usage-stats, last page': ({ pages }) => `${usage}&page=${pages.usage}`,
  'GET all-api-keys (500)': () => '/api/admin/all-api-keys',
  'GET all-api-keys, search': () => '/api/admin/all-api-keys?search=nguyen',
  'GET audit, first page': () => '/api/admin/audit?page=1',
  'GET audit, page 20': () => '/api/admin/audit?page=20',
  'GET audit, one action': () => '/api/admin/audit?action=account.password_reset',
  'GET audit, one user': ({ user }) => `/api/admin/audit?subject=${user.id}`,
  'GET audit.csv, one user': ({ user }) => `/api/admin/audit.csv?subject=${user.id}`,
  'GET incidents': () => '/api/admin/incidents',
};

type Write = (bench: Bench) => Promise<number>;

/** Every write, by name; each leaves things as it found them, but for its audit row. */
export const writes: Record<string, Write> = {
  'POST grant-free-access': async ({ write, query, user }) => {
    await query('update users set free_access_granted = false where id = $1', [user.id]);
    return (await write('POST', '/api/admin/grant-free-access', { userId: user.id })).ms;
  },
  'POST revoke-free-access': async ({ write, query, user }) => {
    await query('update users set free_access_granted = true where id = $1', [user.id]);
    return (await write('POST', '/api/admin/revoke-free-access', { userId: user.id })).ms;
  },
  'POST generate-api-key': async (bench) => (await makeKey(bench)).ms,
  'DELETE api-keys/{id}': async (bench) => {
    await makeKey(bench);
    const [key] = await bench.query(
      `select id from auth_tokens where user_id = $1 and not is_revoked and token not like 'seed%' order by created_at desc limit 1`,
      [bench.user.id],
    );
    return (await bench.write('DELETE', `/api/admin/api-keys/${key!['id']}`, {})).ms;
  },
  'POST incidents/{id}/replay': async ({ write, query }) => {
    await query(`insert into stripe_events (id, type, status, occurred_at) values ('evt_bench', 'invoice.paid', 'parked', now())
      on conflict (id) do update set status = 'parked'`);
    return (await write('POST', '/api/admin/incidents/evt_bench/replay', {})).ms;
  },
  'POST reset-password (with bcrypt)': async ({ write, user }) =>
    (await write('POST', '/api/admin/reset-password', { userId: user.id, newPassword: 'Fresh-Start-2026' })).ms,
};

async function makeKey({ write, query, user }: Bench) {
  await query(
    `insert into tool_subscriptions (user_id, tool_id, status) select $1, 'fact-find-ai', 'active'
     where not exists (select 1 from tool_subscriptions where user_id = $1 and tool_id = 'fact-find-ai' and is_active)`,
    [user.id],
  );
  return write('POST', '/api/admin/generate-api-key', { userId: user.id, toolId: 'fact-find-ai' });
}
