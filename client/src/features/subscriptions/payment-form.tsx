import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe, StripeError } from '@stripe/stripe-js';
import { Lock } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/index.ts';
import { formatCents } from '#shared/rules/money.ts';
import { confirmCard, paymentSentence } from '#client/lib/confirm-card.ts';
import { Preparing } from '#client/features/subscriptions/preparing.tsx';
import { type OfferTerms, Terms } from '#client/features/subscriptions/terms.tsx';
import { startStripe, useStripeAppearance } from '#client/lib/stripe.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';

type Props = {
  config: Reply<typeof contract.billing.config>;
  clientSecret: string;
  intent: 'payment' | 'setup' | 'none';
  totalCents: number;
  /** A price that holds for some months only. */
  offer?: OfferTerms | undefined;
  returnUrl: string;
  /** A payment is under way, or no longer: the way back is closed meanwhile. */
  onBusy: (busy: boolean) => void;
  onPaid: () => void;
};

/** The provider's own card fields; loads Stripe.js, and only this does. */
export default function PaymentForm(props: Props) {
  const [attempt, setAttempt] = useState(1);
  return <Provided key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

const Provided = ({ config, onRetry, ...form }: Props & { onRetry: () => void }) => {
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

  if (stripe === 'failed') {
    return (
      <ErrorState
        title="The card form could not be loaded"
        message="The payment provider is not answering. Nothing was charged."
        onRetry={onRetry}
      />
    );
  }
  if (!stripe) return <Preparing />;
  return (
    <Elements
      key={form.clientSecret}
      stripe={stripe}
      options={{ clientSecret: form.clientSecret, appearance, loader: 'auto' }}
    >
      <CardForm {...form} />
    </Elements>
  );
};

const CardForm = ({ clientSecret, intent, totalCents, offer, returnUrl, onBusy, onPaid }: Omit<Props, 'config'>) => {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<{ sentence: string; attempted: boolean }>();
  const sending = useRef(false);
  const amount = formatCents(totalCents);

  const pay = async () => {
    if (!stripe || !elements || sending.current) return;
    sending.current = true;
    setBusy(true);
    onBusy(true);
    setFault(undefined);
    const refuse = (error: StripeError | null, attempted: boolean) => {
      const sentence = paymentSentence(error);
      setFault({ sentence, attempted });
      if (attempted) toast({ title: 'Payment Failed', description: sentence, variant: 'destructive' });
      setBusy(false);
      onBusy(false);
      sending.current = false;
    };
    try {
      const checked = await elements.submit();
      if (checked.error) return refuse(checked.error, false);
      const refusal = await confirmCard({ stripe, elements, clientSecret, setup: intent === 'setup', returnUrl });
      // Paid: the form stays busy, so that it can't be sent again.
      if (refusal === 'paid') onPaid();
      else refuse(refusal, true);
    } catch {
      refuse(null, true);
    }
  };

  return (
    <form
      noValidate
      aria-busy={busy}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void pay();
      }}
    >
      <div className={ready ? undefined : 'sr-only'}>
        <PaymentElement options={{ layout: 'tabs' }} onReady={() => setReady(true)} />
      </div>
      {!ready && <Preparing />}
      {fault && (
        <Alert tone="danger" title={fault.attempted && 'Payment Failed'} announce>
          {fault.sentence}
        </Alert>
      )}
      {ready && (
        <>
          <Button
            type="submit"
            size="lg"
            className="figures w-full"
            pending={busy}
            pendingLabel="Processing Payment..."
          >
            <Lock aria-hidden />
            Subscribe for {amount}/month
          </Button>
          <Terms amount={amount} offer={offer} />
        </>
      )}
    </form>
  );
};
