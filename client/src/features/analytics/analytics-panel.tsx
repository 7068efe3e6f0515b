import { ChartNoAxesColumn, Download } from 'lucide-react';
import { useId } from 'react';
import { contract } from '#shared/api/members.ts';
import { analyticsDays } from '#shared/rules/record/analytics.ts';
import { addressOf } from '#shared/api/address.ts';
import { CardPlaceholders, FigureCards } from '#client/features/analytics/figure-cards.tsx';
import { RecentActivity } from '#client/features/analytics/recent-activity.tsx';
import { SessionsChart } from '#client/features/analytics/sessions-chart.tsx';
import { ToolsTable } from '#client/features/analytics/tools-table.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ButtonLink } from '#client/ui/button.tsx';
import { Card } from '#client/ui/card.tsx';
import { both, EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';

const lastDays = { query: { days: analyticsDays } };

/** The Analytics tab. Usage happens in other windows, so it is refetched whenever the tab opens. */
export default function AnalyticsPanel() {
  const headingId = useId();
  const query = both(
    useApiQuery(contract.analytics.dashboard, undefined, { refetchOnMount: 'always' }),
    useApiQuery(contract.analytics.usage, lastDays, { refetchOnMount: 'always' }),
  );
  return (
    <section aria-labelledby={headingId} className="space-y-4 sm:space-y-6">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id={headingId} className="text-lg">
          Analytics Dashboard
        </h2>
        <Badge tone="outline">Last 30 days</Badge>
        {query.data?.[0].everUsed && (
          <ButtonLink
            href={addressOf(contract.analytics.usageCsv, lastDays)}
            download
            variant="secondary"
            size="sm"
            className="ml-auto"
          >
            <Download aria-hidden />
            Download CSV
          </ButtonLink>
        )}
      </div>
      <QueryView
        query={query}
        failedTitle="Your analytics could not be loaded"
        framedFailure
        loading={
          <Loading label="Loading your analytics">
            <CardPlaceholders />
          </Loading>
        }
        isEmpty={([figures]) => !figures.everUsed}
        empty={
          <Card>
            <EmptyState
              icon={<ChartNoAxesColumn />}
              title="No analytics data"
              description="Start using tools to see your analytics data here."
              action={<ButtonLink href={paths.home}>Go to My Tools</ButtonLink>}
            />
          </Card>
        }
      >
        {([figures, { days, tools }]) => (
          <>
            <FigureCards figures={figures} />
            <SessionsChart days={days} tools={tools} />
            <div className="grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-2">
              <ToolsTable tools={tools} />
              <RecentActivity entries={figures.recentAnalytics} />
            </div>
          </>
        )}
      </QueryView>
    </section>
  );
}
