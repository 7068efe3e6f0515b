import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { Quote } from '#shared/api/subscriptions.ts';
import type { Tool } from '#shared/api/tools.ts';
import { centsOf } from '#shared/rules/money.ts';
import type { Buyer } from '#client/features/subscriptions/buyer.ts';
import { CheckoutCard } from '#client/features/subscriptions/checkout-card.tsx';
import { FreeOffer } from '#client/features/subscriptions/free-offer.tsx';
import { PaymentSection } from '#client/features/subscriptions/payment-section.tsx';
import { PriceBreakdown } from '#client/features/subscriptions/price-breakdown.tsx';
import { TrialOffer } from '#client/features/subscriptions/trial-offer.tsx';
import type { Outcome } from '#client/features/subscriptions/use-finish.ts';
import { paths } from '#client/lib/paths.ts';
import { TextLink } from '#client/ui/text-link.tsx';

type Props = {
  tool: Tool;
  buyer: Buyer;
  quote: Quote;
  outcome: Outcome | null;
  onDone: (outcome: Outcome) => void;
};

/** Trial first, paying second; at once the card form where no trial is on offer (decisions §5). */
export const Checkout = ({ tool, buyer, quote, outcome, onDone }: Props) => {
  const [paying, setPaying] = useState(false);
  if (outcome) return <Done outcome={outcome} />;
  if (quote.totalCents === 0) {
    return (
      <CheckoutCard>
        <PriceBreakdown quote={quote} unitCents={centsOf(tool.basePrice)} />
        <FreeOffer tool={tool} buyer={buyer} quote={quote} onDone={onDone} />
      </CheckoutCard>
    );
  }
  const { trialDays } = quote;
  if (trialDays === null || paying) {
    const back = trialDays === null ? null : () => setPaying(false);
    return <PaymentSection tool={tool} buyer={buyer} quote={quote} onDone={onDone} onTrial={back} />;
  }
  return (
    <CheckoutCard>
      <PriceBreakdown quote={quote} unitCents={centsOf(tool.basePrice)} />
      <TrialOffer
        tool={tool}
        buyer={buyer}
        quote={quote}
        days={trialDays}
        onDone={onDone}
        onPay={() => setPaying(true)}
      />
    </CheckoutCard>
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
