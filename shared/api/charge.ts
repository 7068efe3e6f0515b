import * as z from 'zod';
import { cents } from './fields.ts';

/**
 * What the pressed button said: this amount, charged to the card on file with these last digits (null where credit pays it all and
 * there is no card), and what the next bill then comes to. Anything else is refused (409) with what is due now.
 */
export const charge = z.strictObject({
  cents,
  last4: z
    .string()
    .regex(/^\d{4}$/, { error: 'Not the end of a card number' })
    .nullable(),
  nextCents: cents.optional(),
});
export type Charge = z.output<typeof charge>;

/** What the browser still has to confirm with Stripe after a call; usually nothing. */
export const confirmation = z.object({
  /** If set, the browser has to confirm a card with Stripe, then call sync. */
  clientSecret: z.string().nullable(),
  /** What it confirms: a payment, or a card for later. */
  intent: z.enum(['payment', 'setup', 'none']),
  /** What confirming charges. */
  amountCents: cents,
  /** What the payer's credit has taken off it. */
  creditCents: cents,
});
export type Confirmation = z.output<typeof confirmation>;
