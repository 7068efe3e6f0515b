import type pg from 'pg';
import { Pool } from 'pg';
import { browserRouter } from './browser/routes.ts';
import { listen, type Log } from './http/server.ts';
import type { Kind } from './store/objects.ts';
import { change, createStore, createTables, look, selectDue, type Store } from './store/store.ts';
import { nextDue, nextRenewal, runNextDue } from './time/advance.ts';
import { createDeliveries, createWebhookControl } from './webhooks/deliveries.ts';
import { SandboxError } from './http/error.ts';
import { intentOf } from './invoices/collect.ts';
import { issueCreditNote } from './invoices/credit-notes.ts';
import { chargeOf, closeDispute, leftOf, openDispute } from './payments/charges.ts';

async function paidInvoice(store: Store, id: string) {
  const invoice = await store.get('invoice', id);
  const intent = await intentOf(store, invoice);
  if (!intent) throw new SandboxError('This invoice was not paid with a card.');
  return { invoice, charge: await chargeOf(store, intent) };
}

/** What banks and merchants do without the product asking for it, for tests and for the buttons of /dev. */
export function createControls(pool: pg.Pool, seconds: () => number, changed: () => void) {
  const act = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const done = await change(pool, (client) => work(createStore(client, seconds())));
    changed();
    return done;
  };
  return {
    /** The customer's next charges are declined, whatever the card. */
    failNextCharges: (customerId: string, count = 1) =>
      act(async (store) => store.hide((await store.get('customer', customerId)).id, { failCharges: count })),
    /** As in Stripe's dashboard: a credit note whose amount goes back to the card; without `cents`, all that is left. */
    refundInvoice: (invoiceId: string, cents?: number) =>
      act(async (store) => {
        const { invoice, charge } = await paidInvoice(store, invoiceId);
        const amount = cents ?? leftOf(charge);
        if (amount === 0) throw new SandboxError('This invoice has been refunded already.');
        return issueCreditNote(store, invoice, { invoice: invoiceId, amount, refund_amount: amount });
      }),
    /** The cardholder tells their bank that the invoice's charge was not theirs. */
    openDispute: (invoiceId: string, how?: { inquiry?: boolean }) =>
      act(async (store) => openDispute(store, (await paidInvoice(store, invoiceId)).charge, how)),
    closeDispute: (disputeId: string, outcome: 'won' | 'lost' | 'prevented') =>
      act(async (store) => closeDispute(store, await store.get('dispute', disputeId), outcome)),
  };
}

export type SandboxOptions = {
  databaseUrl: string;
  /** Business time: what the sandbox's objects are dated with. */
  now: () => Date;
  /** The real time, for signatures. */
  realNow: () => Date;
  keys: { secret: string; publishable: string; webhook: string };
  /** Where events are posted; asked at every attempt, because the port is only known late. */
  webhookUrl: () => string;
  /** The types of events that are posted; all, where nothing is said. Every event is listed. */
  webhookEvents?: readonly string[];
  log: Log;
};

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The newest objects of each kind that a person asks about, for /dev. */
const newestObjects = (pool: Pool) =>
  look(pool, async (client) => {
    const { select } = createStore(client, 0);
    const newest = <K extends Kind>(kind: K) => select(kind, {}, { limit: 200 });
    return {
      customers: await newest('customer'),
      subscriptions: await newest('subscription'),
      invoices: await newest('invoice'),
      paymentMethods: await newest('payment_method'),
      events: await newest('event'),
    };
  });
export type SandboxObjects = Awaited<ReturnType<typeof newestObjects>>;

/** How often to look for what has fallen due while time passes by itself. */
const TICK_EVERY_MS = 30_000;

/** Stands in for Stripe where no keys are set. Its state is in the Postgres schema `sandbox` and survives restarts. */
export async function startSandbox(options: SandboxOptions) {
  const { databaseUrl, now, realNow, keys, webhookUrl, log } = options;
  // a few connections of its own, so that it never competes with the application's
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'payments-sandbox',
    max: 3,
    connectionTimeoutMillis: 15_000,
    // shorter than the SDK's own patience, so that a frozen database leads to an answer and a retry
    query_timeout: 15_000,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'payments sandbox: database connection lost'));
  // a connection lost while in use also fails its query, which is where it is handled
  pool.on('connect', (client) => client.on('error', () => undefined));
  await createTables(pool, options.webhookEvents);
  const seconds = () => Math.floor(now().getTime() / 1000);
  const { deliverPending, ...deliveries } = createDeliveries(pool, { webhookUrl, secret: keys.webhook, realNow, log });
  const server = await listen(pool, { secret: keys.secret, log, seconds, changed: deliveries.kick });

  /** Does everything that has fallen due by now, in the order of time; resolves when its webhooks have been tried. */
  async function tick() {
    const until = seconds();
    // events go out between the steps, so that listeners see a draft before it is charged
    while ((await selectDue(pool, until)) && (await runNextDue(pool, until))) await deliverPending();
    await deliverPending();
  }
  const timer = setInterval(() => {
    tick().catch((error: unknown) => log.error({ err: error }, 'payments sandbox: tick failed'));
  }, TICK_EVERY_MS);
  timer.unref();

  return {
    /** Where the SDK finds it, over plain http. */
    host: '127.0.0.1',
    port: server.port,
    /** For `/sandbox`: the stand-in for Stripe.js and the calls it makes. */
    browser: browserRouter(pool, keys.publishable, seconds, deliveries.kick),
    tick,
    nextRenewal: () => nextRenewal(pool),
    nextDue: () => nextDue(pool),
    list: () => newestObjects(pool),
    controls: createControls(pool, seconds, deliveries.kick),
    webhooks: createWebhookControl(pool, deliverPending),
    deliverPending,
    async close() {
      clearInterval(timer);
      await server.close();
      await deliveries.close();
      await pool.end();
    },
  };
}
