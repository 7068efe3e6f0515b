import { History } from 'lucide-react';
import type { Activity } from '#shared/api/analytics.ts';
import { spentText } from '#shared/rules/record/analytics.ts';
import { businessNow } from '#client/lib/words/business-time.ts';
import { formatDateTime, formatRelative } from '#client/lib/words/format.ts';
import { useToolLook } from '#client/lib/words/tool-look.ts';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/query-view.tsx';
import { ToolIcon } from '#client/ui/tool-icon.tsx';

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

export const RecentActivity = ({ entries }: { entries: readonly Activity[] }) => {
  const now = businessNow();
  const lookOf = useToolLook();
  return (
    <Panel as="h3" title="Recent Activity" description="Your latest tool usage sessions" bodyClassName="pt-2">
      {entries.length > 0 ? (
        // Focusable, so that the keyboard can scroll it.
        <ul
          tabIndex={0}
          aria-label="Recent Activity"
          className="relative -mr-2 max-h-[400px] divide-y overflow-y-auto rounded-sm pr-2"
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
