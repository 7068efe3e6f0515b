import { lazy, Suspense, useId, useState } from 'react';
import type { BillingAddress } from '#shared/api/billing.ts';
import { contract } from '#shared/api/index.ts';
import { type PayerProps, payerArgs } from '#client/features/billing/payer.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { useSignedInUser } from '#client/lib/session.ts';
import { Button } from '#client/ui/button.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

const load = () => import('#client/features/billing/address-dialog.tsx');
const AddressDialog = lazy(load);

type Printed = Omit<BillingAddress, 'state'> & { state: string };

const Lines = ({ line1, line2, city, state, postcode }: Printed) => (
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

/** What invoices carry meanwhile; null where the adviser gave none. */
const useBusinessAddress = (): Printed | null => {
  const { businessAddress, businessCity, businessState, businessPostcode } = useSignedInUser();
  if (!businessAddress) return null;
  const rest = { city: businessCity ?? '', state: businessState ?? '', postcode: businessPostcode ?? '' };
  return { line1: businessAddress, line2: '', ...rest };
};

/** Where invoices are addressed to, with its edit dialog (B §2, §5). */
export const AddressCard = ({ teamId }: PayerProps) => {
  const { data, error, refetch, isFetching } = useApiQuery(contract.billing.address, { query: payerArgs({ teamId }) });
  const business = useBusinessAddress();
  const [open, setOpen] = useState<boolean>();
  const headingId = useId();
  const edit = (label: string) => (
    <Button
      variant="secondary"
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
        action={data === undefined ? undefined : edit(data ? 'Edit' : 'Add billing address')}
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
          <div className="grid gap-2">
            <p className="text-muted">
              {business ? 'Until one is given, invoices carry the address of your business:' : 'None is given yet.'}
            </p>
            {business && <Lines {...business} />}
          </div>
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
