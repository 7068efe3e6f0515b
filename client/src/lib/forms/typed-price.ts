import * as z from 'zod';
import { contract } from '#shared/api/index.ts';
import { typedCents } from '#shared/rules/billing/money.ts';

/** A tool's price a month as typed in dollars; its output is in cents. */
export const typedPrice = z
  .string()
  .transform((text, context) => {
    const cents = typedCents(text);
    if (cents !== null) return cents;
    context.addIssue({ code: 'custom', message: 'Please enter dollars, such as 35 or 35.50' });
    return z.NEVER;
  })
  .pipe(contract.catalogue.setPrice.body.shape.priceCents);
