import type Stripe from 'stripe';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { isCardError, isProviderError, outcomeUnknown } from '#server/platform/payments.ts';

/** How long anybody waits for one answer of the provider, in milliseconds; the SDK's own tries may go on behind it. */
const patienceMs = 12_000;

class NoAnswer extends Error {}

/** The answer, or `NoAnswer` once the patience is over. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer('the provider did not answer in time')), patienceMs);
  });
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks the provider. Where the outcome stays unknown the caller hears "try again", and the same key is used then. */
export async function asked<T>(context: Context, ask: (stripe: Stripe) => Promise<T>): Promise<T> {
  try {
    return await inTime(ask(context.payments.stripe));
  } catch (error) {
    if (!(error instanceof NoAnswer) && !outcomeUnknown(error)) throw error;
    throw new AppError('payment_provider_unavailable', { retryAfterSeconds: 5, cause: error });
  }
}

const typeOf = (error: unknown) => (isProviderError(error) ? (error as Error & { type?: string }).type : undefined);

/** The provider looked at the request and said no: nothing was made, and asking the same again is useless. */
export const isRefusal = (error: unknown) => isCardError(error) || typeOf(error) === 'StripeInvalidRequestError';

/** The key was used before for something that reads differently: a newer version of this code wrote the request. */
export const isOtherRequest = (error: unknown) => typeOf(error) === 'StripeIdempotencyError';

/** An expandable reference as its id. */
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);
