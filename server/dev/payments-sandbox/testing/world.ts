import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import express from 'express';
import { Pool } from 'pg';
import Stripe from 'stripe';
import { afterAll, afterEach, expect } from 'vitest';
import { createValidator, findRoute } from '../http/parameters.ts';
import { startSandbox } from '../index.ts';
import type { Operation } from '../operations.ts';
import { schema } from '../schema/schema.ts';
import { change, createStore, type Store } from '../store/store.ts';

const START = Date.UTC(2026, 0, 31, 9, 0, 0);
const DAY_MS = 86_400_000;
const keys = { secret: 'sk_test_sandbox', publishable: 'pk_test_sandbox', webhook: 'whsec_sandbox' };

export const realNow = () => new Date(performance.timeOrigin + performance.now());
/** What the run was given, by its name. */
export const given = (name: string): string => (import.meta.env as Record<string, string | undefined>)[name] ?? '';

export const sdk = (secret: string, config: Stripe.StripeConfig = {}) =>
  new Stripe(secret, { maxNetworkRetries: 2, telemetry: false, ...config });

const answerValidator = createValidator(false);
/** What is wrong with an answer, by the SDK's types; empty when it is right. */
export function answerFaults(operation: Operation, body: unknown): string[] {
  const validate = answerValidator(schema.operations[operation]!.response);
  if (validate(body)) return [];
  return (validate.errors ?? []).map((e) => `${operation} ${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
}

/** The SDK's own client, which adds to `faults` what is wrong with the answers. */
function checkingClient(faults: string[]) {
  const client = Stripe.createNodeHttpClient();
  const send = client.makeRequest.bind(client);
  client.makeRequest = async (...given) => {
    const [, , path, method] = given;
    const response = await send(...given);
    const parse = response.toJSON.bind(response);
    response.toJSON = async () => {
      const body: unknown = await parse();
      const { operation } = findRoute(method, path.split('?')[0]!);
      if (response.getStatusCode() === 200) faults.push(...answerFaults(operation, body));
      return body;
    };
    return response;
  };
  return client;
}

/** Numbers from 0 to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

async function withPool<T>(connectionString: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool({ connectionString });
  return work(pool).finally(() => pool.end());
}

/** An empty database on the run's PostgreSQL. */
async function emptyDatabase() {
  const name = `sandbox_${randomBytes(6).toString('hex')}`;
  const url = new URL(given('TEST_POSTGRES_URL'));
  const ask = (sql: string) => withPool(url.href, (pool) => pool.query(sql));
  await ask(`create database ${name}`);
  const drop = () => ask(`drop database ${name} with (force)`);
  return { url: Object.assign(new URL(url), { pathname: `/${name}` }).href, drop };
}

/** A sandbox on a database of its own, the real SDK on it, a receiver for its webhooks and a clock to move. */
export async function sandboxWorld({ silent = false } = {}) {
  const database = await emptyDatabase();
  let milliseconds = START;
  const received: Stripe.Event[] = [];
  const faults: string[] = [];
  let refuseNext = 0;
  let stripe: Stripe | undefined;

  const app = express();
  app.post('/hook', express.raw({ type: 'application/json', limit: '1mb' }), (request, response) => {
    if (refuseNext > 0) {
      refuseNext -= 1;
      return void response.sendStatus(500);
    }
    const signature = request.get('stripe-signature') ?? '';
    const event = stripe!.webhooks.constructEvent(request.body as Buffer, signature, keys.webhook, 300);
    received.push(event);
    response.sendStatus(200);
  });
  const receiver = createServer(app).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const write = (about: object, message: string) => silent || process.stderr.write(`${message} ${inspect(about)}\n`);

  const start = () =>
    startSandbox({
      databaseUrl: database.url,
      now: () => new Date(milliseconds),
      webhookUrl: () => `${address}/hook`,
      realNow,
      keys,
      log: { debug: () => undefined, warn: () => undefined, error: write },
    });
  const sandbox = await start();
  const connect = ({ host, port }: { host: string; port: number }) =>
    sdk(keys.secret, { host, port, protocol: 'http', httpClient: checkingClient(faults) });
  stripe = connect(sandbox);
  app.use('/sandbox', sandbox.browser);
  const live = stripe;

  afterAll(async () => {
    await sandbox.close();
    receiver.close().closeAllConnections();
    await database.drop();
  });

  return {
    sandbox,
    stripe: live,
    databaseUrl: database.url,
    received,
    /** Answers that did not match the SDK's types. */
    faults,
    refuse: (times: number) => (refuseNext = times),
    seconds: () => Math.floor(milliseconds / 1000),
    startAnother: start,
    connect,
    /** Moves the clock without doing what falls due. */
    jump: (days: number) => (milliseconds += days * DAY_MS),
    async advance(days: number) {
      milliseconds += days * DAY_MS;
      await sandbox.tick();
    },
    /** Gives a subscription what an older release gave with a coupon: nothing does any more. */
    async discount(
      subscription: string,
      { end = null, ...coupon }: Pick<Stripe.Coupon, 'duration' | 'percent_off'> & { end?: number | null },
    ) {
      const write = async (store: Store) => {
        const of = await store.get('subscription', subscription);
        const id = `coupon_${of.discounts.length}_${subscription}`;
        await store.save({ ...coupon, id, object: 'coupon', created: store.at } as Stripe.Coupon);
        const source = { coupon: id, type: 'coupon' as const };
        const { customer } = of;
        const said = { customer: customer as string, end, source, start: store.at, subscription };
        const discount = await store.create('discount', said);
        await store.save({ ...of, discounts: [...of.discounts, discount.id] as string[] });
      };
      await withPool(database.url, (pool) => change(pool, (client) => write(createStore(client, 0))));
    },
    types: (from = 0) => received.slice(from).map((event) => event.type),
    /** A call from the browser, with the publishable key. */
    async browser(path: string, form: Record<string, string>) {
      const body = new URLSearchParams({ key: keys.publishable, ...form });
      const response = await fetch(`${address}/sandbox/v1/${path}`, { method: 'POST', body });
      return {
        status: response.status,
        body: (await response.json()) as { status?: string; error?: Record<string, unknown> },
      };
    },
  };
}
type World = Awaited<ReturnType<typeof sandboxWorld>>;

/** The world of one test file, with a shop in it; every answer is held to the SDK's types. */
export async function sandboxShop(how: { silent?: boolean } = {}) {
  const world = await sandboxWorld(how);
  afterEach(() => expect(world.faults).toEqual([]));
  return { world, shop: await seedSandbox(world) };
}

/** What a purchase needs: a customer, and a product that costs $25.00 a month with GST inside. */
async function seedSandbox({ stripe }: World) {
  const customer = await stripe.customers.create({ email: 'ada@example.com', name: 'Ada Adviser' });
  const gst = await stripe.taxRates.create({
    display_name: 'GST',
    percentage: 10,
    inclusive: true,
    country: 'AU',
    tax_type: 'gst',
  });
  const product = await stripe.products.create({ id: 'tool_file-note-ai', name: 'File Note AI' });
  /** An item that costs so many cents a month, GST inside. */
  const tool = (unit_amount: number) => ({
    price_data: {
      product: product.id,
      currency: 'aud',
      unit_amount,
      tax_behavior: 'inclusive' as const,
      recurring: { interval: 'month' as const },
    },
  });
  const subscribe = (params: Partial<Stripe.SubscriptionCreateParams> = {}, idempotencyKey?: string) =>
    stripe.subscriptions.create(
      {
        customer: customer.id,
        items: [tool(2500)],
        billing_mode: { type: 'flexible' },
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
        default_tax_rates: [gst.id],
        metadata: { toolId: 'file-note-ai' },
        expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
        ...params,
      },
      idempotencyKey ? { idempotencyKey } : undefined,
    );
  /** Bought and paid for with a good card. */
  const paid = async (params: Partial<Stripe.SubscriptionCreateParams> = {}) => {
    const subscription = await subscribe(params);
    await stripe.paymentIntents.confirm(intentId(paymentSecret(subscription)), { payment_method: 'pm_card_visa' });
    return subscription;
  };
  return { customer, product, tool, subscribe, paid };
}

const invoiceOf = (subscription: Stripe.Subscription): Stripe.Invoice => subscription.latest_invoice as Stripe.Invoice;
export const paymentSecret = (subscription: Stripe.Subscription) =>
  invoiceOf(subscription).confirmation_secret?.client_secret ?? '';
export const intentId = (secret: string) => secret.slice(0, secret.indexOf('_secret_'));
