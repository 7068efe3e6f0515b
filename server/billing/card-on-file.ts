import type { PaymentMethod } from '#shared/api/billing.ts';
import type { Card } from './cards.ts';

type Kept = { [field in keyof Card]: Card[field] | null };

/** The card as the Billing tab shows it, from the payer's row; null where there is none. */
export const cardOnFile = (kept: Kept): PaymentMethod | null =>
  kept.cardLast4 === null
    ? null
    : {
        brand: kept.cardBrand ?? 'card',
        last4: kept.cardLast4,
        expMonth: kept.cardExpMonth ?? 0,
        expYear: kept.cardExpYear ?? 0,
      };
