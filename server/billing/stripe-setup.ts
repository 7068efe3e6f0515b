import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { listTools } from '#server/catalogue/service.ts';
import { askStripe, askStripeIfThere } from '#server/stripe/ask.ts';
import { ensureGst, ensureProduct, findGst, productId } from '#server/stripe/products.ts';
import type { Context } from '#server/platform/context.ts';
import { apiVersion } from '#server/platform/payments.ts';
import { eventTypes } from './webhook.ts';

export type SetupContext = Pick<Context, 'db' | 'payments' | 'env'>;
type Options = { check: boolean };
const webhookUrl = ({ env }: SetupContext) => `${env.appUrl}/api/webhooks/stripe`;
/** What was made, what differs and stays so, and the new endpoint's secret, which Stripe shows once. */
export type Setup = { made: string[]; differences: string[]; webhookSecret: string | null };

/** What no API shows. Each is ticked by hand, in the Dashboard of the same mode. */
export const dashboardSettings = [
  'Settings → Billing → Subscriptions and emails → Manage failed payments: retries go on for at least 7 days (our grace period); then "leave the subscription past due".',
  "On that page, too: Stripe's own mails about renewals, trials, failed payments and expiring cards are off; we send our own.",
  "On that page, too: disputed payments don't cancel the subscription; an administrator decides.",
  'Settings → Payment methods: cards on; Link and bank debits may be off: our forms ask for cards only.',
  'Settings → Business → Public details: name, ABN and support address are the ones on our invoices.',
  'Settings → Business → Customer emails: successful payments and refunds are off; we send our own.',
  'Settings → Billing → Invoices: mails to customers about finalized invoices and credit notes are off; we send our own.',
  "Developers → Webhooks: the endpoint's secret is in STRIPE_WEBHOOK_SECRET, and its recent deliveries succeed.",
];

/**
 * Makes what the account lacks: products, the GST rate and the webhook endpoint. However often it runs, the
 * result is the same. With `check` it changes nothing. It names what it can't mend.
 */
export async function setUpStripe(context: SetupContext, options: Options): Promise<Setup> {
  const setup: Setup = { made: [], differences: [], webhookSecret: null };
  // A copy, so that nothing that this process saw before counts as known.
  const own = { ...context, payments: { ...context.payments } };
  const steps = [checkAccount, setUpProducts, setUpGst, setUpEndpoint];
  for (const step of steps)
    await step(own, setup, options).catch((error: unknown) => {
      // A restricted key that lacks a permission; the other steps may have theirs.
      if ((error as { rawType?: string; statusCode?: number }).statusCode !== 403) throw error;
      setup.differences.push(`the key lacks a permission: ${(error as Error).message}`);
    });
  return setup;
}

type Step = (context: SetupContext, setup: Setup, options: Options) => Promise<void>;

/** Makes what is missing and notes what that was; a check only names it. */
async function make({ made, differences }: Setup, { check }: Options, missing: string, create: () => Promise<string>) {
  if (check) differences.push(missing);
  else made.push(await create());
}

const checkAccount: Step = async (context, { differences }) => {
  const account = await askStripe(context, (stripe) => stripe.accounts.retrieveCurrent());
  if (account.country !== 'AU') differences.push(`the account is in ${account.country ?? 'no country'} instead of AU`);
  if (account.default_currency !== 'aud')
    differences.push(`the account's currency is ${account.default_currency ?? 'unset'} instead of aud`);
  if (!account.charges_enabled) differences.push('the account may not charge yet: complete its details');
  if (account.capabilities?.card_payments !== 'active') differences.push('card payments are not active');
  // A listed event has the version that was the account's default when it was made, and no API names that version.
  const { data } = await askStripe(context, (stripe) => stripe.events.list({ limit: 1 }));
  const version = data[0]?.api_version;
  if (version && version.slice(0, 10) < apiVersion.slice(0, 10))
    differences.push(
      `the default API version of the account is ${version}, older than ${apiVersion}: missed events are listed in it; upgrade it in Workbench`,
    );
};

const setUpProducts: Step = async (context, setup, options) => {
  for (const { id, name } of await listTools(context)) {
    if (id === lostMoneyTool) continue;
    const product = await askStripeIfThere(context, (stripe) => stripe.products.retrieve(productId(id)));
    const create = async () => `product ${await ensureProduct(context, { id, name })}`;
    if (!product) await make(setup, options, `product ${productId(id)} is missing`, create);
    else if (!product.active) setup.differences.push(`product ${product.id} is archived`);
  }
};

const setUpGst: Step = async (context, { made, differences }, { check }) => {
  if (await findGst(context)) return;
  if (check) return void differences.push('the GST rate is missing');
  const answered = await ensureGst(context);
  if ((await findGst(context))?.id === answered) made.push(`tax rate ${answered}`);
  else differences.push('the GST rate is missing still: Stripe repeated an older answer; run this again a day later');
};

const setUpEndpoint: Step = async (context, setup, options) => {
  const { differences } = setup;
  const url = webhookUrl(context);
  const { data } = await askStripe(context, (stripe) => stripe.webhookEndpoints.list({ limit: 100 }));
  const [endpoint, ...others] = data.filter((one) => one.url === url);
  if (others.length > 0)
    differences.push(`${data.length} webhook endpoints have the address ${url}: delete all but one`);
  if (!endpoint)
    return make(setup, options, `no webhook endpoint has the address ${url}`, async () => {
      const wanted = { url, enabled_events: eventTypes, api_version: apiVersion, description: 'Adviserly' } as const;
      const created = await askStripe(context, (stripe) => stripe.webhookEndpoints.create(wanted));
      setup.webhookSecret = created.secret ?? null;
      return `webhook endpoint ${created.id} (${url})`;
    });
  const { id, api_version: version, enabled_events: types, status } = endpoint;
  if (version !== apiVersion)
    differences.push(
      `webhook endpoint ${id} has version ${version ?? 'of the account'} instead of ${apiVersion}: delete it, then run this again`,
    );
  const wrong = [
    ...eventTypes.filter((type) => !types.includes(type)).map((type) => `lacks ${type}`),
    ...types.filter((type) => !(eventTypes as string[]).includes(type)).map((type) => `has ${type}, which we ignore`),
    ...(status === 'enabled' ? [] : [`is ${status}`]),
  ].join('; ');
  if (wrong === '') return;
  await make(setup, options, `webhook endpoint ${id} ${wrong}`, async () => {
    const mended = { enabled_events: eventTypes, disabled: false };
    await askStripe(context, (stripe) => stripe.webhookEndpoints.update(id, mended));
    return `webhook endpoint ${id}: ${wrong} (mended)`;
  });
};

/**
 * Sends a test event to our webhook's public address, signed as Stripe signs and unsigned: is it reached, and does it check
 * signatures with the secret configured here? The event is stored once, and ignored.
 */
export async function checkWebhook(context: SetupContext): Promise<string[]> {
  const url = webhookUrl(context);
  const event = { id: 'evt_setup_check', object: 'event', type: 'setup.check', created: 0, data: { object: {} } };
  const payload = JSON.stringify(event);
  const send = (signature: string) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: payload,
      signal: AbortSignal.timeout(10_000),
    });
  try {
    const { stripe, webhookSecret: secret } = context.payments;
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret });
    const [signed, unsigned] = [await send(signature), await send('')];
    if (signed.status === 200 && unsigned.status === 400) return [];
    return signed.status === 400 && unsigned.status === 400
      ? [`${url} refuses a test event that is signed with STRIPE_WEBHOOK_SECRET: the server runs with another secret`]
      : [
          `${url} answers a signed test event with ${signed.status} and an unsigned one with ${unsigned.status}, instead of 200 and 400`,
        ];
  } catch (error) {
    return [`${url} does not answer from here: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** The daily check of a real account: it fails where something differs, so that an administrator hears of it. */
export async function checkStripeAccount(context: Context): Promise<void> {
  if (context.payments.mode !== 'stripe') return;
  const { differences } = await setUpStripe(context, { check: true });
  if (differences.length > 0) throw new Error(`At Stripe ${differences.join('; ')}`);
}
