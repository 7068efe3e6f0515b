import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { type ReactNode, useEffect, useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/index.ts';
import { type PayerProps } from '#client/features/billing/payer.ts';
import { useSaveCard } from '#client/features/billing/use-save-card.ts';
import { startStripe, useStripeAppearance } from '#client/lib/stripe.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { DialogFooter } from '#client/ui/dialog.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';

type Props = PayerProps & {
  config: Reply<typeof contract.billing.config>;
  clientSecret: string;
  /** The provider is being asked: the dialog stays. */
  onBusy: (busy: boolean) => void;
  onClose: () => void;
  preparing: ReactNode;
};

/** The provider's own card fields; only this loads Stripe.js on the Billing tab. */
export default function CardForm(props: Props) {
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
        message="The payment provider is not answering. Your card is unchanged."
        onRetry={onRetry}
      />
    );
  }
  if (!stripe) return form.preparing;
  return (
    <Elements stripe={stripe} options={{ clientSecret: form.clientSecret, appearance, loader: 'auto' }}>
      <Fields {...form} />
    </Elements>
  );
};

const Fields = ({ clientSecret, teamId, onBusy, onClose, preparing }: Omit<Props, 'config'>) => {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const { save, busy, fault } = useSaveCard({ stripe, elements, clientSecret, teamId, onBusy, onSaved: onClose });
  return (
    <form
      noValidate
      aria-busy={busy}
      aria-label="Card"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className={ready ? undefined : 'sr-only'}>
        <PaymentElement options={{ layout: 'tabs' }} onReady={() => setReady(true)} />
      </div>
      {!ready && preparing}
      {fault && (
        <Alert tone="danger" title={fault.title} announce className="mt-4">
          {fault.sentence}
        </Alert>
      )}
      {ready && (
        <DialogFooter>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" pending={busy} pendingLabel="Saving card…">
            Save card
          </Button>
        </DialogFooter>
      )}
    </form>
  );
};
