import { ChartNoAxesColumn, Download } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import type { MemberUsage } from '#shared/api/teams.ts';
import { teamUsageDays } from '#shared/rules/teams.ts';
import { nameOf } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { businessNow } from '#client/lib/business-time.ts';
import { formatDateTime, formatRelative } from '#client/lib/format.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { addressOf } from '#client/lib/request.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const LastUsed = ({ at }: { at: Date | null }) =>
  at ? (
    <time dateTime={at.toISOString()} title={formatDateTime(at)}>
      {formatRelative(at, businessNow())}
    </time>
  ) : (
    <span className="text-muted">Not used</span>
  );

const cell = 'py-1.5 pr-3 last:pr-0';

const MemberRows = ({ rows }: { rows: readonly MemberUsage[] }) => (
  <tbody className="border-t">
    {rows.slice(0, 1).map((row) => (
      <tr key={row.userId}>
        <th scope="rowgroup" colSpan={3} className="pt-3 pb-1 font-medium break-words">
          {nameOf(row)}
          <span className="block text-xs font-normal break-all text-muted">{row.email}</span>
        </th>
      </tr>
    ))}
    {rows.map((row) => (
      <tr key={row.toolId} className="last:[&>*]:pb-3">
        <th scope="row" className={`${cell} font-normal`}>
          {row.toolName}
        </th>
        <td className={`${cell} text-right`}>{row.sessions}</td>
        <td className={`${cell} text-right whitespace-nowrap sm:pl-6`}>
          <LastUsed at={row.lastUsedAt} />
        </td>
      </tr>
    ))}
  </tbody>
);

const Table = ({ rows }: { rows: readonly MemberUsage[] }) => {
  const members = [...new Set(rows.map(({ userId }) => userId))];
  return (
    <table aria-label="Use" className="figures w-full text-left">
      <thead>
        <tr className="text-xs text-muted">
          <th scope="col" className={`${cell} w-full font-medium`}>
            Tool
          </th>
          <th scope="col" className={`${cell} text-right font-medium`}>
            Sessions
          </th>
          <th scope="col" className={`${cell} text-right font-medium whitespace-nowrap`}>
            Last used
          </th>
        </tr>
      </thead>
      {members.map((userId) => (
        <MemberRows key={userId} rows={rows.filter((row) => row.userId === userId)} />
      ))}
    </table>
  );
};

export const TeamUsage = ({ team }: MyTeam) => {
  const params = { teamId: team.id };
  const usage = useApiQuery(contract.teams.usage, { params, query: {} });
  return (
    <Panel
      title="Usage"
      description={`Sessions with the team's tools, last ${teamUsageDays} days`}
      action={
        usage.data &&
        usage.data.length > 0 && (
          <ButtonLink href={addressOf(contract.teams.usageCsv, { params })} download variant="secondary" size="sm">
            <Download aria-hidden />
            Download CSV
          </ButtonLink>
        )
      }
      bodyClassName="pt-3!"
    >
      <QueryView
        query={usage}
        failedTitle="Your team's usage could not be loaded"
        loading={<Loading label="Loading usage" className="space-y-3" skeletons={['h-8', 'h-8', 'h-8']} />}
        empty={
          <EmptyState
            icon={<ChartNoAxesColumn />}
            title="No tools to report on"
            description="Once the team subscribes to a tool, each member's usage shows here."
          />
        }
      >
        {(rows) => <Table rows={rows} />}
      </QueryView>
    </Panel>
  );
};
