import { ChartNoAxesColumn } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { adminPageSize, adminRefreshMs } from '#shared/rules/admin.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { fullName } from '#client/features/admin/labels.ts';
import { Pager } from '#client/features/admin/pager.tsx';
import { Cell, Head, Table, TableSkeleton } from '#client/features/admin/table.tsx';
import { useAddress } from '#client/features/admin/use-address.ts';
import { useApiQuery } from '#client/lib/query-client.ts';
import { Button } from '#client/ui/button.tsx';
import { Card, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';

/** Top users by tool usage (B §2), fifty at a time. */
export const UsageActivity = () => {
  const { page, openPage } = useAddress();
  const { data, error, refetch, isFetching, isPlaceholderData } = useApiQuery(
    contract.admin.usageStats,
    { query: { page, limit: adminPageSize } },
    { refetchInterval: adminRefreshMs, keepPrevious: true },
  );

  const content = () => {
    if (!data && error)
      return (
        <ErrorState message={error.sentence} requestId={error.requestId} onRetry={refetch} retrying={isFetching} />
      );
    if (!data) return <TableSkeleton label="Loading usage activity" />;
    if (data.stats.length === 0)
      return page > 1 ? (
        <EmptyState
          icon={<ChartNoAxesColumn />}
          title="Nothing on this page"
          action={
            <Button variant="secondary" onClick={() => openPage(Math.max(1, data.pagination.totalPages))}>
              Go to the last page
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={<ChartNoAxesColumn />}
          title="No usage yet"
          description="Users appear here once they have opened a tool."
        />
      );
    return (
      <Table
        caption="Users by tool usage"
        stale={isPlaceholderData}
        head={
          <>
            <Head>User</Head>
            <Head className="text-right">Total uses</Head>
            <Head className="text-right max-sm:hidden">Last used</Head>
          </>
        }
      >
        {data.stats.map((stat) => (
          <tr key={stat.userId}>
            <Cell>
              <p className="font-medium break-words">{fullName(stat)}</p>
              <p className="text-muted [overflow-wrap:anywhere]">{stat.email}</p>
              <p className="figures text-xs text-muted sm:hidden">Last used {formatSydneyDate(stat.lastUsed)}</p>
            </Cell>
            <Cell className="figures text-right font-medium">{stat.totalUsage.toLocaleString('en-AU')}</Cell>
            <Cell className="figures text-right whitespace-nowrap text-muted max-sm:hidden">
              {formatSydneyDate(stat.lastUsed)}
            </Cell>
          </tr>
        ))}
      </Table>
    );
  };

  return (
    <Card>
      <CardHeader title="Usage Activity" description="Top users by tool usage" />
      <div className="mt-4">{content()}</div>
      {data && <Pager label="usage activity" page={page} totalPages={data.pagination.totalPages} onPage={openPage} />}
    </Card>
  );
};
