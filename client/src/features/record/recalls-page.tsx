import { ShieldCheck } from 'lucide-react';
import { useLocation, useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import type { RecallReach, TouchingRecall } from '#shared/api/recalls.ts';
import { formatCalendarDay, formatSydneyDate } from '#shared/rules/dates.ts';
import { countText, severityLabels, versionsText } from '#shared/rules/record/recalls.ts';
import { RecallSessions } from '#client/features/record/recall-sessions.tsx';
import { personName } from '#client/features/record/session-list.tsx';
import { useApiMutation, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { dotted, sentenceCase } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge, Button, BackLink, Card, PageHeader, Panel } from '#client/ui/elements.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';

type Whose = { teamId?: string };

const People = ({ people }: Pick<RecallReach, 'people'>) => (
  <ul className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-sm" aria-label="People">
    {people.map((person) => (
      <li key={person.userId} className="flex items-center gap-2">
        {personName(person)}: {person.open} of {person.sessions} open
        {person.left && <Badge tone="warning">Has left</Badge>}
      </li>
    ))}
  </ul>
);

/** Counting the files of a large practice takes a second, so it comes after the rest. */
const Reach = ({ recall, whose }: { recall: TouchingRecall; whose: Whose }) => (
  <QueryView
    query={useFreshQuery(contract.recalls.reach, { params: { id: recall.id }, query: whose })}
    failedTitle="The client files could not be counted"
    loading={<Loading label="Counting the client files" skeletons={['mb-3 h-5 w-40']} />}
  >
    {({ files, people }) => (
      <>
        <p className="mb-3 text-sm">{files > 0 ? `For ${countText(files, 'client file')}` : 'For no client file'}</p>
        {people.length > 0 && <People people={people} />}
      </>
    )}
  </QueryView>
);

const MakePack = ({ recall, whose }: { recall: TouchingRecall; whose: Whose }) => {
  const [, navigate] = useLocation();
  const { mutate, isPending } = useApiMutation(contract.evidence.ask, {
    onSuccess: () => {
      toast({ title: 'Your evidence pack is being made', description: 'It appears in the list.' });
      navigate(paths.packs(whose.teamId));
    },
  });
  return (
    <Button
      size="sm"
      variant="secondary"
      pending={isPending}
      pendingLabel="Making…"
      aria-label={`Make an evidence pack of the recall of ${recall.toolName}`}
      onClick={() => mutate({ body: { ...whose, recallId: recall.id } })}
    >
      Make evidence pack
    </Button>
  );
};

const Recall = ({ recall, whose }: { recall: TouchingRecall; whose: Whose }) => {
  const { sessions, open, untilDay } = recall;
  return (
    <Panel
      title={`${recall.toolName}, ${versionsText(recall.versions)}`}
      description={sentenceCase(
        dotted([
          `${recall.byMaker ? 'the maker' : 'an administrator'} opened it on ${formatSydneyDate(recall.createdAt)}`,
          `sessions from ${formatCalendarDay(recall.fromDay)} ${untilDay === null ? 'on' : `to ${formatCalendarDay(untilDay)}`}`,
        ]),
      )}
      action={<MakePack recall={recall} whose={whose} />}
    >
      <div className="mb-3 flex flex-wrap gap-2">
        <Badge tone={open > 0 ? 'warning' : 'success'}>
          {open > 0 ? `${open} of ${sessions} to look at again` : `${countText(sessions, 'session')} looked at again`}
        </Badge>
        {recall.closedAt && <Badge tone="outline">Closed {formatSydneyDate(recall.closedAt)}</Badge>}
        {recall.stops && !recall.closedAt && <Badge tone="danger">Opens no new sessions</Badge>}
      </div>
      <dl className="mb-4 max-w-prose space-y-2 text-sm [&_dt]:font-medium">
        {(
          [
            ['What may be wrong', recall.wrong],
            ['What to look for', recall.lookFor],
            ['How bad it may be', severityLabels[recall.severity]],
            ['Why it was closed', recall.closedFor],
          ] as const
        ).map(
          ([term, text]) =>
            text && (
              <div key={term}>
                <dt>{term}</dt>
                <dd className="break-words whitespace-pre-line">{text}</dd>
              </div>
            ),
        )}
      </dl>
      <Reach recall={recall} whose={whose} />
      <RecallSessions recall={recall} whose={whose} />
    </Panel>
  );
};

/** /record/recalls: what an adviser, or a practice (`team`), is to look at again. A mail leads to one of them (`recall`). */
export default function RecallsPage() {
  useTitle('Recalls');
  const [search] = useSearchParams();
  const teamId = search.get('team');
  const whose: Whose = teamId ? { teamId } : {};
  const first = search.get('recall');
  const record = teamId ? `${paths.teams}?team=${teamId}&tab=record` : paths.record;
  return (
    <>
      <BackLink href={record}>Back to the record</BackLink>
      <PageHeader
        title="Recalls"
        description={
          teamId
            ? 'If a tool may have made a mistake, the sessions that the practice should check are listed here.'
            : 'If a tool may have made a mistake, the sessions that you should check are listed here.'
        }
      />
      <QueryView
        query={useFreshQuery(contract.recalls.list, { query: whose })}
        failedTitle="The recalls could not be loaded"
        framedFailure
        loading={<Loading label="Loading the recalls" skeletons={['h-40', 'mt-6 h-40']} />}
        isEmpty={(recalls) => recalls.length === 0}
        empty={
          <Card>
            <EmptyState icon={<ShieldCheck />} title="No recalls" description="If there is one, we email you." />
          </Card>
        }
      >
        {(recalls) => (
          <div className="grid grid-cols-1 gap-6">
            {recalls
              .toSorted((a, b) => Number(b.id === first) - Number(a.id === first))
              .map((recall) => (
                <Recall key={recall.id} recall={recall} whose={whose} />
              ))}
          </div>
        )}
      </QueryView>
    </>
  );
}
