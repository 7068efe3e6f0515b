import { BadgeCheck, ClipboardCheck, Gift, Users } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { adminRefreshMs } from '#shared/rules/operators/admin.ts';
import { Approvals } from '#client/features/admin/approvals.tsx';
import { Incidents } from '#client/features/admin/incidents/incidents.tsx';
import { UsageActivity } from '#client/features/admin/people/usage-activity.tsx';
import { DiscountCodes } from '#client/features/admin/catalogue/discount-codes.tsx';
import { OfferedTools } from '#client/features/admin/catalogue/offered-tools.tsx';
import { ToolRequests } from '#client/features/admin/catalogue/tool-requests.tsx';
import { VolumeDiscounts } from '#client/features/admin/catalogue/volume-discounts.tsx';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Tile } from '#client/ui/tile.tsx';

const tiles = [
  { label: 'Total Users', of: 'total', icon: <Users /> },
  { label: 'Verified Users', of: 'verified', icon: <BadgeCheck /> },
  { label: 'Complete Profiles', of: 'withProfiles', icon: <ClipboardCheck /> },
  { label: 'Free Access', of: 'freeAccess', icon: <Gift /> },
] as const;

export const OverviewTab = () => {
  const { data, error, isPending, refetch, isFetching } = useApiQuery(contract.admin.subscriberStats, undefined, {
    refetchInterval: adminRefreshMs,
  });
  return (
    <div className="space-y-6">
      {error && !data && (
        <Alert
          tone="danger"
          title="The counters could not be loaded"
          action={
            <Button variant="secondary" size="sm" pending={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {error.sentence}
        </Alert>
      )}
      <div className="grid grid-cols-2 gap-3 max-sm:[&_span[aria-hidden]]:hidden sm:gap-4 lg:grid-cols-4">
        {tiles.map(({ label, of, icon }) => (
          <Tile
            key={of}
            label={label}
            icon={icon}
            loading={isPending}
            value={data ? data[of].toLocaleString('en-AU') : '–'}
          />
        ))}
      </div>
      <Approvals />
      <ToolRequests />
      <Incidents />
      <OfferedTools />
      <VolumeDiscounts />
      <DiscountCodes />
      <UsageActivity />
    </div>
  );
};
