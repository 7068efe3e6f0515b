import { MapPin } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import type { BillingAddress } from '#shared/api/billing.ts';
import { contract } from '#shared/api/index.ts';
import { type PayerProps, payerArgs } from '#client/features/billing/payer.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { Button } from '#client/ui/button.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

const load = () => import('#client/features/billing/address-dialog.tsx');
const AddressDialog = lazy(load);

const Lines = ({ line1, line2, city, state, postcode }: BillingAddress) => (
  <address className="break-words not-italic">
    {line1}
    <br />
    {line2 && (
      <>
        {line2}
        <br />
      </>
    )}
    {city} {state} {postcode}
  </address>
);

/** Where invoices are addressed to, with its edit dialog (B §2, §5). */
export const AddressCard = ({ teamId }: PayerProps) => {
  const { data, error, refetch, isFetching } = useApiQuery(contract.billing.address, { query: payerArgs({ teamId }) });
  const [open, setOpen] = useState<boolean>();
  const headingId = useId();
  const edit = (label: string, variant: 'primary' | 'secondary') => (
    <Button
      variant={variant}
      size="sm"
      aria-label={label === 'Edit' ? 'Edit billing address' : undefined}
      onPointerEnter={() => void load().catch(() => undefined)}
      onClick={() => setOpen(true)}
    >
      {label}
    </Button>
  );
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Billing Address"
        description="Printed on every invoice from now on"
        action={data && edit('Edit', 'secondary')}
      />
      <CardBody>
        {data ? (
          <Lines {...data} />
        ) : error ? (
          <ErrorState
            title="Your billing address could not be loaded"
            message={error.sentence}
            requestId={error.requestId}
            onRetry={refetch}
            retrying={isFetching}
          />
        ) : data === undefined ? (
          <Loading label="Loading your billing address" className="grid gap-2">
            <Skeleton className="h-4 w-48" />
            <Skeleton className="h-4 w-36" />
          </Loading>
        ) : (
          <EmptyState
            icon={<MapPin />}
            title="No billing address yet"
            description="Until there is one, invoices carry the address of your business."
            action={edit('Add billing address', 'secondary')}
          />
        )}
        {open !== undefined && data !== undefined && (
          <Suspense>
            <AddressDialog open={open} onClose={() => setOpen(false)} stored={data} teamId={teamId} />
          </Suspense>
        )}
      </CardBody>
    </Card>
  );
};
