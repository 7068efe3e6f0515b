import type Stripe from 'stripe';
import { minute } from '#shared/rules/dates.ts';
import { realNow } from '#server/platform/clock.ts';
import { askStripe, type Asking, isKeptFault } from './ask.ts';

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
