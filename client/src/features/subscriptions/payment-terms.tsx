import type { ReactNode } from 'react';
import type { Charge, Confirmation } from '#shared/api/charge.ts';
import { chargeTerms, type Terms } from '#client/features/subscriptions/charge-terms.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { TextLink } from '#client/ui/link.tsx';

/** What the server answers when a payment is opened. */
export type Opened = Pick<Confirmation, 'clientSecret' | 'amountCents'> & { includesLostMoney?: boolean };

export type PaymentRequest = {
  toolId: string;
  terms: Terms;
  /** Opens the payment at the server; with `charge` the card on file pays it. */
  open: (charge?: Charge) => Promise<Opened>;
  /** What a failure is called if the server gives no sentence. */
  failure: string;
};

/** What the button beside it starts: the amount, when it recurs, and until when. */
export const PaymentTerms = ({ terms, card }: { terms: Pick<Terms, 'dueTodayCents'>; card: ReactNode }) => {
  const [before, after] = chargeTerms(terms);
  return (
    <p className="figures text-xs text-muted">
      {before}
      {card}
      {after} Prices are in Australian dollars and include GST. How we handle your information is in our{' '}
      <TextLink href={paths.privacy}>Privacy Policy</TextLink>.
    </p>
  );
};
