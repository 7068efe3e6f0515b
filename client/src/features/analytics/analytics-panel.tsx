import { ChartNoAxesColumn, Download } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { contract } from '#shared/api/index.ts';
import { analyticsDays } from '#shared/rules/analytics.ts';
import { CardPlaceholders, FigureCards } from '#client/features/analytics/figure-cards.tsx';
import { RecentActivity } from '#client/features/analytics/recent-activity.tsx';
import { SessionsChart } from '#client/features/analytics/sessions-chart.tsx';
import { ToolsTable } from '#client/features/analytics/tools-table.tsx';
import { useApiQuery } from '#client/lib/query-client.ts';
import { addressOf } from '#client/lib/request.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Card } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const lastDays = { query: { days: analyticsDays } };

const Frame = ({ action, children }: { action?: ReactNode; children: ReactNode }) => {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="space-y-4 sm:space-y-6">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id={headingId} className="text-lg">
          Analytics Dashboard
        </h2>
        <Badge tone="outline">Last 30 days</Badge>
        {action && <div className="ml-auto">{action}</div>}
      </div>
      {children}
    </section>
  );
};

/** The Analytics tab (A §2). Usage is made elsewhere, so it is asked for whenever the tab is opened. */
export default function AnalyticsPanel() {
  const figures = useApiQuery(contract.analytics.dashboard, undefined, { refetchOnMount: 'always' });
  const usage = useApiQuery(contract.analytics.usage, lastDays, { refetchOnMount: 'always' });
  const error = figures.error ?? usage.error;

  if (!figures.data || !usage.data) {
    return (
      <Frame>
        {error ? (
          <Card>
            <ErrorState
              title="Your analytics could not be loaded"
              message={error.sentence}
              requestId={error.requestId}
              onRetry={() => Promise.all([figures, usage].filter((each) => each.error).map((each) => each.refetch()))}
              retrying={figures.isFetching || usage.isFetching}
            />
          </Card>
        ) : (
          <AnalyticsPlaceholders />
        )}
      </Frame>
    );
  }
  if (!figures.data.everUsed) {
    return (
      <Frame>
        <Card>
          <EmptyState
            icon={<ChartNoAxesColumn />}
            title="No analytics data"
            description="Start using tools to see your analytics data here."
          />
        </Card>
      </Frame>
    );
  }
  const { days, tools } = usage.data;
  return (
    <Frame
      action={
        <ButtonLink href={addressOf(contract.analytics.usageCsv, lastDays)} download variant="secondary" size="sm">
          <Download aria-hidden />
          Download CSV
        </ButtonLink>
      }
    >
      <FigureCards figures={figures.data} />
      <SessionsChart days={days} tools={tools} />
      <div className="grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-2">
        <ToolsTable tools={tools} />
        <RecentActivity entries={figures.data.recentAnalytics} />
      </div>
    </Frame>
  );
}

const AnalyticsPlaceholders = () => (
  <Loading label="Loading your analytics">
    <CardPlaceholders />
  </Loading>
);
