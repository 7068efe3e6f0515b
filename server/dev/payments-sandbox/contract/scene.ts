import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';

/** Who answers: the sandbox, or a test account at Stripe. */
export type Side = {
  stripe: Stripe;
  /** Each case has its own clock: what binds a customer to it, its time in seconds, and a way to let days pass. */
  clock(): Promise<{ customer: { test_clock?: string }; now(): number; pass(days: number): Promise<void> }>;
};

/** One thing that we rely on. `run` returns values without ids, which are the same whoever answers. */
export type Case = { name: string; run(scene: Scene): Promise<unknown>; is: unknown };
export type Outcome = { name: string; is: unknown; was: unknown; alike: boolean };

export const DAY = 86_400;
export const HOURS = 1 / 24;
const expand = ['latest_invoice.payments', 'latest_invoice.confirmation_secret', 'pending_setup_intent'];

export const idOf = (value: string | { id: string } | null | undefined) =>
  typeof value === 'string' ? value : (value?.id ?? '');
export const invoiceOf = ({ latest_invoice: invoice }: Stripe.Subscription) => invoice as Stripe.Invoice;
export const periodOf = ({ items }: Stripe.Subscription) => ({
  start: items.data[0]!.current_period_start,
  end: items.data[0]!.current_period_end,
});
export const intentOf = (invoice: Stripe.Invoice) => idOf(invoice.payments?.data[0]?.payment.payment_intent);

type Refusal = { status: number; type: string; code?: string; param?: string; decline_code?: string };
type Raw = { rawType?: string; statusCode?: number; code?: string; param?: string; decline_code?: string };

/** What a refusal says, or `accepted` where there was none. */
export const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    ({ rawType: type, statusCode: status, code, param, decline_code }: Raw) =>
      JSON.parse(JSON.stringify({ status, type, code, param, decline_code })) as Refusal,
  );

/** The same in short: its status and code. */
export const short = async (call: Promise<unknown>) => {
  const said = await refusal(call);
  return typeof said === 'string' ? said : { status: said.status, code: said.code };
};

/** What most cases begin with: a customer on a clock, a monthly price with GST inside, coupons, purchases. */
async function createScene(side: Side) {
  const { stripe } = side;
  const clock = await side.clock();
  const newCustomer = async (params: Stripe.CustomerCreateParams = {}) =>
    (await stripe.customers.create({ ...clock.customer, ...params })).id;
  const customer = await newCustomer();
  const newProduct = async (name: string) => (await stripe.products.create({ name })).id;
  const product = await newProduct('File Note AI');
  const newPrice = async (cents: number, rest: Partial<Stripe.PriceCreateParams> = {}) =>
    stripe.prices.create({
      product,
      currency: 'aud',
      unit_amount: cents,
      recurring: { interval: 'month' },
      tax_behavior: 'inclusive',
      ...rest,
    });
  const gst = async () =>
    (
      await stripe.taxRates.create({
        display_name: 'GST',
        percentage: 10,
        inclusive: true,
        country: 'AU',
        tax_type: 'gst',
      })
    ).id;
  let known: Promise<string> | undefined;
  const rate = () => (known ??= gst());
  /** An item of a bill: a tool that costs so many cents a month. */
  const tool = async (cents: number, own = product) => ({
    price_data: {
      currency: 'aud',
      product: own,
      recurring: { interval: 'month' as const },
      unit_amount: cents,
      tax_behavior: 'inclusive' as const,
    },
    tax_rates: [await rate()],
  });
  const coupon = async (percent_off: number, months: number | 'forever' | 'once' = 'forever') =>
    (
      await stripe.coupons.create({
        percent_off,
        ...(typeof months === 'number' ? { duration: 'repeating', duration_in_months: months } : { duration: months }),
      })
    ).id;
  const subscribe = async ({
    cents = 2500,
    ...params
  }: Partial<Stripe.SubscriptionCreateParams> & { cents?: number } = {}) =>
    stripe.subscriptions.create({
      customer,
      items: [{ price: (await newPrice(cents)).id }],
      billing_mode: { type: 'flexible' },
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
      expand,
      ...params,
    });
  const pay = (subscription: Stripe.Subscription, card = 'pm_card_visa') =>
    stripe.paymentIntents.confirm(intentOf(invoiceOf(subscription)), { payment_method: card });
  const read = ({ id }: { id: string }) => stripe.subscriptions.retrieve(id, { expand });
  const paid = async (params: Parameters<typeof subscribe>[0] = {}) => {
    const subscription = await subscribe(params);
    await pay(subscription);
    return read(subscription);
  };
  const trial = (days = 30, rest: Parameters<typeof subscribe>[0] = {}) =>
    subscribe({
      trial_period_days: days,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      ...rest,
    });
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
  /** Prorations that wait for an invoice, newest first. */
  const waiting = async () => (await stripe.invoiceItems.list({ customer, pending: true, limit: 100 })).data;
  const balance = async () => ((await stripe.customers.retrieve(customer)) as Stripe.Customer).balance;
  return {
    stripe,
    clock,
    customer,
    newCustomer,
    newPrice,
    newProduct,
    gst,
    rate,
    tool,
    coupon,
    subscribe,
    pay,
    read,
    paid,
    trial,
    card,
    defaultCard,
    toRenewal,
    renewed,
    waiting,
    balance,
  };
}
export type Scene = Awaited<ReturnType<typeof createScene>>;

/** Runs every case against one side, one after another. */
export async function runCases(side: Side, cases: readonly Case[], onEach: (outcome: Outcome) => void) {
  const outcomes: Outcome[] = [];
  for (const { name, run, is } of cases) {
    const scene = await createScene(side);
    const answered = await run(scene).catch(
      (error: unknown) => `failed: ${error instanceof Error ? error.message : String(error)}`,
    );
    // Left behind, its subscriptions would go on renewing while the next cases let time pass.
    await side.stripe.customers.del(scene.customer).catch(() => undefined);
    const was: unknown = JSON.parse(JSON.stringify(answered ?? null));
    const outcome = { name, is, was, alike: isDeepStrictEqual(was, is) };
    outcomes.push(outcome);
    onEach(outcome);
  }
  return outcomes;
}
