import { lazy, Suspense, useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { Preparing } from '#client/features/subscriptions/preparing.tsx';
import { returnAddress } from '#client/features/subscriptions/provider-return.ts';
import type { OfferTerms } from '#client/features/subscriptions/terms.tsx';
import { useApiQuery } from '#client/lib/query-client.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';

const PaymentForm = lazy(() => import('#client/features/subscriptions/payment-form.tsx'));

export type CardRequest = {
  toolId: string;
  toolName: string;
  clientSecret: string;
  intent: 'payment' | 'setup' | 'none';
  totalCents: number;
  offer?: OfferTerms | undefined;
};

type Props = { request: CardRequest | null; teamId: string | null; onClose: () => void; onPaid: () => void };

/** Where a reactivation or an offer needs a card, or the bank a word with its holder. */
export default function CardDialog({ request, teamId, onClose, onPaid }: Props) {
  const [busy, setBusy] = useState(false);
  const config = useApiQuery(contract.billing.config);
  return (
    <Dialog
      open={request !== null}
      onOpenChange={(open) => !open && onClose()}
      locked={busy}
      title={request ? `Pay for ${request.toolName}` : ''}
      description="The next period begins once the payment is confirmed."
    >
      {config.error ? (
        <ErrorState
          title="The card form could not be loaded"
          message={config.error.sentence}
          requestId={config.error.requestId}
          onRetry={config.refetch}
        />
      ) : request && config.data ? (
        <Suspense fallback={<Preparing />}>
          <PaymentForm
            config={config.data}
            clientSecret={request.clientSecret}
            intent={request.intent}
            totalCents={request.totalCents}
            offer={request.offer}
            returnUrl={returnAddress(request.toolId, false, teamId)}
            onBusy={setBusy}
            onPaid={onPaid}
          />
        </Suspense>
      ) : (
        <Preparing />
      )}
    </Dialog>
  );
}
