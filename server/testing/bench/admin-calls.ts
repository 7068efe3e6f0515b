import { call, signUp } from '../faults/people.ts';
import type { Database } from '../faults/postgres.ts';
import type { Server } from '../production-server.ts';
import { expect } from '../until.ts';

/** Milliseconds from the request to the last byte of its answer, and its id in the server's log. */
export type Answered = { ms: number; requestId: string };

/** An administrator of a running server on a filled database. */
export type Bench = {
  ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answered>;
  query: Database['query'];
  pages: { users: number; free: number; usage: number };
  user: { id: string; email: string };
  /** Whom the writes change, so that what is read about `user` doesn't grow. */
  changed: { id: string; email: string };
  /** The number of an invoice, and the id of a subscription at Stripe. */
  invoice: string;
  subscription: string;
  /** A team of three, with invoices. */
  team: string;
};

/** Signs a new administrator in. */
export async function openBench(server: Server, { query }: Database): Promise<Bench> {
  const { id, cookie } = await signUp(server, { query });
  await query('update users set is_admin = true where id = $1', [id]);
  const { csrfToken } = (await (await call(server, '/api/admin/csrf-token', { cookie })).json()) as {
    csrfToken: string;
  };
  const [counts] = await query<Record<string, string>>(
    `select count(*) as users, count(*) filter (where free_access_granted) as free, (select count(*) from user_usage) as usage
     from users where closed_at is null`,
  );
  const [user, changed] = await query<Bench['user']>(
    `select id, email from users where email like '%.large.example' order by seq desc limit 2`,
  );
  const [bought] = await query<{ number: string; id: string }>(
    `select i.number, s.stripe_subscription_id as id from invoices i join tool_subscriptions s on s.id = i.subscription_id
     where s.stripe_subscription_id like 'sub_large_%' limit 1`,
  );
  const team = await makeTeam(query, user!.id);
  const pagesOf = (count: string | undefined) => Math.ceil(Number(count ?? 0) / 50);
  return {
    query,
    user: user!,
    changed: changed!,
    invoice: bought!.number,
    subscription: bought!.id,
    team,
    pages: { users: pagesOf(counts?.['users']), free: pagesOf(counts?.['free']), usage: pagesOf(counts?.['usage']) },
    ask: async (method, path, body) => {
      // Writes and files are limited per person.
      if (body || path.includes('.csv')) await query('delete from rate_limits');
      const begin = performance.now();
      const answer = await call(server, path, { method, cookie, ...(body && { body: { ...body, _csrf: csrfToken } }) });
      const text = await answer.text();
      const ms = performance.now() - begin;
      expect(answer.ok, `${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
      return { ms, requestId: answer.headers.get('x-request-id') ?? '' };
    },
  };
}

/** A team of seeded people with a tool, a year of invoices and an approval that waits; or the one that an earlier run made. */
async function makeTeam(query: Bench['query'], administrator: string): Promise<string> {
  const [made] = await query<{ id: string }>(`select id from teams where name = 'Bench Partners'`);
  if (made) return made.id;
  const people = await query<{ id: string }>(
    `select id from users where email like '%.large.example' and id <> $1 order by seq limit 3`,
    [administrator],
  );
  const [owner, ...members] = people.map(({ id }) => id);
  const [team] = await query<{ id: string }>('insert into teams (name, owner_id) values ($1, $2) returning id', [
    'Bench Partners',
    owner,
  ]);
  const id = team!.id;
  await query(`insert into team_members (team_id, user_id, role) values ($1, $2, 'owner')`, [id, owner]);
  for (const member of members)
    await query(`insert into team_members (team_id, user_id, role) values ($1, $2, 'member')`, [id, member]);
  await query(
    `insert into tool_subscriptions (team_id, tool_id, status, subscription_type, stripe_subscription_id, unit_cents, monthly_cents, quantity, period_start, end_date, revision)
     values ($1::uuid, 'fact-find-ai', 'active', 'team', 'sub_bench_' || $1::text, 2500, 7500, 3, now() - interval '10 days', now() + interval '20 days', 1)`,
    [id],
  );
  await query(
    `insert into invoices (stripe_invoice_id, team_id, subscription_id, number, status, description, total_cents, gst_cents, lines, issued_at)
     select 'in_bench_' || n || id, team_id, id, 'B-' || n || id, 'paid', 'Bench', 7500, 682, '[]', now() - n * interval '1 month'
     from tool_subscriptions, generate_series(1, 12) as n where team_id = $1`,
    [id],
  );
  await query(
    `insert into acts (kind, subject_id, parameters, reason, asked_by, asked_at, state, expires_at)
     values ('make_admin', $1, '{}', 'Bench', $2, now(), 'waiting', now() + interval '7 days')`,
    [owner, administrator],
  );
  return id;
}

const users = '/api/admin/users?limit=50';
const usage = '/api/admin/usage-stats?limit=50';
const half = (pages: number) => Math.max(1, Math.ceil(pages / 2));

/** The reads that are measured, by name. */
export const reads: Record<string, (bench: Bench) => string> = {
  'GET csrf-token': () => '/api/admin/csrf-token',
  'GET subscriber-stats': () => '/api/admin/subscriber-stats',
  'GET users, first page': () => `${users}&page=1`,
  'GET users, middle page': ({ pages }) => `${users}&page=${half(pages.users)}`,
  'GET users, last page': ({ pages }) => `${users}&page=${pages.users}`,
  'GET users, free access, first page': () => `${users}&page=1&freeAccess=true`,
  'GET users, free access, last page': ({ pages }) => `${users}&page=${pages.free}&freeAccess=true`,
  'GET users, unverified, first page': () => `${users}&page=1&only=unverified`,
  'GET users, suspended, first page': () => `${users}&page=1&only=suspended`,
  'GET users, search "smith"': () => `${users}&page=1&search=smith`,
  'GET users, search "smith", last page': () => `${users}&page=4&search=smith`,
  'GET users, search "o"': () => `${users}&page=1&search=o`,
  'GET users, search an address': ({ user }) => `${users}&page=1&search=${encodeURIComponent(user.email)}`,
  'GET users, search finds nobody': () => `${users}&page=1&search=xyzzy`,
  'GET users, picker of eight': () => '/api/admin/users?limit=8&search=chen',
  'GET usage-stats, first page': () => `${usage}&page=1`,
  'GET usage-stats, middle page': ({ pages }) => `${usage}&page=${half(pages.usage)}`,
  'GET usage-stats, last page': ({ pages }) => `${usage}&page=${pages.usage}`,
  'GET all-api-keys': () => '/api/admin/all-api-keys',
  'GET all-api-keys, search': () => '/api/admin/all-api-keys?search=nguyen',
  'GET audit, first page': () => '/api/admin/audit?page=1',
  'GET audit, page 20': () => '/api/admin/audit?page=20',
  'GET audit, one action': () => '/api/admin/audit?action=account.password_reset',
  'GET audit, one user': ({ user }) => `/api/admin/audit?subject=${user.id}`,
  'GET audit.csv, one user': ({ user }) => `/api/admin/audit.csv?subject=${user.id}`,
  'GET incidents': () => '/api/admin/incidents',
  'GET users, search an invoice number': ({ invoice }) => `${users}&page=1&search=${invoice}`,
  'GET users, search a subscription at Stripe': ({ subscription }) => `${users}&page=1&search=${subscription}`,
  'GET a person': ({ user }) => `/api/admin/users/${user.id}`,
  'GET a person, timeline': ({ user }) => `/api/admin/users/${user.id}/timeline`,
  'GET a person, forecast': ({ user }) => `/api/admin/users/${user.id}/forecast`,
  'GET a person, invoices': ({ user }) => `/api/admin/users/${user.id}/invoices`,
  'GET teams, first page': () => '/api/admin/teams?limit=50',
  'GET the catalogue': () => '/api/admin/tools',
  'GET unpaid bills': () => '/api/admin/unpaid-bills',
  'GET a team': ({ team }) => `/api/admin/teams/${team}`,
  'GET a team, timeline': ({ team }) => `/api/admin/teams/${team}/timeline`,
  'GET a team, forecast': ({ team }) => `/api/admin/teams/${team}/forecast`,
  'GET a team, invoices': ({ team }) => `/api/admin/teams/${team}/invoices`,
  'GET tools offered': () => '/api/admin/tools',
  'GET a tool, prices': () => '/api/admin/tools/fact-find-ai/prices',
  'GET a tool, price preview': () => '/api/admin/tools/fact-find-ai/price-preview?priceCents=2600',
  'GET approvals': () => '/api/admin/approvals',
  'GET business': () => '/api/admin/business',
  'GET business, one tool and plan': () => '/api/admin/business?tool=fact-find-ai&plan=individual',
  'GET business.csv': () => '/api/admin/business.csv',
};

/** The writes that are measured, by name; each first prepares what it needs, so that it can be repeated. */
export const writes: Record<string, (bench: Bench) => Promise<Answered>> = {
  'POST grant-free-access': async ({ ask, query, changed: user }) => {
    await query('update users set free_access_granted = false where id = $1', [user.id]);
    return ask('POST', '/api/admin/grant-free-access', { userId: user.id });
  },
  'POST revoke-free-access': async ({ ask, query, changed: user }) => {
    await query('update users set free_access_granted = true where id = $1', [user.id]);
    return ask('POST', '/api/admin/revoke-free-access', { userId: user.id });
  },
  'POST generate-api-key': makeKey,
  'DELETE api-keys/{id}': async (bench) => {
    await makeKey(bench);
    const [key] = await bench.query<{ id: string }>(
      `select id from auth_tokens where user_id = $1 and not is_revoked and token not like 'seed%' order by created_at desc limit 1`,
      [bench.changed.id],
    );
    return bench.ask('DELETE', `/api/admin/api-keys/${key!.id}`, {});
  },
  'POST incidents/{id}/replay': async ({ ask, query }) => {
    await query(`insert into stripe_events (id, type, status, occurred_at) values ('evt_bench', 'invoice.paid', 'parked', now())
      on conflict (id) do update set status = 'parked'`);
    return ask('POST', '/api/admin/incidents/evt_bench/replay', {});
  },
  'POST reset-password (with bcrypt)': ({ ask, changed: user }) =>
    ask('POST', '/api/admin/reset-password', { userId: user.id, newPassword: 'Fresh-Start-2026' }),
};

async function makeKey({ ask, query, changed: user }: Bench) {
  await query(
    `insert into tool_subscriptions (user_id, tool_id, status, revision) select $1, 'fact-find-ai', 'active', 1
     where not exists (select 1 from tool_subscriptions where user_id = $1 and tool_id = 'fact-find-ai' and is_active)`,
    [user.id],
  );
  return ask('POST', '/api/admin/generate-api-key', { userId: user.id, toolId: 'fact-find-ai' });
}
