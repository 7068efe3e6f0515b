import { Blocks, ChartNoAxesColumn, Clock, Download, Gauge, History, MousePointerClick } from 'lucide-react';
import { useId } from 'react';
import { contract } from '#shared/api/members.ts';
import { analyticsDays, inMinutes, performanceScale, spentText } from '#shared/rules/record/analytics.ts';
import { addressOf } from '#shared/api/address.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { Activity, UsageByTool } from '#shared/api/analytics.ts';
import type { ToolIconName } from '#shared/rules/tools/tools.ts';
import { SessionsChart } from '#client/features/analytics/sessions-chart.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { Badge, ButtonLink, Card, Panel } from '#client/ui/elements.tsx';
import { both, EmptyState, Loading, QueryView, Skeleton } from '#client/ui/query-view.tsx';
import { Tile } from '#client/ui/tile.tsx';
import { useToolLook } from '#client/lib/words/tool-look.ts';
import { ToolIcon } from '#client/ui/tool-icon.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { formatDateTime, formatRelative } from '#client/lib/words/format.ts';

const lastDays = { query: { days: analyticsDays } };

/** The Analytics tab. Usage happens in other windows, so it is refetched whenever the tab opens. */
export default function AnalyticsPanel() {
  const headingId = useId();
  const query = both(useFreshQuery(contract.analytics.dashboard), useFreshQuery(contract.analytics.usage, lastDays));
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
          <Loading label="Loading your analytics" className={cardGrid}>
            {[0, 1, 2, 3].map((card) => (
              <Card key={card} className="space-y-2.5 p-5">
                <Skeleton className="h-4 w-24" />
                <Skeleton className="h-7 w-16" />
                <Skeleton className="h-3.5 w-32" />
              </Card>
            ))}
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
            <FigureCards figures={figures} tools={tools} />
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

export type Figures = Reply<typeof contract.analytics.dashboard>;

const cardGrid = 'grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4';

const Performance = ({ value, hasScores }: { value: number; hasScores: boolean }) => (
  <Tile
    label="Avg Performance"
    icon={<Gauge />}
    value={hasScores ? value.toFixed(1) : '–'}
    note={
      <>
        <span
          role="progressbar"
          aria-label="Average performance"
          aria-valuemin={0}
          aria-valuemax={performanceScale}
          aria-valuenow={Number(value.toFixed(1))}
          aria-valuetext={hasScores ? `${value.toFixed(1)} out of 10.0` : 'No scores yet'}
          className="mt-1 mb-1.5 block h-1.5 w-32 max-w-full overflow-hidden rounded-full bg-surface-subtle"
        >
          <span className="block h-full bg-primary" style={{ width: `${Math.min(100, value * 10)}%` }} />
        </span>
        Out of 10.0
      </>
    }
  />
);

/** The time of all tools together, as they are shown below. */
const totalTime = (tools: readonly UsageByTool[]) =>
  spentText(tools.reduce((sum, { durationSeconds }) => sum + inMinutes(durationSeconds), 0));

const FigureCards = ({ figures, tools }: { figures: Figures; tools: readonly UsageByTool[] }) => (
  <div className={cardGrid}>
    <Tile label="Total Sessions" icon={<MousePointerClick />} value={figures.totalSessions} note="Across all tools" />
    <Tile label="Total Time" icon={<Clock />} value={totalTime(tools)} note="Time spent using tools" />
    <Performance value={figures.avgPerformance} hasScores={figures.scores > 0} />
    <Tile label="Active Tools" icon={<Blocks />} value={figures.activeSubscriptions} note="Subscribed tools" />
  </div>
);

/** Lets a narrow screen break the line between hours and minutes, but not inside either. */
const timeText = (seconds: number) => spentText(seconds).replaceAll(/ (h|min)/g, '\u00a0$1');

const numbers = ['Sessions', 'Time', 'Score', 'Saved'] as const;

const Row = ({ tool, icon }: { tool: UsageByTool; icon: ToolIconName }) => (
  <tr>
    <th scope="row" className="py-2 font-normal">
      <span className="flex items-center gap-2 sm:gap-2.5">
        <ToolIcon icon={icon} className="size-7! max-sm:hidden! [&_svg]:size-4!" />
        {/* The tool's colour in the chart. */}
        <span aria-hidden data-tool={icon} className="size-2.5 shrink-0 rounded-sm bg-tool" />
        <span className="whitespace-nowrap">{tool.name}</span>
      </span>
    </th>
    <td className="py-2 pl-2 text-right sm:pl-4">{tool.sessions}</td>
    <td className="py-2 pl-2 text-right sm:pl-4">{timeText(tool.durationSeconds)}</td>
    <td className="py-2 pl-2 text-right sm:pl-4">
      {tool.avgPerformance === null ? (
        <span className="text-muted">
          –<span className="sr-only">no score</span>
        </span>
      ) : (
        tool.avgPerformance.toFixed(1)
      )}
    </td>
    <td className="py-2 pl-2 text-right sm:pl-4">{timeText(tool.minutesSaved * 60)}</td>
  </tr>
);

/** The last 30 days by tool. Time saved is an estimate. */
const ToolsTable = ({ tools }: { tools: readonly UsageByTool[] }) => {
  const lookOf = useToolLook();
  return (
    <Panel
      as="h3"
      title="By tool"
      description="Last 30 days. The score is out of 10, and the time saved is an estimate."
      bodyClassName="pt-3"
    >
      {tools.length > 0 ? (
        <div tabIndex={0} role="group" aria-label="By tool" className="relative overflow-x-auto rounded-sm">
          <table className="figures w-full text-left max-sm:text-xs">
            <thead className="align-bottom text-xs text-muted">
              <tr>
                <th scope="col" className="py-1 font-medium">
                  Tool
                </th>
                {numbers.map((name) => (
                  <th key={name} scope="col" className="py-1 pl-2 text-right font-medium sm:pl-4">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y">
              {tools.map((tool) => (
                <Row key={tool.toolId} tool={tool} icon={lookOf(tool.toolId).icon} />
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <EmptyState
          title="No tools used in the last 30 days"
          description="Open one from My Tools, and its sessions appear here."
        />
      )}
    </Panel>
  );
};

type Look = ReturnType<ReturnType<typeof useToolLook>>;

const Entry = ({ entry, look, now }: { entry: Activity; look: Look; now: Date }) => {
  const { date, sessionDuration, performanceScore } = entry;
  return (
    <li className="flex items-center gap-3 py-3">
      <ToolIcon icon={look.icon} className="size-8!" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{look.name}</p>
        <time dateTime={date.toISOString()} title={formatDateTime(date)} className="text-xs text-muted">
          {formatRelative(date, now)}
        </time>
      </div>
      {(sessionDuration !== undefined || performanceScore !== undefined) && (
        <dl className="figures shrink-0 text-right">
          {sessionDuration !== undefined && (
            <>
              <dt className="sr-only">Duration</dt>
              <dd>{spentText(sessionDuration)}</dd>
            </>
          )}
          {performanceScore !== undefined && (
            <>
              <dt className="sr-only">Performance</dt>
              <dd className="text-xs text-muted">
                {Number(performanceScore).toFixed(1)}
                <span aria-hidden>/10</span>
              </dd>
            </>
          )}
        </dl>
      )}
    </li>
  );
};

const RecentActivity = ({ entries }: { entries: readonly Activity[] }) => {
  const now = businessNow();
  const lookOf = useToolLook();
  return (
    <Panel as="h3" title="Recent Activity" description="Your latest tool usage sessions" bodyClassName="pt-2">
      {entries.length > 0 ? (
        // Focusable, so that the keyboard can scroll it.
        <ul
          tabIndex={0}
          aria-label="Recent Activity"
          className="relative -mr-2 divide-y rounded-sm pr-2 sm:max-h-[400px] sm:overflow-y-auto"
        >
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} look={lookOf(entry.toolId)} now={now} />
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={<History />}
          title="No recent activity to display"
          description="Open one of your tools to start."
        />
      )}
    </Panel>
  );
};
