import { FileClock } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Args, Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import type { RecordSession } from '#shared/api/recorded.ts';
import { SignOffMany } from '#client/features/record/sign-off-many.tsx';
import { useUser } from '#client/lib/session/session.ts';
import { ReviewMany } from '#client/features/record/review-many.tsx';
import { SessionList } from '#client/features/record/session-list.tsx';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { useFreshQuery } from '#client/lib/calls/use-api.ts';
import { Button } from '#client/ui/elements.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { EmptyState, Loading, type Query, QueryView } from '#client/ui/query-view.tsx';
import { Field, Input, Select } from '#client/ui/field.tsx';

const [SessionDialog] = lazyDialog(() => import('#client/features/record/session-dialog.tsx'));

type Filter = Args<typeof contract.record.sessions>['query'];
type Page = Reply<typeof contract.record.sessions>;
const names = ['from', 'to', 'toolId', 'userId', 'unstated', 'sample', 'after'] as const;
/** Of a practice's register only. */
const ofPractice: readonly string[] = ['userId', 'sample'];

/** Older addresses have a number for a sample. */
const isCurrent = (name: string, value: string) => name !== 'sample' || value.includes('-');

/** The filters live in the address. */
export const useFilter = ({ ofTeam = false } = {}) => {
  const [search, setSearch] = useSearchParams();
  const filter = Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value && isCurrent(name, value) && (ofTeam || !ofPractice.includes(name)) ? [[name, value]] : [];
    }),
  );
  const change = (values: Partial<Record<(typeof names)[number], string>>) =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      // A changed filter starts again at the newest, of every session: a sample is what was drawn before.
      next.delete('after');
      next.delete('sample');
      for (const [name, value] of Object.entries(values))
        if (value) next.set(name, value);
        else next.delete(name);
      return next;
    });
  return [filter as Filter & Partial<Record<(typeof names)[number], string>>, change] as const;
};
type Change = ReturnType<typeof useFilter>[1];

type Choice = { id: string; name: string };
type Choices = Reply<typeof contract.evidence.choices> | undefined;
const optionsOf = (all: string, list: readonly Choice[] = []) => [
  { value: '', label: all },
  ...list.map(({ id, name }) => ({ value: id, label: name })),
];

/** Two to a row on a phone, all in one row where there is room. */
const Filters = ({
  filter,
  change,
  choices,
  ofTeam,
}: Pick<Props, 'filter' | 'change'> & { choices: Choices; ofTeam: boolean }) => {
  return (
    <div
      role="search"
      aria-label="Filters"
      className="grid grid-cols-2 items-end gap-x-3 sm:flex sm:flex-wrap sm:gap-x-4"
    >
      <Field label="From" required={false} className="sm:w-40">
        <Input type="date" value={filter['from'] ?? ''} onChange={(event) => change({ from: event.target.value })} />
      </Field>
      <Field label="To" required={false} className="sm:w-40">
        <Input type="date" value={filter['to'] ?? ''} onChange={(event) => change({ to: event.target.value })} />
      </Field>
      <Field label="Tool" required={false} className="sm:w-52">
        <Select
          value={filter['toolId'] ?? ''}
          onChange={(event) => change({ toolId: event.target.value })}
          options={optionsOf('All tools', choices?.tools)}
        />
      </Field>
      {ofTeam && (
        <Field label="Person" required={false} className="sm:w-52">
          <Select
            value={filter['userId'] ?? ''}
            onChange={(event) => change({ userId: event.target.value })}
            options={optionsOf('Everybody', choices?.advisers)}
          />
        </Field>
      )}
      <div className="pb-6 max-sm:pb-3">
        <Checkbox
          label="To review only"
          checked={filter['unstated'] !== undefined}
          onChange={(event) => change({ unstated: event.target.checked ? 'true' : '' })}
        />
      </div>
    </div>
  );
};

type Props = {
  query: Query<Page>;
  filter: Partial<Record<string, string>>;
  change: Change;
  /** Makes it a practice's register, with nothing to state. */
  teamId?: string;
  /** Whoever looks may redact its lines. */
  redacts?: boolean;
};

/** A register with its filters, a page at a time, the newest first. */
export const Register = ({ query, filter, change, teamId, redacts = false }: Props) => {
  const ofTeam = teamId !== undefined;
  const choices = useFreshQuery(contract.evidence.choices, { query: { teamId } }).data;
  const [shown, setShown] = useState<RecordSession | null>(null);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { user } = useUser();
  // Nobody signs off their own.
  const isOpen = (one: RecordSession) => (ofTeam ? one.userId !== user?.id : one.checked === null);
  const filtered = names.some((name) => filter[name] !== undefined);
  return (
    <>
      <Filters filter={filter} change={change} choices={choices} ofTeam={ofTeam} />
      <QueryView
        query={query}
        failedTitle="The record could not be loaded"
        loading={
          <Loading label="Loading the register" className="space-y-3" skeletons={Array<string>(5).fill('h-14')} />
        }
        isEmpty={({ sessions }) => sessions.length === 0}
        empty={
          <EmptyState
            icon={<FileClock />}
            title={filtered ? 'No matching sessions' : 'No sessions yet'}
            description={
              filtered
                ? ofTeam
                  ? 'Please choose another period, tool or person.'
                  : 'Please choose another period or tool.'
                : ofTeam
                  ? 'Sessions opened through the practice’s subscriptions appear here.'
                  : 'Open a tool from your dashboard, and the session appears here.'
            }
          />
        }
      >
        {({ sessions, next, sample }) => (
          <>
            {teamId === undefined && <ReviewMany sessions={sessions} chosen={chosen} onChange={setChosen} />}
            {teamId !== undefined && (
              <SignOffMany
                teamId={teamId}
                open={sessions.filter(isOpen)}
                chosen={chosen}
                onChange={setChosen}
                sample={sample}
                filter={filter}
                change={change}
              />
            )}
            <SessionList
              sessions={sessions}
              chosen={chosen}
              isOpen={isOpen}
              onChoose={(id) =>
                setChosen((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]))
              }
              withPerson={ofTeam}
              isWhole={next === null && filter['after'] === undefined}
              onOpen={(session) => {
                setShown(session);
                setOpen(true);
              }}
            />
            {(next ?? filter['after']) && (
              <nav aria-label="Pages" className="mt-4 flex justify-end gap-2">
                {filter['after'] && (
                  <Button variant="ghost" size="sm" onClick={() => change({ after: '' })}>
                    Newest
                  </Button>
                )}
                {next && (
                  <Button variant="secondary" size="sm" onClick={() => change({ after: next })}>
                    Older
                  </Button>
                )}
              </nav>
            )}
          </>
        )}
      </QueryView>
      {shown && (
        <SessionDialog
          key={shown.id}
          session={shown}
          own={!ofTeam}
          redacts={redacts}
          open={open}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};
