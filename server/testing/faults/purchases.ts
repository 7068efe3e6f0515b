import { confirm } from '../purchases.ts';
import { call, type Adviser } from './people.ts';
import type { Database } from './postgres.ts';
import type { Server } from '../production-server.ts';
import { expect, until } from '../until.ts';

export type PurchaseRow = { id: string; status: string };

/** `POST /api/create-subscription`; null if no answer came. */
export const buy = (server: Pick<Server, 'base'>, adviser: Adviser, toolId: string, trial = false) =>
  call(server, '/api/create-subscription', { body: { toolId, trial }, cookie: adviser.cookie }).catch(() => null);

/** Our rows of this adviser for the tool. */
export const rowsOf = (database: Database, adviser: Adviser, toolId: string) =>
  database.query<PurchaseRow>('select id, status from tool_subscriptions where user_id = $1 and tool_id = $2', [
    adviser.id,
    toolId,
  ]);

export type Purchase = { id: string; kind: 'first' | 'tool'; attempt: number; stripe_invoice_id: string | null };

/** This adviser's purchases of the tool that are paid or under way; another price, or another purchase, makes those before it void. */
export const purchasesOf = (database: Database, adviser: Adviser, toolId: string) =>
  database.query<Purchase>(
    `select id, kind, attempt, stripe_invoice_id from bills
     where user_id = $1 and kind in ('first', 'tool') and status <> 'void' and (lines @> $2 or parts @> $2)`,
    [adviser.id, JSON.stringify([{ toolId }])],
  );

/** Whether Stripe has something that was asked for this purchase. */
export const isAtStripe = async (database: Database, { id }: Purchase): Promise<boolean> =>
  (await database.count(
    `select count(*) from sandbox.objects where kind in ('subscription', 'invoice') and data->'metadata'->>'billId' = $1`,
    [id],
  )) > 0;

/** This adviser's Stripe subscriptions, but not cancelled or expired ones, as void purchases leave. */
export const stripeSubscriptionsOf = async (database: Database, { id }: Adviser): Promise<string[]> =>
  (
    await database.query<{ id: string }>(
      `select id from sandbox.objects where kind = 'subscription' and data->'metadata'->>'userId' = $1
         and data->>'status' not in ('canceled', 'incomplete_expired')`,
      [id],
    )
  ).map((one) => one.id);

/** Confirms the payment at Stripe, as a browser does after the form; returns its status. */
export const payAtStripe = async (server: Server, clientSecret: string) =>
  (await confirm({ url: server.base }, clientSecret, 'pm_card_visa')).body.status;

/** Our bills of these statuses that nothing at Stripe matches, and the other way round. */
const unmatched = (database: Database, { id }: Adviser, [ours, theirs]: readonly [string[], string]) =>
  database.query<{ invoice: string }>(
    `select coalesce(bill.invoice, stripe.invoice) as invoice
     from (select stripe_invoice_id as invoice from bills where user_id = $1 and status = any($2)) bill
     full join (
       select id as invoice from sandbox.objects
       where kind = 'invoice' and data->>'status' = $3 and (data->>'total')::int > 0
         and data->>'customer' = (select stripe_customer_id from users where users.id = $1)
     ) stripe using (invoice)
     where bill.invoice is null or stripe.invoice is null`,
    [id, ours, theirs],
  );

/** Throws unless Stripe has this adviser's one subscription, and the invoices of their bills and no others. */
export async function expectSameAtStripe(database: Database, adviser: Adviser): Promise<void> {
  const [ours] = await database.query<{ id: string | null }>(
    `select coalesce(stripe_subscription_id, (select stripe_subscription_id from bills
       where user_id = users.id and status = 'attempt')) as id from users where id = $1`,
    [adviser.id],
  );
  const known = await stripeSubscriptionsOf(database, adviser);
  expect(
    known.length <= 1 && (known[0] ?? null) === ours!.id,
    `at Stripe there are ${known.length} subscriptions (${known.join(', ')}) of a payer of ${ours!.id}`,
  );
  for (const matched of [
    [['paid'], 'paid'],
    [['attempt', 'issued', 'unpaid'], 'open'],
  ] as const) {
    const [other] = await unmatched(database, adviser, [[...matched[0]], matched[1]]);
    expect(other === undefined, `${other?.invoice} is ${matched[1]} at Stripe or here, but not on both sides`);
  }
}

/** Throws unless there are one row and one purchase, or a trial and none, and Stripe has the same; returns the row. */
export async function expectOne(database: Database, adviser: Adviser, toolId: string): Promise<PurchaseRow> {
  const rows = await rowsOf(database, adviser, toolId);
  const purchases = await purchasesOf(database, adviser, toolId);
  const [row] = rows;
  expect(rows.length === 1 && row, `${rows.length} rows for one purchase of ${toolId}`);
  const bought = row.status === 'trial' ? 0 : 1;
  expect(purchases.length === bought, `${purchases.length} purchases of ${toolId}, which is ${row.status}`);
  await expectSameAtStripe(database, adviser);
  return row;
}

/** Buys, again until it is answered, and pays by card; throws unless the row becomes active and one invoice of it is paid. */
export async function buyAndPay(server: Server, database: Database, adviser: Adviser, toolId: string): Promise<void> {
  const { value: bought } = await until(`the purchase of ${toolId} is answered`, 20_000, async () => {
    const answer = await buy(server, adviser, toolId);
    return answer?.ok && ((await answer.json()) as { clientSecret: string | null });
  });
  expect(bought.clientSecret, `no payment is asked for ${toolId}`);
  const paid = await payAtStripe(server, bought.clientSecret);
  expect(paid === 'succeeded', `the payment of ${toolId} is ${paid}`);
  await until(`${toolId} is active`, 10_000, async () => {
    await call(server, `/api/subscriptions/${toolId}/sync`, { method: 'POST', body: {}, cookie: adviser.cookie });
    return (await rowsOf(database, adviser, toolId))[0]?.status === 'active';
  });
  await expectOne(database, adviser, toolId);
}

/** Throws unless customers at Stripe have paid so many invoices each. */
export async function expectCharges(database: Database, expected: number[]): Promise<void> {
  const charged = await database.query<{ customer: string; paid: number }>(
    `select data->>'customer' as customer, count(*)::int as paid from sandbox.objects
     where kind = 'invoice' and data->>'status' = 'paid' and (data->>'amount_paid')::int > 0 group by 1`,
  );
  const counts = charged.map(({ paid }) => paid).toSorted((a, b) => a - b);
  expect(counts.join() === expected.join(), `paid invoices by customer: ${JSON.stringify(charged)}`);
}
