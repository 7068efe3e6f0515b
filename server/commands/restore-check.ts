import pg from 'pg';
import { hour } from '#shared/rules/dates.ts';
import type Stripe from 'stripe';

/** What is counted on both sides: SQL that returns one number, in cents where the name says so. */
const figures = {
  people: 'select count(*) from users where closed_at is null',
  teams: 'select count(*) from teams',
  'subscriptions, running': 'select count(*) from tool_subscriptions where is_active',
  'subscriptions, a month, cents': 'select coalesce(sum(monthly_cents), 0) from tool_subscriptions where is_active',
  bills: "select count(*) from bills where status <> 'attempt'",
  invoices: 'select count(*) from invoices',
  'invoices, paid, cents': 'select coalesce(sum(amount_paid_cents), 0) from invoices',
  'adjustment notes, cents': 'select coalesce(sum(total_cents), 0) from adjustment_notes',
  'uses of tools': 'select count(*) from tool_usage',
  'audit trail': 'select count(*) from audit_log',
} as const;

export type Facts = {
  figures: Record<string, number>;
  newest: Date | null;
  subscriptions: Set<string>;
  invoices: Set<string>;
};

/** Throws if a restored database is none of ours: migrating it would make the tables, and all figures 0. */
export async function refuseWithoutTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'adviserly restore check' });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from (values ('public.users'), ('public.invoices'), ('drizzle.__drizzle_migrations')) named (name)
       where to_regclass(name) is not null`,
    );
    if (rows[0]!.count !== '3') throw new Error('The dump does not have the tables of this product.');
  } finally {
    await client.end();
  }
}

/** Reads what a database holds, in one snapshot, and writes nothing. */
export async function readFacts(url: string): Promise<Facts> {
  const client = new pg.Client({ connectionString: url, application_name: 'adviserly restore check' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    const counted: Record<string, number> = {};
    for (const [name, text] of Object.entries(figures))
      counted[name] = Number(Object.values((await client.query<Record<string, string>>(text)).rows[0]!)[0]);
    const ids = async (text: string) => new Set((await client.query<{ id: string }>(text)).rows.map(({ id }) => id));
    return {
      figures: counted,
      newest: (await client.query<{ at: Date | null }>('select max(created_at) as at from audit_log')).rows[0]!.at,
      subscriptions: await ids(
        `select stripe_subscription_id as id from tool_subscriptions where stripe_subscription_id is not null
         union select stripe_subscription_id from users where stripe_subscription_id is not null
         union select stripe_subscription_id from teams where stripe_subscription_id is not null`,
      ),
      invoices: await ids('select stripe_invoice_id as id from invoices'),
    };
  } finally {
    await client.end();
  }
}

/** How far a dump may be behind the live database: a nightly one, that took its time. */
const behindAtMost = 26 * hour;

/** Why a restored dump is no backup of what is live; empty where it is one. Without a live database its age is all there is to judge. */
export function faultsOf(restored: Facts, live: Facts | null, now: Date): string[] {
  const faults = Object.entries(restored.figures).flatMap(([name, count]) => {
    const there = live?.figures[name] ?? 0;
    return count === 0 && there > 0 ? [`The dump has none of what is live: ${name} (${there}).`] : [];
  });
  const newest = live ? live.newest : now;
  const behind = newest && (restored.newest ? newest.getTime() - restored.newest.getTime() : Infinity);
  if (behind !== null && behind > behindAtMost) {
    const ends = restored.newest ? `ends at ${restored.newest.toISOString()}` : 'has no line of the audit trail';
    faults.push(
      `The dump is more than a day old: it ${ends}; ${live ? 'the live database goes on to' : 'it is'} ${newest!.toISOString()}.`,
    );
  }
  return faults;
}

export type Unknown = { id: string; what: string; cents: number };

/** The tool of a product of ours. */
const nameOf = (product: string | { id: string }) =>
  (typeof product === 'string' ? product : product.id).replace(/^tool_/, '');

/** What Stripe bills, or was paid for, and the database does not know. Only reads. */
export async function unknownToUs(stripe: Stripe, { subscriptions, invoices }: Facts): Promise<Unknown[]> {
  const found: Unknown[] = [];
  for await (const { id, status, metadata, items } of stripe.subscriptions.list({ limit: 100 }))
    if (!subscriptions.has(id)) {
      const payer = metadata['teamId'] ? `team ${metadata['teamId']}` : `adviser ${metadata['userId'] ?? 'unknown'}`;
      const tools = items.data.map(({ price }) => nameOf(price.product));
      const cents = items.data.reduce(
        (sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * (quantity ?? 1),
        0,
      );
      found.push({ id, what: `${status} subscription to ${tools.join(', ')} of ${payer}`, cents });
    }
  // What asked for nothing is not copied.
  for await (const { id, status, total, amount_paid: cents } of stripe.invoices.list({ status: 'paid', limit: 100 }))
    if (id && total !== 0 && !invoices.has(id)) found.push({ id, what: `${status} invoice`, cents });
  return found;
}
