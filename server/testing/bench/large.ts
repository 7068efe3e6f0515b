import pg from 'pg';

/** How many users `npm run seed:large` makes, with ten uses of tools each. */
const largeUsers = Number(process.env['LARGE_USERS'] ?? 200_000);
export const largeSize = { users: largeUsers, usage: largeUsers * 10 };

const firstNames =
  'Olivia Jack Charlotte William Amelia Noah Isla Oliver Mia Henry Grace Leo Ava Theodore Chloe Thomas Zoe Lucas Ruby James Ella Liam Sophie Ethan Matilda Archie Hannah Max Evie Xavier Priya Wei Aisha Dimitri Linh Fatima Giulia Marek Sione Yuki';
const lastNames =
  "Smith Jones Williams Brown Wilson Taylor Johnson White Martin Anderson Thompson Nguyen Thomas Walker Harris Lee Ryan Robinson Kelly King Davis Wright Evans Roberts Green Hall Wood Jackson Clarke Patel Khan Lewis James Phillips Mason Mitchell Rose Davies Rodriguez Cox Alexander Garcia Singh Chen Kowalski Papadopoulos Russo Murphy O''Brien Tran";
const tools = "array['risk-profile-ai','fact-find-ai','file-note-ai','pre-fill-ai','lost-money-ai','share-advice-ai']";
const list = (words: string) => `string_to_array('${words}', ' ')`;

/** Nobody can sign in as one of these; their addresses end in `.large.example`, one in a hundred has free access. */
const insertUsers = `
  insert into users (email, password, first_name, last_name, dealer_group, email_verified, profile_completed,
    free_access_granted, membership_type, created_at, updated_at)
  select lower(replace(f, '''', '')) || '.' || lower(replace(l, '''', '')) || n || '@practice' || n % 20000 || '.large.example',
    '!', f, l, 'Independent', n % 10 <> 0, n % 8 <> 0, n % 100 = 0,
    case when n % 20 = 0 then 'shaw_partners' when n % 7 = 0 then 'team' else 'standard' end, at, at
  from (
    select n, (${list(firstNames)})[1 + n * 7919 % 40] as f,
      (${list(lastNames)})[1 + n * 104729 % 50] || case when n % 3 = 0 then '-' || initcap(substr(md5(n::text), 1, 5)) else '' end as l,
      now() - ($1 - n) * interval '700 days' / $1 as at
    from generate_series(1::bigint, $1) as n
  ) as people`;

/** One in five pays for a tool, on a bill of their own. */
const beginBills = `
  update users set stripe_subscription_id = 'sub_large_' || seq, billing_anchor = now() + interval '20 days' - interval '1 year',
    next_bill_at = now() + interval '20 days'
  where email like '%.large.example' and seq % 5 = 0`;

/**
 * A few use the tools often, most now and then: some 5, 35 or 300 times, four times a day. Ids in sequence, so that their
 * index is written from left to right.
 */
const insertUsage = `
  insert into tool_usage (id, user_id, tool_id, session_id, last_accessed, ended_at, created_at)
  select ('5eed0000-0000-4000-8000-' || lpad(to_hex(seq * 512 + use), 12, '0'))::uuid, id,
    (${tools})[1 + (seq + use / 4) % 6], 'seed:' || seq || ':' || use, at + interval '20 minutes',
    at + interval '20 minutes', at
  from (
    select id, seq, use, now() - ((seq * 31 + use / 4 * 977) % 300 * 1440 + use % 4 * 90 + 60) * interval '1 minute' as at
    from users, generate_series(1, (case when seq % 100 = 0 then 300 when seq % 10 = 0 then 35 else 5 end + seq % 3)::int) as use
    where email like '%.large.example'
  ) as uses
  limit $1`;

const insertAudit = `
  insert into audit_log (actor_id, action, subject_type, subject_id, ip, created_at)
  select id, case when seq % 20 = 0 then 'account.password_reset' else 'account.registered' end, 'user', id::text,
    '203.0.113.7', created_at
  from users where email like '%.large.example'`;

const insertKeys = `
  insert into auth_tokens (user_id, token, tool_id, kind, last_four, expires_at, created_at)
  select id, 'seed' || id, 'risk-profile-ai', 'api_key', right(id::text, 4), now() + interval '300 days', created_at
  from users where email like '%.large.example' order by seq desc limit 2000`;

const insertIncidents = `
  insert into stripe_events (id, type, object_id, status, attempts, last_error, occurred_at)
  select 'evt_large_' || n, 'invoice.paid', 'in_large_' || n, case when n % 500 = 0 then 'parked' else 'processed' end, 9,
    'seeded', now() from generate_series(1, least($1, 10000)) as n`;

/** One in five has paid for a tool for a year; each has one invoice, of the last month. */
const insertPurchases = [
  `insert into tool_subscriptions (user_id, tool_id, status, stripe_subscription_id, unit_cents, monthly_cents, period_start, end_date, revision, created_at)
   select id, (${tools})[1 + seq % 4], 'active', 'sub_large_' || seq, 2500, 2500, now() - interval '10 days', now() + interval '20 days', 1,
     now() - interval '1 year'
   from users where email like '%.large.example' and seq % 5 = 0`,
  `insert into bills (user_id, kind, status, at, until, lines, parts, total_cents, gst_cents, stripe_subscription_id, stripe_invoice_id)
   select s.user_id, 'month', 'paid', s.period_start, s.end_date, jsonb_build_array(jsonb_build_object('subscriptionId', s.id,
     'toolId', s.tool_id, 'toolName', t.name, 'quantity', 1, 'unitCents', 2500, 'baseCents', 2500, 'discounts', '[]'::jsonb, 'cents', 2500,
     'gstCents', 227, 'from', s.period_start::date, 'to', s.end_date::date - 1)), '[]', 2500, 227, s.stripe_subscription_id, 'in_sub_' || s.id
   from tool_subscriptions s join tools t on t.id = s.tool_id where s.stripe_subscription_id like 'sub_large_%'`,
  `insert into invoices (stripe_invoice_id, user_id, subscription_id, number, status, description, total_cents, gst_cents, lines, issued_at)
   select 'in_sub_' || id, user_id, id, 'L-' || id, 'paid', 'Seeded', 2500, 227, '[]', now() - interval '10 days'
   from tool_subscriptions where stripe_subscription_id like 'sub_large_%'`,
  `insert into subscription_changes (subscription_id, payer_id, tool_id, at, month, status, plan, live, live_before, cents, cents_before,
     movement, cohort, has_paid, on_trial, owed_cents, trial_started, trial_converted, won_back, failed_cents, recovered_cents, lost_cents)
   select id, user_id, tool_id, created_at, sydney_month(created_at), 'active', 'individual', true, false, 2500, 0, 'new',
     sydney_month(created_at), true, false, 0, false, false, false, 0, 0, 0
   from tool_subscriptions where stripe_subscription_id like 'sub_large_%'`,
  // Five years of every tool, plan and cohort: the same number of rows however many people there are.
  `insert into subscription_changes (subscription_id, payer_id, tool_id, at, month, status, plan, plan_before, live, live_before, cents,
     cents_before, movement, cohort, has_paid, on_trial, owed_cents, trial_started, trial_converted, won_back, failed_cents, recovered_cents, lost_cents)
   select gen_random_uuid(), gen_random_uuid(), tool_id, now() - n * interval '1 month', sydney_month(now() - n * interval '1 month'), 'active',
     plan, plan, true, c > n, 2500, 0, 'new', sydney_month(now() - c * interval '1 month'), true, false, 0, false, false, false, 0, 0, 0
   from generate_series(0, 59) as c, generate_series(0, c) as n, unnest(${tools}) as tool_id, unnest(array['individual','partner','team']) as plan`,
  `refresh materialized view monthly_figures`,
  `refresh materialized view cohort_figures`,
];

/** What the triggers would have kept, had they run for each row. */
const fillRollups = [
  `insert into user_usage (user_id, total_usage, last_used)
   select user_id, count(*), max(last_accessed) from tool_usage join users on users.id = user_id
   where email like '%.large.example' group by 1`,
  `insert into usage_days (user_id, day, tool_id, sessions)
   select user_id, (tool_usage.created_at at time zone 'Australia/Sydney')::date, tool_id, count(*)
   from tool_usage join users on users.id = user_id where email like '%.large.example' group by 1, 2, 3`,
  `insert into tool_metrics (tool_id, date, total_sessions, total_users)
   select tool_id, day, sum(sessions), count(*) from usage_days where sessions > 0 group by 1, 2
   on conflict (tool_id, date) do update set total_sessions = excluded.total_sessions, total_users = excluded.total_users`,
];

/** Drops a table's indexes and foreign keys and disables its triggers; returns the statements that bring them back. */
async function strip(client: pg.Client, table: string): Promise<string[]> {
  await client.query(`alter table ${table} disable trigger user`);
  const { rows: constraints } = await client.query<{ conname: string; definition: string }>(
    `select conname, pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and contype = 'f'`,
    [table],
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { conname } of constraints) await client.query(`alter table ${table} drop constraint "${conname}"`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return [
    `alter table ${table} enable trigger user`,
    ...indexes.map(({ definition }) => definition),
    ...constraints.map(({ conname, definition }) => `alter table ${table} add constraint "${conname}" ${definition}`),
  ];
}

/**
 * Fills a migrated database that has the catalogue, in one transaction: an interruption leaves nothing. False if it was
 * filled before.
 */
export async function seedLarge(url: string, size: typeof largeSize, tell: (line: string) => void): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'adviserly seed' });
  await client.connect();
  try {
    const { rows } = await client.query(`select 1 from users where email like '%.large.example' limit 1`);
    if (rows.length > 0) return false;
    await fill(client, size, tell);
    return true;
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client, { users, usage }: typeof largeSize, tell: (line: string) => void) {
  await client.query('begin');
  await client.query(`set local maintenance_work_mem = '512MB'`);
  await client.query(`set local work_mem = '256MB'`);
  await client.query(`set local synchronous_commit = off`);
  const restore: string[] = [];
  for (const table of ['users', 'tool_usage', 'user_usage', 'usage_days'])
    restore.push(...(await strip(client, table)));
  tell(`${users.toLocaleString('en-AU')} users`);
  await client.query(insertUsers, [users]);
  await client.query(beginBills);
  await client.query('analyze users');
  tell(`${usage.toLocaleString('en-AU')} uses of tools`);
  await client.query(insertUsage, [usage]);
  tell('what is counted of them');
  for (const statement of fillRollups) await client.query(statement);
  tell('their indexes');
  for (const statement of restore) await client.query(statement);
  tell('audit log, API keys, incidents');
  await client.query(insertAudit);
  await client.query(insertKeys);
  await client.query(insertIncidents, [users]);
  tell('subscriptions and invoices');
  for (const table of ['tool_subscriptions', 'invoices'])
    await client.query(`alter table ${table} disable trigger user`);
  for (const statement of insertPurchases) await client.query(statement);
  for (const table of ['tool_subscriptions', 'invoices'])
    await client.query(`alter table ${table} enable trigger user`);
  await client.query('commit');
  await client.query('vacuum analyze');
}
