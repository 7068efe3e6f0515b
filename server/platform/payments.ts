import Stripe from 'stripe';
import type { Env } from './env.ts';

/** The payment provider as the product sees it: the same SDK and code against Stripe and against the embedded sandbox. */
export type Payments = {
  stripe: Stripe;
  mode: 'stripe' | 'sandbox';
  publishableKey: string;
  /** Script the browser loads in place of the provider's own; null with real keys. */
  stripeJsUrl: string | null;
  /** Where the browser's calls go. */
  apiBase: string;
  webhookSecret: string;
};

export const sandboxKeys = {
  secret: 'sk_test_sandbox',
  publishable: 'pk_test_sandbox',
  webhook: 'whsec_sandbox',
} as const;

/** Timeout 20 s and three attempts a call; callers give their own idempotency key to whatever must survive a restart. */
export function createStripe({ secretKey, host, port }: { secretKey: string; host?: string; port?: number }): Stripe {
  return new Stripe(secretKey, {
    apiVersion: '2026-10-28.endive',
    timeout: 20_000,
    maxNetworkRetries: 2,
    telemetry: false,
    appInfo: { name: 'Adviserly' },
    ...(host !== undefined && port !== undefined && { host, port, protocol: 'http' as const }),
  });
}

/** Stripe when its three keys are set, else the sandbox that listens at `sandbox`. */
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

/** The provider did not answer, or not for sure: the outcome is unknown, so the same key is used again. */
export const outcomeUnknown = (error: unknown) =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  error instanceof Stripe.errors.StripeAPIError ||
  (error instanceof Stripe.errors.StripeError && error.statusCode === 409);

/** The provider has no such object. */
export const isMissing = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

/** An object with this id is there already: creating it is done. */
export const alreadyExists = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_already_exists';

/** The bank refused the card. */
export const isCardError = (error: unknown): error is InstanceType<typeof Stripe.errors.StripeCardError> =>
  error instanceof Stripe.errors.StripeCardError;

/** The provider refused the request or answered a fault of its own. */
export const isProviderError = (error: unknown): error is Error => error instanceof Stripe.errors.StripeError;
