import { useState } from 'react';
import { type HappeningKind, happeningKinds } from '#shared/api/operators/admin-person.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { formatDays, sydneyDate } from '#shared/rules/dates.ts';
import { Folded } from '#client/features/admin/lists.tsx';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { Badge, Button, Panel, type Tone } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { Select } from '#client/ui/field.tsx';

const kinds: Record<HappeningKind, readonly [Tone, one: string, all: string]> = {
  act: ['neutral', 'Action', 'Admin actions and sign-ins'],
  invoice: ['success', 'Invoice', 'Invoices'],
  adjustment_note: ['warning', 'Refund', 'Refunds'],
  mail: ['info', 'Email', 'Emails'],
  session: ['primary', 'Tool', 'Tool sessions'],
  stripe: ['neutral', 'Stripe', 'Stripe events'],
};

type Happening = Reply<typeof contract.admin.userTimeline>['rows'][number];

/** A tool opened several times, with nothing between, is one row. */
const runsOf = (rows: readonly Happening[]) => {
  const runs: Happening[][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (row.kind === 'session' && last?.[0]!.kind === 'session' && last[0].sentence === row.sentence) last.push(row);
    else runs.push([row]);
  }
  return runs.map((run) => {
    const [newest, oldest] = [run[0]!, run.at(-1)!];
    if (run.length === 1) return { ...newest, when: formatDateTime(newest.at) };
    return {
      ...newest,
      sentence: `${newest.sentence.slice(0, -1)} ${run.length} times.`,
      when: formatDays(sydneyDate(oldest.at), sydneyDate(newest.at)),
      details: run.map(({ at, details }) => [formatDateTime(at), ...details].join(': ')),
    };
  });
};

type Whose = { kind: 'user' | 'team'; id: string };
type PageProps = {
  whose: Whose;
  kind: HappeningKind | undefined;
  before: string | undefined;
  /** Only the last page shown can ask for older rows. */
  onOlder: ((before: string) => void) | undefined;
};

const TimelinePage = ({ whose, kind, before, onOlder }: PageProps) => {
  const query = useFreshQuery(whose.kind === 'user' ? contract.admin.userTimeline : contract.admin.teamTimeline, {
    params: { id: whose.id },
    query: { ...(before !== undefined && { before }), ...(kind && { kind }) },
  });
  return (
    <QueryView
      query={query}
      failedTitle="The timeline could not be loaded"
      loading={<Loading label="Loading the timeline" className="grid gap-3" skeletons={['h-10', 'h-10', 'h-10']} />}
      isEmpty={({ rows }) => rows.length === 0}
      empty={<p className="py-2 text-sm text-muted">Nothing of this kind yet.</p>}
    >
      {({ rows, older }) => (
        <>
          <ol className="divide-y">
            {runsOf(rows).map(({ id, kind: of, when, sentence, details }) => {
              const [tone, label] = kinds[of];
              return (
                <li key={id} className="flex flex-col gap-1 py-3 sm:flex-row sm:gap-4">
                  <div className="shrink-0 sm:w-20">
                    <Badge tone={tone}>{label}</Badge>
                  </div>
                  <div className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
                    <p className="figures">{sentence}</p>
                    <Folded summary={when} lines={details} />
                  </div>
                </li>
              );
            })}
          </ol>
          {older !== null && onOlder && (
            <Button variant="secondary" className="mt-3" onClick={() => onOlder(older)}>
              Show older
            </Button>
          )}
        </>
      )}
    </QueryView>
  );
};

/** What the user or team, administrators and the clock did, in sentences, newest first; what Stripe did, where it is asked for. */
export const Timeline = ({
  whose,
  kinds: offered = happeningKinds,
}: {
  whose: Whose;
  kinds?: readonly HappeningKind[];
}) => {
  const [kind, setKind] = useState<HappeningKind>();
  const [places, setPlaces] = useState<(string | undefined)[]>([undefined]);
  const choose = (value: string) => {
    setKind(happeningKinds.find((each) => each === value));
    setPlaces([undefined]);
  };
  return (
    <Panel
      title="Timeline"
      description={kind ? 'Newest first' : 'Newest first, without Stripe’s events'}
      action={
        <div className="w-48">
          <Select
            aria-label="Show"
            placeholder="All activity"
            value={kind ?? ''}
            onChange={(event) => choose(event.target.value)}
            options={offered.map((value) => ({ value, label: kinds[value][2] }))}
          />
        </div>
      }
    >
      {places.map((before, index) => (
        <TimelinePage
          key={`${kind ?? ''}${before ?? ''}`}
          whose={whose}
          kind={kind}
          before={before}
          onOlder={index === places.length - 1 ? (older) => setPlaces([...places, older]) : undefined}
        />
      ))}
    </Panel>
  );
};
