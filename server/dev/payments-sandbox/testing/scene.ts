import type Stripe from 'stripe';
import { afterAll, expect, onTestFinished } from 'vitest';
import { given, realNow, sandboxWorld, sdk } from './world.ts';

export const DAY = 86_400;
export const HOURS = 1 / 24;
const expand = ['latest_invoice.payments', 'latest_invoice.confirmation_secret'];

export const now = { invoice_now: false, prorate: false } as const;
export const none = { proration_behavior: 'none' } as const;
export const invoiceOf = ({ latest_invoice: invoice }: Stripe.Subscription) => invoice as Stripe.Invoice;
export const periodOf = ({ items }: Stripe.Subscription) => ({
  start: items.data[0]!.current_period_start,
  end: items.data[0]!.current_period_end,
});
export const intentOf = ({ payments }: Stripe.Invoice) => payments!.data[0]!.payment.payment_intent as string;
export const amountsOf = (list: readonly { amount: number }[] | null) => (list ?? []).map(({ amount }) => amount);
/** A refusal of a request, beside what is said here. */
export const invalid = (rest: object = {}) => ({ statusCode: 400, rawType: 'invalid_request_error', ...rest });

/** Each case has its own clock: what binds a customer to it, its time in seconds, and a way to let days pass. */
type Clock = { customer: { test_clock?: string }; now(): number; pass(days: number): Promise<void> };
/** Who answers: the sandbox, or a test account at Stripe. */
type Side = { stripe: Stripe; clock(): Promise<Clock> };

async function sandboxSide(): Promise<Side> {
  const world = await sandboxWorld();
  afterAll(() => expect(world.faults).toEqual([]));
  return { stripe: world.stripe, clock: async () => ({ customer: {}, now: world.seconds, pass: world.advance }) };
}

/** Test clocks; leaves products behind. */
function stripeSide(): Side {
  const key = given('STRIPE_TEST_KEY');
  if (!/^[sr]k_test_\w+$/.test(key))
    throw new Error('STRIPE_TEST_KEY must be a test key (sk_test_…); nothing was asked.');
  const stripe = sdk(key);
  const { testClocks } = stripe.testHelpers;
  const patienceMs = 120_000;
  return {
    stripe,
    async clock() {
      let seconds = Math.floor(realNow().getTime() / 1000);
      const { id } = await testClocks.create({ frozen_time: seconds, name: 'Adviserly contract' });
      onTestFinished(async () => void (await testClocks.del(id)));
      return {
        customer: { test_clock: id },
        now: () => seconds,
        async pass(days) {
          seconds += Math.round(days * DAY);
          await testClocks.advance(id, { frozen_time: seconds });
          const isReady = async () => (await testClocks.retrieve(id)).status === 'ready';
          await expect.poll(isReady, { timeout: patienceMs, interval: 1000 }).toBe(true);
        },
      };
    },
  };
}

/** What most cases begin with: a customer on a clock, tools with GST inside, purchases. */
async function createScene({ stripe, clock: start }: Side) {
  const clock = await start();
  const newCustomer = async (params: Stripe.CustomerCreateParams = {}) =>
    (await stripe.customers.create({ ...clock.customer, ...params })).id;
  const customer = await newCustomer();
  // Left behind, its subscriptions would go on renewing while the next cases let time pass.
  onTestFinished(() =>
    stripe.customers.del(customer).then(
      () => undefined,
      () => undefined,
    ),
  );
  const newProduct = async (name = 'File Note AI') => (await stripe.products.create({ name })).id;
  const product = await newProduct();
  const gst = { display_name: 'GST', percentage: 10, inclusive: true, country: 'AU', tax_type: 'gst' } as const;
  const { id: rate } = await stripe.taxRates.create(gst);
  /** An item of a bill: a tool that costs so many cents a month. */
  const tool = (unit_amount: number, own = product) => ({
    price_data: {
      currency: 'aud',
      product: own,
      recurring: { interval: 'month' as const },
      unit_amount,
      tax_behavior: 'inclusive' as const,
    },
    tax_rates: [rate],
  });
  type Params = Partial<Stripe.SubscriptionCreateParams> & { cents?: number[] };
  const subscribe = ({ cents = [2500], ...params }: Params = {}) =>
    stripe.subscriptions.create({
      customer,
      items: cents.map((amount) => tool(amount)),
      billing_mode: { type: 'flexible' },
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
      expand,
      ...params,
    });
  const pay = (subscription: Stripe.Subscription, payment_method = 'pm_card_visa') =>
    stripe.paymentIntents.confirm(intentOf(invoiceOf(subscription)), { payment_method });
  const read = ({ id }: { id: string }) => stripe.subscriptions.retrieve(id, { expand });
  const paid = async (params: Params = {}) => {
    const subscription = await subscribe(params);
    await pay(subscription);
    return read(subscription);
  };
  const card = async (name: string, of = customer) => (await stripe.paymentMethods.attach(name, { customer: of })).id;
  const defaultCard = async (name: string) => {
    const id = await card(name);
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
    return id;
  };
  /** Goes to just after the end of the current period, when the renewal is a draft. */
  const toRenewal = async (subscription: Stripe.Subscription) => {
    await clock.pass((periodOf(subscription).end - clock.now()) / DAY + 0.1 * HOURS);
    return read(subscription);
  };
  const renewed = async (subscription: Stripe.Subscription) => {
    await toRenewal(subscription);
    await clock.pass(2 * HOURS);
    return read(subscription);
  };
  /** A renewal whose card is refused. */
  const inArrears = async () => {
    const { id } = await paid();
    const default_payment_method = await card('pm_card_chargeCustomerFail');
    return renewed(await stripe.subscriptions.update(id, { default_payment_method }));
  };
  /** An amount for part of a month: it waits for a bill, or is put on a draft. */
  const adjust = (amount: number, more: Stripe.InvoiceItemCreateParams = {}) => {
    const own = { currency: 'aud', discountable: false, tax_rates: [rate], description: 'Hugh Lang joined' };
    return stripe.invoiceItems.create({ customer, amount, ...own, ...more });
  };
  /** What waits for an invoice, newest first. */
  const waiting = async () => (await stripe.invoiceItems.list({ customer, pending: true, limit: 100 })).data;
  const balance = async () => ((await stripe.customers.retrieve(customer)) as Stripe.Customer).balance;
  const shop = { stripe, clock, customer, newCustomer, newProduct, rate, tool, subscribe, pay, read, paid };
  const later = { card, defaultCard, toRenewal, renewed, inArrears, adjust, waiting, balance };
  return { ...shop, ...later };
}
export type Scene = Awaited<ReturnType<typeof createScene>>;

/** Everything about Stripe that the product relies on is asked of the sandbox, or by `npm run stripe:contract` of a test account. */
export async function contract(): Promise<() => Promise<Scene>> {
  const side = import.meta.env.MODE === 'stripe' ? stripeSide() : await sandboxSide();
  return () => createScene(side);
}
