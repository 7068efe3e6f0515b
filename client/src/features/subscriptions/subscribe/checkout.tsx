import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { centsOf, formatCents } from '#shared/rules/billing/money.ts';
import { CheckoutCard } from '#client/features/subscriptions/subscribe/checkout-card.tsx';
import { DiscountCode } from '#client/features/subscriptions/subscribe/discount-code.tsx';
import { PaymentSection } from '#client/features/subscriptions/subscribe/payment-section.tsx';
import { PriceBreakdown } from '#client/features/subscriptions/subscribe/price-breakdown.tsx';
import { TrialOffer } from '#client/features/subscriptions/subscribe/trial-offer.tsx';
import { type Purchase, usePurchase } from '#client/features/subscriptions/subscribe/use-purchase.ts';
import type { Outcome } from '#client/features/subscriptions/purchase-outcome.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { TextLink } from '#client/ui/link.tsx';

type Props = Purchase & { outcome: Outcome | null };

/** Offers a trial first; without one, the payment opens straight away. */
export const Checkout = ({ outcome, ...purchase }: Props) => {
  const { tool, quote } = purchase;
  const [paying, setPaying] = useState(false);
  if (outcome) return <Done outcome={outcome} />;
  const { trialDays, totalCents } = quote;
  if (totalCents > 0 && (trialDays === null || paying)) {
    const back = trialDays === null ? null : () => setPaying(false);
    // Another code is another price, and so another purchase.
    return <PaymentSection key={quote.code?.code ?? ''} {...purchase} onTrial={back} />;
  }
  return (
    <CheckoutCard>
      <PriceBreakdown quote={quote} unitCents={centsOf(tool.basePrice)} />
      {totalCents > 0 && <DiscountCode {...purchase} afterTrial />}
      {totalCents === 0 || trialDays === null ? (
        <FreeOffer {...purchase} />
      ) : (
        <TrialOffer {...purchase} days={trialDays} onPay={() => setPaying(true)} />
      )}
    </CheckoutCard>
  );
};

/** For a price of $0.00: no card and no trial, but still a button. */
const FreeOffer = (purchase: Purchase) => {
  const { send, pending, fault } = usePurchase(purchase);
  return (
    <>
      {fault && (
        <Alert tone="danger" announce>
          {fault}
        </Alert>
      )}
      <Button size="lg" className="figures w-full" pending={pending} pendingLabel="Subscribing…" onClick={send}>
        Subscribe for {formatCents(purchase.quote.totalCents)}/month
      </Button>
      <p className="text-xs text-muted">No card needed. You won't be charged while this tool is free for you.</p>
    </>
  );
};

const Done = ({ outcome }: { outcome: Outcome }) => (
  <CheckoutCard>
    <div className="flex animate-rise-in flex-col items-center py-4 text-center">
      <span
        aria-hidden
        className="flex size-12 items-center justify-center rounded-full bg-success-subtle text-success"
      >
        <CircleCheck className="size-6" />
      </span>
      <p className="mt-3 text-base font-semibold">{outcome.title}</p>
      <p className="mt-1 whitespace-pre-line text-muted">{outcome.sentence}</p>
      <p className="mt-4 text-xs text-muted">
        Taking you to <TextLink href={paths.dashboard}>your dashboard</TextLink>…
      </p>
    </div>
  </CheckoutCard>
);
