import { Suspense } from 'react';
import { later } from '#client/lib/pages/load-later.ts';
import type { Payer } from '#client/lib/money/payer.ts';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

// They load with their tab, not with the dashboard.
const BillingCards = later(() => import('#client/features/billing/billing-cards.tsx'));

/** Payment method, billing address, invoices and what was told of the adviser's bills, or of a team they own. */
export const BillingPanel = ({ teamId }: Payer) => (
  <Suspense
    fallback={
      <Loading label="Loading your billing details" className="grid gap-6">
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
        <Skeleton className="h-60" />
      </Loading>
    }
  >
    <BillingCards key={teamId} teamId={teamId} />
  </Suspense>
);
