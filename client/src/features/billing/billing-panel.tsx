import { laterPart } from '#client/lib/pages/load-later.ts';
import { Loading } from '#client/ui/query-view.tsx';

/** Payment method, billing address, invoices and what was told of the adviser's bills, or of a team they own. */
export const BillingPanel = laterPart(
  () => import('#client/features/billing/billing-cards.tsx'),
  <Loading label="Loading your billing details" className="grid gap-6" skeletons={['h-40', 'h-40', 'h-60']} />,
);
