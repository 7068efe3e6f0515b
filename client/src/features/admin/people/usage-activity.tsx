import { ChartNoAxesColumn } from 'lucide-react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { adminPageSize, adminRefreshMs } from '#shared/rules/operators/admin.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { fullName } from '#client/lib/session/people.ts';
import { Pager, PastLastPage } from '#client/features/admin/pager.tsx';
import { Cell, Head, Table, TableSkeleton } from '#client/features/admin/table.tsx';
import { useListAddress } from '#client/features/admin/list-address.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { QueryView } from '#client/ui/query-view.tsx';

type Stats = Reply<typeof contract.admin.usageStats>['stats'];

const UsageTable = ({ stats, stale }: { stats: Stats; stale: boolean }) => (
  <Table
    caption="Users by tool usage"
    stale={stale}
    head={
      <>
        <Head>User</Head>
        <Head className="text-right">Total uses</Head>
        <Head className="text-right max-sm:hidden">Last used</Head>
      </>
    }
  >
    {stats.map((stat) => (
      <tr key={stat.userId}>
        <Cell>
          <p className="font-medium break-words">{fullName(stat)}</p>
          <p className="text-muted [overflow-wrap:anywhere]">{stat.email}</p>
          <p className="figures text-xs text-muted sm:hidden">Last used {formatDay(stat.lastUsed)}</p>
        </Cell>
        <Cell className="figures text-right font-medium">{stat.totalUsage.toLocaleString('en-AU')}</Cell>
        <Cell className="figures text-right whitespace-nowrap text-muted max-sm:hidden">
          {formatDay(stat.lastUsed)}
        </Cell>
      </tr>
    ))}
  </Table>
);

export const UsageActivity = () => {
  const { page } = useListAddress();
  const query = useApiQuery(
    contract.admin.usageStats,
    { query: { page, limit: adminPageSize } },
    { refetchInterval: adminRefreshMs, keepPrevious: true },
  );

  const { data } = query;
  const icon = <ChartNoAxesColumn />;
  return (
    <Panel title="Usage Activity" description="Top users by tool usage" bodyClassName="mt-4 p-0!">
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
      {data && <Pager label="usage activity" totalPages={data.pagination.totalPages} />}
    </Panel>
  );
};
