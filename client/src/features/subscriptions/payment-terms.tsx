import type { ReactNode } from 'react';
import type { Charge, Confirmation } from '#shared/api/charge.ts';
import {
  billsThen,
  chargeTerms,
  dueToday,
  offerTerms,
  type Terms,
} from '#client/features/subscriptions/charge-terms.ts';
import { HowToCancel } from '#client/features/billing/how-to-cancel.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { Spinner, TextLink, Text } from '#client/ui/elements.tsx';
import { Skeleton } from '#client/ui/query-view.tsx';

/** What the server answers when a payment is opened. */
export type Opened = Pick<Confirmation, 'clientSecret' | 'amountCents'> & { includesLostMoney?: boolean };

export type PaymentRequest = {
  toolId: string;
  terms: Terms;
  /** Opens the payment at the server; with `charge` the card on file pays it. */
  open: (charge?: Charge) => Promise<Opened>;
  /** What a failure is called if the server gives no sentence. */
  failure: string;
  /** On the subscribe page the button names the price of a month; what is charged now stands right above it. */
  subscribes?: boolean;
};

/** What the button beside it starts: the amount, when it recurs, and until when. */
export const PaymentTerms = ({ terms, card }: { terms: Pick<Terms, 'dueTodayCents'>; card: ReactNode }) => {
  const [before, after] = chargeTerms(terms);
  return (
    <p className="figures text-xs text-muted">
      <Text>{before}</Text>
      {card}
      <Text>{after}</Text>
      <HowToCancel />
      <Text> Prices are in Australian dollars and include GST. How we handle your information is in our </Text>
      <TextLink href={paths.privacy}>Privacy Policy</TextLink>
      <Text>.</Text>
    </p>
  );
};

/** What the press below it charges, for which days and to which card, and what the bills are then. */
export const DueToday = ({ terms, card }: { terms: Terms; card: ReactNode }) => (
  <p className="figures rounded bg-surface-subtle p-3">
    <span className="font-medium">
      <Text>{dueToday(terms)}</Text>
      {terms.dueTodayCents > 0 && (
        <>
          <Text> It is charged to </Text>
          {card}
          <Text>.</Text>
        </>
      )}
    </span>
    <Text>
      {' '}
      {billsThen(terms)} {offerTerms(terms)}
    </Text>
  </p>
);

export const PaymentFormSkeleton = () => (
  <div role="status" aria-busy className="flex flex-col gap-3">
    <p className="flex items-center gap-2 text-muted">
      <Spinner className="text-primary" />
      Preparing your subscription...
    </p>
    <Skeleton className="h-9" />
    <div className="grid grid-cols-2 gap-3">
      <Skeleton className="h-9" />
      <Skeleton className="h-9" />
    </div>
    <Skeleton className="h-11" />
  </div>
);
