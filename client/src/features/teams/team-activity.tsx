import { Download, History } from 'lucide-react';
import { useState } from 'react';
import { addressOf } from '#shared/api/address.ts';
import { contract } from '#shared/api/members.ts';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { formatDateTime, formatDay, timeOfDay } from '#client/lib/words/format.ts';
import { Button, ButtonLink, Panel } from '#client/ui/elements.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';

/** Who did what in the team, for its owner and admins. */
export const TeamActivity = ({ team }: MyTeam) => {
  const [page, setPage] = useState(1);
  const params = { teamId: team.id };
  const activity = useFreshQuery(contract.teams.activity, { params, query: { page } }, { keepPrevious: true });
  const totalPages = activity.data?.pagination.totalPages ?? 1;
  return (
    <Panel
      title="Activity"
      description="Who did what in the practice, newest first"
      action={
        <ButtonLink href={addressOf(contract.teams.activityCsv, { params })} download variant="secondary" size="sm">
          <Download aria-hidden />
          Download CSV
        </ButtonLink>
      }
      bodyClassName="pt-2! pb-2!"
    >
      <QueryView
        query={activity}
        failedTitle="The activity could not be loaded"
        loading={<Loading label="Loading the activity" className="space-y-3 py-3" skeletons={['h-8', 'h-8', 'h-8']} />}
        isEmpty={({ rows }) => rows.length === 0}
        empty={<EmptyState icon={<History />} title="No activity yet" />}
      >
        {({ rows }) => (
          <ul aria-label="Activity">
            {rows.map(({ id, createdAt, sentence }, index) => {
              const day = formatDay(createdAt);
              const isFirst = index === 0 || formatDay(rows[index - 1]!.createdAt) !== day;
              return (
                <li
                  key={id}
                  className={`grid grid-cols-[minmax(0,1fr)] items-baseline gap-x-4 py-2 first:border-0 sm:grid-cols-[7rem_minmax(0,1fr)_auto] ${isFirst ? 'border-t' : ''}`}
                >
                  <span className={isFirst ? 'figures font-medium max-sm:pb-1' : 'sr-only'}>{day}</span>
                  <p className="break-words sm:col-start-2">{sentence}</p>
                  <time
                    dateTime={createdAt.toISOString()}
                    title={formatDateTime(createdAt)}
                    className="figures text-xs text-muted"
                  >
                    {timeOfDay(createdAt)}
                  </time>
                </li>
              );
            })}
          </ul>
        )}
      </QueryView>
      {totalPages > 1 && (
        <div className="flex items-center justify-between gap-3 py-2">
          <Button variant="secondary" size="sm" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <span className="figures text-xs text-muted">
            Page {page} of {totalPages}
          </span>
          <Button variant="secondary" size="sm" disabled={page >= totalPages} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </div>
      )}
    </Panel>
  );
};
