import { BadgeCheck, ChartNoAxesColumn, ClipboardCheck, Gift, Users } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { adminPageSize, adminRefreshMs } from '#shared/rules/operators/admin.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Alert, Button, Panel, TextLink } from '#client/ui/elements.tsx';
import { Tile } from '#client/ui/tile.tsx';
import { formatDay } from '#client/lib/words/format.ts';
import { fullName } from '#client/lib/session/people.ts';
import {
  Cell,
  PagerInAddress,
  PastLastPage,
  Table,
  TableSkeleton,
  useListAddress,
} from '#client/features/admin/lists.tsx';
import { EmptyState, QueryView } from '#client/ui/query-view.tsx';

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
      <UsageActivity />
    </div>
  );
};

type Stats = Reply<typeof contract.admin.usageStats>['stats'];

const UsageTable = ({ stats, stale }: { stats: Stats; stale: boolean }) => (
  <Table
    caption="Users by tool usage"
    stale={stale}
    columns={[
      ['User'],
      ['Total uses', 'text-right whitespace-nowrap max-sm:pr-5'],
      ['Last used', 'pl-10! text-right whitespace-nowrap max-sm:hidden'],
    ]}
  >
    {stats.map((stat) => (
      <tr key={stat.userId}>
        <Cell className="w-full max-w-0">
          <p className="truncate">
            <TextLink href={paths.adminUser(stat.userId)}>{fullName(stat)}</TextLink>
          </p>
          <p className="truncate text-muted max-sm:text-xs" title={stat.email}>
            {stat.email}
          </p>
          <p className="figures text-xs text-muted sm:hidden">Last used {formatDay(stat.lastUsed)}</p>
        </Cell>
        <Cell className="figures text-right font-medium max-sm:pr-5">{stat.totalUsage.toLocaleString('en-AU')}</Cell>
        <Cell className="figures pl-10! text-right whitespace-nowrap text-muted max-sm:hidden">
          {formatDay(stat.lastUsed)}
        </Cell>
      </tr>
    ))}
  </Table>
);

const UsageActivity = () => {
  const { page } = useListAddress();
  const query = useApiQuery(
    contract.admin.usageStats,
    { query: { page, limit: adminPageSize } },
    { refetchInterval: adminRefreshMs, keepPrevious: true },
  );

  const { data } = query;
  const icon = <ChartNoAxesColumn />;
  return (
    <Panel title="Usage Activity" description="Top users by tool usage, all time" bodyClassName="mt-4 p-0!">
      <QueryView
        query={query}
        failedTitle="The usage could not be loaded"
        loading={<TableSkeleton label="Loading usage activity" />}
        isEmpty={({ stats }) => stats.length === 0}
        empty={
          page > 1 ? (
            <PastLastPage icon={icon} totalPages={data?.pagination.totalPages} />
          ) : (
            <EmptyState
              icon={icon}
              title="No usage yet"
              description="Users appear here once they have opened a tool."
            />
          )
        }
      >
        {({ stats }) => <UsageTable stats={stats} stale={query.isPlaceholderData} />}
      </QueryView>
      {data && <PagerInAddress label="usage activity" totalPages={data.pagination.totalPages} />}
    </Panel>
  );
};
