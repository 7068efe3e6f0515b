import * as z from 'zod';
import { typedCents } from '#shared/rules/billing/money.ts';

const range = 'Please enter a price from $1.00 to $10,000.00';

/** A tool's price a month as typed in dollars; its output is in cents. */
export const typedPrice = z
  .string()
  .transform((text, context) => {
    const cents = typedCents(text);
    if (cents !== null) return cents;
    context.addIssue({ code: 'custom', message: 'Please enter dollars, such as 35 or 35.50' });
    return z.NEVER;
  })
  .pipe(z.int().min(100, { error: range }).max(1_000_000, { error: range }));
