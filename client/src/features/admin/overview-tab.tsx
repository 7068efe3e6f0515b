import { BadgeCheck, ChartNoAxesColumn, CircleCheck, ClipboardCheck, Gift, Inbox, Users } from 'lucide-react';
import { clsx } from 'clsx';
import { contract } from '#shared/api/index.ts';
import { adminPageSize, adminRefreshMs } from '#shared/rules/operators/admin.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Alert, Button, ButtonLink, Card, Panel, TextLink } from '#client/ui/elements.tsx';
import { Tile } from '#client/ui/tile.tsx';
import { dotted, formatDay } from '#client/lib/words/format.ts';
import { fullName } from '#client/lib/session/people.ts';
import { byUrgency, Deadline } from '#client/features/admin/incidents/incidents.tsx';
import { useToday } from '#client/features/admin/today-count.ts';
import {
  Cell,
  PagerInAddress,
  PastLastPage,
  Table,
  TableSkeleton,
  useListAddress,
} from '#client/features/admin/lists.tsx';
import { EmptyState, QueryView, Skeleton } from '#client/ui/query-view.tsx';

const users = `${paths.admin}?tab=users`;
const tiles = [
  { label: 'Total Users', of: 'total', icon: <Users />, href: users },
  {
    label: 'Verified Users',
    of: 'verified',
    icon: <BadgeCheck />,
    href: `${paths.desk('people')}?only=unverified`,
    others: 'unverified',
  },
  { label: 'Complete Profiles', of: 'withProfiles', icon: <ClipboardCheck />, href: users, others: 'incomplete' },
  { label: 'Free Access', of: 'freeAccess', icon: <Gift />, href: `${paths.admin}?tab=free-access` },
] as const;

const needs = (count: number | undefined) => {
  if (count === undefined) return 'What needs you could not be counted';
  return count === 0 ? 'Nothing needs you today' : count === 1 ? '1 thing needs you' : `${count} things need you`;
};

/** What waits on Today, the most urgent of it named. It keeps its height, so that nothing below it moves. */
const Waiting = () => {
  const { answered, count } = useToday();
  const [first] = useApiQuery(contract.oversight.incidents).data?.incidents.toSorted(byUrgency) ?? [];
  const Icon = count === 0 ? CircleCheck : Inbox;
  return (
    <Card className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <Icon aria-hidden className={clsx('size-5', count === 0 ? 'text-success' : 'text-warning')} />
      <div className="flex min-w-0 flex-1 basis-52 flex-wrap items-center gap-x-2 gap-y-1">
        {answered ? <p className="font-medium">{needs(count)}</p> : <Skeleton className="h-5 w-40" />}
        {answered && first && (
          <>
            <span className="text-muted">
              {dotted([
                first.title,
                first.who !== null && first.who.name,
                first.amountCents !== null && formatCents(first.amountCents),
              ])}
            </span>
            {first.answerBy && <Deadline at={first.answerBy} />}
          </>
        )}
      </div>
      <ButtonLink href={paths.desk('today')} variant="secondary" size="sm">
        Open Today
      </ButtonLink>
    </Card>
  );
};

export const OverviewTab = () => {
  const { data, error, isPending, refetch, isFetching } = useApiQuery(contract.admin.subscriberStats, undefined, {
    refetchInterval: adminRefreshMs,
  });
  return (
    <div className="space-y-6">
      <Waiting />
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
        {tiles.map(({ of, ...tile }) => (
          <Tile
            key={of}
            {...tile}
            loading={isPending}
            value={data ? data[of].toLocaleString('en-AU') : '–'}
            note={'others' in tile && data && `${(data.total - data[of]).toLocaleString('en-AU')} ${tile.others}`}
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
