import { CreditCard } from 'lucide-react';
import { useId } from 'react';
import type { PaymentMethod } from '#shared/api/billing.ts';
import { contract } from '#shared/api/index.ts';
import { brandName, cardExpiry, expiryText } from '#client/features/billing/card-expiry.ts';
import { type PayerProps, payerArgs } from '#client/features/billing/payer.ts';
import { UpdatePayment } from '#client/features/billing/update-payment.tsx';
import { businessNow } from '#client/lib/business-time.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

const CardOnFile = ({ method }: { method: PaymentMethod }) => {
  const expiry = cardExpiry(method, businessNow());
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded border bg-surface-subtle p-4">
        <CreditCard aria-hidden className="size-6 shrink-0 text-muted" />
        <div className="min-w-0 flex-1 basis-40">
          <p className="figures font-medium">
            {brandName(method.brand)} <span aria-hidden>•••• </span>
            <span className="sr-only">ending in </span>
            {method.last4}
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
            ? 'The next payment will fail. Please give a new card.'
            : 'Please give a new card before the next payment after its last day.'}
        </Alert>
      )}
    </>
  );
};

/** Brand, last four and expiry of the card that pays, and the way to another one (decisions §6). */
export const PaymentMethodCard = ({ teamId }: PayerProps) => {
  const { data, error, refetch, isFetching } = useApiQuery(contract.billing.paymentMethod, {
    query: payerArgs({ teamId }),
  });
  const headingId = useId();
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Payment Method"
        description={teamId ? "Pays for the team's tools" : 'Pays for your own tools'}
        action={data && <UpdatePayment teamId={teamId}>Update Payment</UpdatePayment>}
      />
      <CardBody>
        {data ? (
          <CardOnFile method={data} />
        ) : error ? (
          <ErrorState
            title="Your payment method could not be loaded"
            message={error.sentence}
            requestId={error.requestId}
            onRetry={refetch}
            retrying={isFetching}
          />
        ) : data === undefined ? (
          <Loading label="Loading your payment method">
            <Skeleton className="h-18" />
          </Loading>
        ) : (
          <EmptyState
            icon={<CreditCard />}
            title="No card on file"
            description="Trials and free tools need none."
            action={
              <UpdatePayment teamId={teamId} variant="primary">
                Add a card
              </UpdatePayment>
            }
          />
        )}
      </CardBody>
    </Card>
  );
};
