import Stripe from 'stripe';
import type { Env } from './env.ts';
import { traced } from './logs/telemetry.ts';

/** Stripe, or the payments sandbox, which the same SDK and code talk to. */
export type Payments = {
  stripe: Stripe;
  mode: 'stripe' | 'sandbox';
  publishableKey: string;
  /** The script that the browser loads in place of Stripe's own; null with real keys. */
  stripeJsUrl: string | null;
  /** The base URL of the browser's calls. */
  apiBase: string;
  webhookSecret: string;
};

export const sandboxKeys = {
  secret: 'sk_test_sandbox',
  publishable: 'pk_test_sandbox',
  webhook: 'whsec_sandbox',
} as const;

/** The version of Stripe's API that requests and webhooks use and the SDK's types describe. */
export const apiVersion = '2026-10-28.endive';

/** A path without ids, which would say whom it is about: Stripe's ids have digits. */
const withoutIds = (path: string) =>
  path
    .split('?')[0]!
    .split('/')
    .map((part) => (/\d/.test(part) && part !== 'v1' ? ':id' : part))
    .join('/');

/** Stripe's own client for Node, with each call as a span of its trace. */
function tracedClient() {
  const client = Stripe.createNodeHttpClient();
  const send = client.makeRequest.bind(client);
  client.makeRequest = (...given) => {
    const [host, , path, method] = given;
    const attributes = { 'http.request.method': method, 'server.address': host };
    return traced(`stripe ${method} ${withoutIds(path)}`, { kind: 'CLIENT', attributes }, async (span) => {
      const answer = await send(...given);
      span?.setAttribute('http.response.status_code', answer.getStatusCode());
      return answer;
    });
  };
  return client;
}

/** Each call has three attempts of 20 s. One that has to survive a restart needs an idempotency key from the caller. */
export function createStripe({ secretKey, host, port }: { secretKey: string; host?: string; port?: number }): Stripe {
  return new Stripe(secretKey, {
    apiVersion,
    timeout: 20_000,
    maxNetworkRetries: 2,
    telemetry: false,
    httpClient: tracedClient(),
    appInfo: { name: 'Adviserly' },
    ...(host !== undefined && port !== undefined && { host, port, protocol: 'http' as const }),
  });
}

/** Stripe if its keys are set, else the sandbox that listens at `sandbox`. */
export function createPayments(env: Env, sandbox: { host: string; port: number } | null): Payments {
  if (env.stripe) {
    return {
      stripe: createStripe({ secretKey: env.stripe.secretKey }),
      mode: 'stripe',
      publishableKey: env.stripe.publishableKey,
      stripeJsUrl: null,
      apiBase: 'https://api.stripe.com',
      webhookSecret: env.stripe.webhookSecret,
    };
  }
  if (!sandbox) throw new Error('neither Stripe keys nor a payments sandbox');
  return {
    stripe: createStripe({ secretKey: sandboxKeys.secret, ...sandbox }),
    mode: 'sandbox',
    publishableKey: sandboxKeys.publishable,
    stripeJsUrl: '/sandbox/stripe.js',
    apiBase: `${env.appUrl}/sandbox`,
    webhookSecret: sandboxKeys.webhook,
  };
}
