import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { minute } from '#shared/rules/dates.ts';
import { realNow } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { memoOf } from '#server/platform/memo.ts';

export type Asking = Pick<Context, 'payments'>;

/** How long a caller waits for an answer from Stripe, in milliseconds; the SDK's own retries may go on afterwards. */
const patienceMs = 12_000;

class TooSlow extends Error {}

/** The first wait after a 429, in milliseconds; each later one is twice as long, up to a third of the patience. */
const firstWaitMs = 250;

/**
 * Stripe limits requests per second, and takes one at a time for an object (`lock_timeout`). A 429 means that nothing was
 * done, so we ask again after a random wait, which keeps callers from all coming back together.
 */
export async function untilHeard<T>(ask: () => Promise<T>, wait: (ms: number) => Promise<unknown>): Promise<T> {
  for (let ms = firstWaitMs; ; ms *= 2) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeRateLimitError) || ms > patienceMs / 3) throw error;
      await wait(ms * (0.5 + Math.random() / 2));
    }
  }
}

/**
 * What this process made or found at Stripe, so that a purchase does not ask again. Somebody may archive it in the Dashboard, so every
 * refusal of Stripe's makes us forget it.
 */
export const knownObjects = memoOf(() => new Map<string, Promise<string>>());

/** Makes one call to Stripe. Where its outcome is unknown, the error tells the caller to try again with the same idempotency key. */
export async function askStripe<T>(context: Asking, ask: (stripe: Stripe) => Promise<T>): Promise<T> {
  try {
    const answer = untilHeard(() => ask(context.payments.stripe), sleep);
    return await inTime(answer, patienceMs, 'Stripe did not answer in time');
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) knownObjects(context.payments).clear();
    if (!(error instanceof TooSlow) && !outcomeUnknown(error)) throw error;
    throw new AppError('payment_provider_unavailable', { retryAfterSeconds: 5, cause: error });
  }
}

/** For `catch`: null instead of an expected refusal. */
export const nullIf = (isExpected: (error: unknown) => boolean) => (error: unknown) => {
  if (isExpected(error)) return null;
  throw error;
};

/** The answer; null where Stripe or the bank refused. */
export const unlessRefused = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(nullIf(isRefusal));

/** Asks Stripe; null where it or the bank refused. */
export const askStripeUnlessRefused = <T>(context: Asking, ask: (stripe: Stripe) => Promise<T>): Promise<T | null> =>
  unlessRefused(askStripe(context, ask));

/** Asks Stripe; null where it has no such object. */
export const askStripeIfThere = <T>(context: Asking, ask: (stripe: Stripe) => Promise<T>): Promise<T | null> =>
  askStripe(context, ask).catch(nullIf(isMissing));

/** How long one further key is used, in milliseconds. */
const furtherKeyFor = 10 * minute;

/**
 * Makes something once, under a key of our own ids. Stripe repeats its first answer to a key for at least a day, also a 500, which it may
 * have given before or after the thing was made. `find` then looks for it, and where there is nothing, a further key makes it: every
 * process derives the same one, and ten minutes later another, so that no number of faults blocks it for longer.
 */
export async function askOnce<T>(
  context: Asking,
  key: string,
  make: (stripe: Stripe, options: { idempotencyKey: string }) => Promise<T>,
  find: () => Promise<T | null>,
): Promise<T> {
  const ask = (idempotencyKey: string, otherwise: (fault: unknown) => Promise<T>): Promise<T> =>
    askStripe(context, (stripe) => make(stripe, { idempotencyKey })).catch(async (error: unknown) => {
      if (!isKeptFault(error)) throw error;
      return (await find()) ?? otherwise(error);
    });
  const further = `${key}:at:${Math.floor(realNow().getTime() / furtherKeyFor)}`;
  return ask(key, () => ask(further, (fault) => Promise.reject(fault)));
}

/** What it comes to, or `TooSlow` after so many milliseconds; the work may go on afterwards. */
export async function inTime<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooSlow(message)), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Stripe may have done it or not: it did not answer, or was busy. */
const outcomeUnknown = (error: unknown) =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  error instanceof Stripe.errors.StripeAPIError ||
  (error instanceof Stripe.errors.StripeError && error.statusCode === 409);

/** Stripe's answer is a 500, which it repeats under the same key. After a 502 to 504 nobody knows whether Stripe is still at it. */
export const isKeptFault = (error: unknown) =>
  error instanceof AppError && error.cause instanceof Stripe.errors.StripeAPIError && error.cause.statusCode === 500;

export const isMissing = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.code === 'resource_missing' || error.code === 'invoice_upcoming_none');

/** An object with this id exists, so there is nothing left to create. */
export const alreadyExists = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_already_exists';

/** Stripe or the bank refused the request: nothing was made, and the same request would be refused again. */
export const isRefusal = (
  error: unknown,
): error is InstanceType<typeof Stripe.errors.StripeCardError | typeof Stripe.errors.StripeInvalidRequestError> =>
  error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError;

/** The key was used for a different request, which an older version of this code made. */
export const isReusedKey = (error: unknown) => error instanceof Stripe.errors.StripeIdempotencyError;

/** The id of an expandable reference. */
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);
