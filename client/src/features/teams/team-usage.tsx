import { ChartNoAxesColumn, Download } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import { teamUsageDays } from '#shared/rules/people/teams.ts';
import { UsageMatrix } from '#client/features/teams/usage-matrix.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { addressOf } from '#shared/api/address.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

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
        {(rows) => <UsageMatrix rows={rows} />}
      </QueryView>
    </Panel>
  );
};
