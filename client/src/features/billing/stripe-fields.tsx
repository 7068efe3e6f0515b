import { Elements, PaymentElement } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { type ReactNode, useEffect, useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/members.ts';
import { startStripe, useStripeAppearance } from '#client/lib/money/stripe.ts';
import { ErrorState } from '#client/ui/query-view.tsx';

type Props = {
  config: Reply<typeof contract.billing.config>;
  clientSecret: string;
  preparing: ReactNode;
  children: ReactNode;
};

/** Loads Stripe.js; its children can then show Stripe's fields. */
export const StripeFields = (props: Props) => {
  const [attempt, setAttempt] = useState(1);
  return <Attempt key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />;
};

const Attempt = ({ config, clientSecret, preparing, children, onRetry }: Props & { onRetry: () => void }) => {
  const appearance = useStripeAppearance();
  const [stripe, setStripe] = useState<Stripe | 'failed' | null>(null);
  useEffect(() => {
    let left = false;
    startStripe(config).then(
      (ready) => !left && setStripe(ready),
      () => !left && setStripe('failed'),
    );
    return () => {
      left = true;
    };
  }, [config]);
  if (stripe === 'failed')
    return (
      <ErrorState
        title="The card form could not be loaded"
        message="Stripe isn't responding. Nothing was charged."
        onRetry={onRetry}
      />
    );
  if (!stripe) return preparing;
  return (
    <Elements key={clientSecret} stripe={stripe} options={{ clientSecret, appearance, loader: 'auto' }}>
      {children}
    </Elements>
  );
};

/** Stripe's card fields, with the children below them as soon as a card can be entered. */
export const CardFields = ({ preparing, children }: { preparing: ReactNode; children: ReactNode }) => {
  const [ready, setReady] = useState(false);
  return (
    <>
      <div className={ready ? undefined : 'sr-only'}>
        <PaymentElement options={{ layout: 'tabs', wallets: { link: 'never' } }} onReady={() => setReady(true)} />
      </div>
      {ready ? children : preparing}
    </>
  );
};
