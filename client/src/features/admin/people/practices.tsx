import { Building2 } from 'lucide-react';
import type { ListedTeam } from '#shared/api/operators/admin.ts';
import { contract } from '#shared/api/index.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { adminPageSize, adminRefreshMs } from '#shared/rules/operators/admin.ts';
import {
  Cell,
  NothingFound,
  PagerInAddress,
  PastLastPage,
  SearchBox,
  Table,
  TableSkeleton,
  useListAddress,
} from '#client/features/admin/lists.tsx';
import { dotted, formatDay } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { Badge, Panel, TextLink } from '#client/ui/elements.tsx';
import { EmptyState, QueryView } from '#client/ui/query-view.tsx';

const counted = (count: number, what: string) => `${count.toLocaleString('en-AU')} ${what}${count === 1 ? '' : 's'}`;

const PracticeRow = ({ team }: { team: ListedTeam }) => {
  const { id, name, ownerId, ownerName, ownerEmail, isActive, members, tools, monthlyCents, createdAt } = team;
  const owner = <TextLink href={paths.adminUser(ownerId)}>{ownerName}</TextLink>;
  return (
    <tr>
      <Cell className="[overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <TextLink href={paths.adminTeam(id)}>{name}</TextLink>
          {!isActive && <Badge tone="danger">Closed</Badge>}
        </p>
        <div className="figures mt-1 text-muted md:hidden">
          <p>Owned by {owner}</p>
          <p>
            {dotted([
              counted(members, 'member'),
              counted(tools, 'tool'),
              `${formatCents(monthlyCents)} a month`,
              `since ${formatDay(createdAt)}`,
            ])}
          </p>
        </div>
      </Cell>
      <Cell className="[overflow-wrap:anywhere] max-md:hidden">
        {owner}
        <p className="text-muted">{ownerEmail}</p>
      </Cell>
      <Cell className="figures text-right max-md:hidden">{members.toLocaleString('en-AU')}</Cell>
      <Cell className="figures text-right max-md:hidden">{tools}</Cell>
      <Cell className="figures text-right max-md:hidden">{formatCents(monthlyCents)}</Cell>
      <Cell className="figures text-right whitespace-nowrap text-muted max-md:hidden">{formatDay(createdAt)}</Cell>
    </tr>
  );
};

const columns = [
  ['Practice'],
  ['Owner', 'max-md:hidden'],
  ['Members', 'text-right max-md:hidden'],
  ['Tools, free ones too', 'text-right max-md:hidden'],
  ['Monthly bill', 'text-right max-md:hidden'],
  ['Since', 'text-right max-md:hidden'],
] as const;

/** All practices by name, open ones first. */
export const Practices = () => {
  const { page, get } = useListAddress();
  const search = get('search');
  const query = useApiQuery(
    contract.admin.teams,
    { query: { page, limit: adminPageSize, ...(search !== '' && { search }) } },
    { refetchInterval: adminRefreshMs, keepPrevious: true },
  );
  const { data } = query;
  const empty = () => {
    if (page > 1) return <PastLastPage icon={<Building2 />} totalPages={data?.pagination.totalPages} />;
    return search === '' ? (
      <EmptyState icon={<Building2 />} title="No practices yet" description="They appear once somebody makes a team." />
    ) : (
      <NothingFound title="No practices found" description={`No name begins with “${search}”.`} />
    );
  };
  return (
    <Panel
      title="All practices"
      description={data ? counted(data.pagination.total, 'practice') : !query.error && 'Loading…'}
      action={<SearchBox label="Search by name" placeholder="Search practices" />}
      bodyClassName="mt-4 p-0!"
    >
      <QueryView
        query={query}
        failedTitle="The practices could not be loaded"
        loading={<TableSkeleton label="Loading practices" />}
        isEmpty={({ teams }) => teams.length === 0}
        empty={empty()}
      >
        {({ teams }) => (
          <Table caption="Practices" stale={query.isPlaceholderData} columns={columns}>
            {teams.map((team) => (
              <PracticeRow key={team.id} team={team} />
            ))}
          </Table>
        )}
      </QueryView>
      {data && <PagerInAddress label="practices" totalPages={data.pagination.totalPages} />}
    </Panel>
  );
};
