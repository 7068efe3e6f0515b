import { CreditCard } from 'lucide-react';
import type { PaymentMethod } from '#shared/api/billing.ts';
import { UpdatePaymentButton } from '#client/features/billing/update-payment-button.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { cardExpiry, expiryText } from '#client/lib/money/card-expiry.ts';
import { CardName, useCardOnFile } from '#client/lib/money/card-name.tsx';
import { type Payer, useWhose } from '#client/lib/money/payer.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';

const CardOnFile = ({ method }: { method: PaymentMethod }) => {
  const expiry = cardExpiry(method, businessNow());
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded border bg-surface-subtle p-4">
        <CreditCard aria-hidden className="size-6 shrink-0 text-muted" />
        <div className="min-w-0 flex-1 basis-40">
          <p className="font-medium">
            <CardName card={method} />
          </p>
          <p className="figures text-xs text-muted">
            {expiry === 'expired' ? 'Expired' : 'Expires'} {expiryText(method)}
          </p>
        </div>
        {expiry === 'expired' && <Badge tone="danger">Expired</Badge>}
        {expiry === 'soon' && <Badge tone="warning">Expires soon</Badge>}
      </div>
      {expiry !== 'valid' && (
        <Alert tone={expiry === 'expired' ? 'danger' : 'warning'} className="mt-3">
          {expiry === 'expired'
            ? 'The next payment will fail. Please add a new card.'
            : 'Please add a new card before it expires.'}
        </Alert>
      )}
    </>
  );
};

export const PaymentMethodCard = ({ teamId }: Payer) => {
  const card = useCardOnFile({ teamId });
  return (
    <Panel
      title="Payment Method"
      description={`Pays for ${useWhose({ teamId })} tools`}
      action={card.data && <UpdatePaymentButton teamId={teamId}>Update payment method</UpdatePaymentButton>}
    >
      <QueryView
        query={card}
        failedTitle="Your payment method could not be loaded"
        loading={<Loading label="Loading your payment method" skeletons={['h-18']} />}
      >
        {(method) =>
          method ? (
            <CardOnFile method={method} />
          ) : (
            <EmptyState
              icon={<CreditCard />}
              title="No card on file"
              description="You don't need one for trials or free tools."
              action={
                <UpdatePaymentButton teamId={teamId} variant="primary">
                  Add a card
                </UpdatePaymentButton>
              }
            />
          )
        }
      </QueryView>
    </Panel>
  );
};
