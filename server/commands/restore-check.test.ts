import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { type Facts, faultsOf, readFacts, refuseWithoutTables, unknownToUs } from './restore-check.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

it('the check counts what a database holds, and names what Stripe has beyond it', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  await app.context.queue.drain();
  const { stripe } = app.context.payments;
  const whole = await readFacts(app.database.url);
  expect(whole.figures).toMatchObject({ people: 1, 'subscriptions, running': 2, bills: 1, invoices: 1 });
  expect(whole.figures['invoices, paid, cents']).toBeGreaterThan(0);
  expect(await unknownToUs(stripe, whole)).toEqual([]);

  const [bought] = await rowsOf(
    app,
    'select monthly_cents from tool_subscriptions where stripe_subscription_id is not null',
  );
  for (const table of ['invoices', 'bills', 'tool_subscriptions']) await rowsOf(app, `delete from ${table}`);
  await rowsOf(app, 'update users set stripe_subscription_id = null, billing_anchor = null, next_bill_at = null');
  const older = await readFacts(app.database.url);
  expect(older.figures).toMatchObject({ people: 1, 'subscriptions, running': 0, 'invoices, paid, cents': 0 });
  expect(await unknownToUs(stripe, older)).toEqual([
    {
      id: [...whole.subscriptions][0],
      what: `active subscription to risk-profile-ai of adviser ${user.id}`,
      cents: bought!['monthly_cents'],
    },
    { id: [...whole.invoices][0], what: 'paid invoice', cents: bought!['monthly_cents'] },
  ]);
});

const now = new Date('2026-11-26T12:00:00Z');
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const facts = (figures: Record<string, number>, newest: Date | null): Facts => ({
  figures,
  newest,
  subscriptions: new Set(),
  invoices: new Set(),
});
const whole = { people: 3, invoices: 2, 'adjustment notes, cents': 0 };

it.each([
  ['of last night is a backup', facts(whole, ago(20)), facts({ ...whole, people: 4 }, now), []],
  ['of a quiet week is one', facts(whole, ago(170)), facts(whole, ago(169)), []],
  [
    'that is empty is none',
    facts({ people: 0, invoices: 0 }, null),
    facts(whole, now),
    [/none.*people \(3\)/, /none.*invoices/, /a day old/],
  ],
  [
    'without a table’s rows is none',
    facts({ ...whole, invoices: 0 }, ago(1)),
    facts(whole, now),
    [/none.*invoices \(2\)/],
  ],
  [
    'of the day before yesterday is none',
    facts(whole, ago(40)),
    facts(whole, now),
    [/a day old: it ends at 2026-11-24T20:00/],
  ],
  ['of last night, with no live database, is one', facts(whole, ago(20)), null, []],
  ['of last week, with no live database, is none', facts(whole, ago(170)), null, [/a day old/]],
  ['of a new installation is one', facts({ people: 0 }, null), facts({ people: 0 }, null), []],
])('a dump %s', (_what, restored, live, expected) => {
  const faults = faultsOf(restored, live, now);
  expect(faults).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

it('the check refuses a dump without our tables, which a migration would make', async () => {
  await expect(refuseWithoutTables(app.database.url)).resolves.toBeUndefined();
  const empty = await createTestDatabase();
  const client = new pg.Client({ connectionString: empty.url });
  await client.connect();
  await client.query('drop schema public cascade');
  await client.end();
  await expect(refuseWithoutTables(empty.url)).rejects.toThrow('does not have the tables');
  await empty.drop();
});
