import { useState } from 'react';
import type { BillingAddress } from '#shared/api/billing.ts';
import { contract } from '#shared/api/members.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { type Payer, payerArgs, useWhose } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const [AddressDialog, prepareDialog] = lazyDialog(() => import('#client/features/billing/address-dialog.tsx'));

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

/** What invoices show until a billing address is entered; null without a business address. */
const useBusinessAddress = (): Printed | null => {
  const { businessAddress, businessCity, businessState, businessPostcode } = useSignedInUser();
  if (!businessAddress) return null;
  const rest = { city: businessCity ?? '', state: businessState ?? '', postcode: businessPostcode ?? '' };
  return { line1: businessAddress, line2: '', ...rest };
};

export const AddressCard = ({ teamId }: Payer) => {
  const address = useApiQuery(contract.billing.address, { query: payerArgs({ teamId }) });
  const { data } = address;
  const business = useBusinessAddress();
  const [open, setOpen] = useState(false);
  const edit = (label: string) => (
    <Button
      variant="secondary"
      size="sm"
      aria-label={label === 'Edit' ? 'Edit billing address' : undefined}
      onPointerEnter={prepareDialog}
      onClick={() => setOpen(true)}
    >
      {label}
    </Button>
  );
  return (
    <Panel
      title="Billing Address"
      description={`Printed on future invoices for ${useWhose({ teamId })} tools`}
      action={data === undefined ? undefined : edit(data ? 'Edit' : 'Add billing address')}
    >
      <QueryView
        query={address}
        failedTitle="Your billing address could not be loaded"
        loading={
          <Loading label="Loading your billing address" className="grid gap-2" skeletons={['h-4 w-48', 'h-4 w-36']} />
        }
      >
        {(given) =>
          given ? (
            <Lines {...given} />
          ) : (
            <div className="grid gap-2">
              <p className="text-muted">
                {business ? 'Until you add one, invoices show your business address:' : 'None added yet.'}
              </p>
              {business && <Lines {...business} />}
            </div>
          )
        }
      </QueryView>
      {data !== undefined && <AddressDialog open={open} onClose={() => setOpen(false)} stored={data} teamId={teamId} />}
    </Panel>
  );
};
