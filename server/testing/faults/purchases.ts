import { confirm } from '../purchases.ts';
import { call, type Adviser } from './people.ts';
import type { Database } from './postgres.ts';
import type { Server } from '../production-server.ts';
import { expect, until } from '../until.ts';

export type PurchaseRow = {
  id: string;
  status: string;
  stripe_subscription_id: string | null;
  attempt: number | null;
};

/** `POST /api/create-subscription`; null if no answer came. */
export const buy = (server: Pick<Server, 'base'>, adviser: Adviser, toolId: string, trial = false) =>
  call(server, '/api/create-subscription', { body: { toolId, trial }, cookie: adviser.cookie }).catch(() => null);

/** Our rows of this adviser for the tool. */
export const rowsOf = (database: Database, adviser: Adviser, toolId: string) =>
  database.query<PurchaseRow>(
    `select id, status, stripe_subscription_id, (purchase->>'attempt')::int as attempt
     from tool_subscriptions where user_id = $1 and tool_id = $2`,
    [adviser.id, toolId],
  );

const madeFor = `kind = 'subscription' and data->'metadata'->>'userId' = $1 and data->'metadata'->>'toolId' = $2`;

/** This adviser's Stripe subscriptions for the tool, but not cancelled or expired ones, as attempts leave that another price replaced. */
export const stripeSubscriptionsOf = async (database: Database, adviser: Adviser, toolId: string): Promise<string[]> =>
  (
    await database.query<{ id: string }>(
      `select id from sandbox.objects where ${madeFor} and data->>'status' not in ('canceled', 'incomplete_expired')`,
      [adviser.id, toolId],
    )
  ).map(({ id }) => id);

/** Confirms the payment at Stripe, as a browser does after the form; returns its status. */
export const payAtStripe = async (server: Server, clientSecret: string) =>
  (await confirm({ url: server.base }, clientSecret, 'pm_card_visa')).body.status;

/** Throws unless there are one row and one Stripe subscription, which the row knows; returns the row. */
export async function expectOne(database: Database, adviser: Adviser, toolId: string): Promise<PurchaseRow> {
  const rows = await rowsOf(database, adviser, toolId);
  const known = await stripeSubscriptionsOf(database, adviser, toolId);
  const [row] = rows;
  expect(rows.length === 1 && row, `${rows.length} rows for one purchase of ${toolId}`);
  expect(known.length === 1, `${known.length} Stripe subscriptions for one purchase of ${toolId}`);
  expect(row.stripe_subscription_id === known[0], `the row of ${toolId} knows another Stripe subscription`);
  return row;
}

/** Buys, again until it is answered, and pays by card; throws unless the row becomes active and one invoice is paid. */
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
  const payments = await database.count(
    `select count(*) from sandbox.objects where kind = 'invoice' and data->>'status' = 'paid'
       and data->'parent'->'subscription_details'->>'subscription' in (select id from sandbox.objects where ${madeFor})`,
    [adviser.id, toolId],
  );
  expect(payments === 1, `${payments} paid invoices for one purchase of ${toolId}`);
}

/** Throws unless as many customers have paid at Stripe, each one invoice. */
export async function expectOneChargeEach(database: Database, customers: number): Promise<void> {
  const charged = await database.query<{ customer: string; paid: number }>(
    `select data->>'customer' as customer, count(*)::int as paid from sandbox.objects
     where kind = 'invoice' and data->>'status' = 'paid' and (data->>'amount_paid')::int > 0 group by 1`,
  );
  expect(
    charged.length === customers && charged.every(({ paid }) => paid === 1),
    `paid invoices by customer: ${JSON.stringify(charged)}`,
  );
}
