import { FileCheck2, ShieldCheck } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import { isGoing, PackList } from '#client/features/evidence/pack-list.tsx';
import { pageIn } from '#client/lib/pages/page-in-address.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Button, BackLink, ButtonLink, PageHeader, Panel } from '#client/ui/elements.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { Field, Input, Select } from '#client/ui/field.tsx';
import { PageTurner } from '#client/ui/page-turner.tsx';
import { payerArgs, useTeamsWithPapers } from '#client/lib/money/payer.tsx';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Form, TextField } from '#client/ui/form.tsx';
import { monthOf } from '#shared/rules/record/analytics.ts';
import { plusDays, sydneyDate } from '#shared/rules/dates.ts';
import { businessNow } from '#client/lib/words/business-time.ts';

const refreshMs = 1500;

/** Polls only while a pack is being made. */
const usePacks = (teamId: string | undefined, page: number) => {
  const args = { query: { ...payerArgs({ teamId }), page } };
  const going = useApiQuery(contract.evidence.list, args).data?.packs.some(isGoing);
  return useFreshQuery(contract.evidence.list, args, {
    ...(going && { refetchInterval: refreshMs }),
  });
};

const Whose = ({ teamId }: { teamId: string | undefined }) => {
  const teams = useTeamsWithPapers();
  const [, setSearch] = useSearchParams();
  if (teams.length === 0) return null;
  return (
    <Field label="Whose record" className="max-w-sm">
      <Select
        value={teamId ?? ''}
        onChange={(event) => setSearch(event.target.value ? { team: event.target.value } : {})}
        options={[
          { value: '', label: 'My own sessions' },
          ...teams.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </Field>
  );
};

/** /record/packs: the reader's own, or a practice's with `?team=`. */
export default function PacksPage() {
  useTitle('Evidence packs');
  const [search] = useSearchParams();
  const teamId = search.get('team') ?? undefined;
  const team = useTeamsWithPapers().find(({ id }) => id === teamId);
  const page = pageIn(search);
  const to = (next: number) =>
    `${paths.packs()}?${new URLSearchParams({ ...(teamId && { team: teamId }), page: String(next) })}`;
  return (
    <>
      <BackLink href={teamId ? `${paths.teams}?team=${teamId}&tab=record` : paths.record}>Back to the record</BackLink>
      <PageHeader
        title="Evidence packs"
        description="Download your AI record as files that show any later change."
        action={
          <ButtonLink href={paths.verifyPack} variant="secondary">
            <ShieldCheck aria-hidden />
            Verify a pack
          </ButtonLink>
        }
      />
      <Whose teamId={teamId} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel title={teamId ? `${team?.name ?? 'The practice'}’s packs` : 'My packs'}>
          <QueryView
            query={usePacks(teamId, page)}
            failedTitle="Your evidence packs could not be loaded"
            loading={<Loading label="Loading your evidence packs" skeletons={['h-24', 'mt-4 h-24', 'mt-4 h-24']} />}
            isEmpty={({ packs }) => packs.length === 0}
            empty={
              <EmptyState
                icon={<FileCheck2 />}
                title={page > 1 ? 'There is no such page' : 'No evidence packs yet'}
                description={
                  page > 1
                    ? 'Packs are deleted after seven years, so the list may have become shorter.'
                    : 'Choose what it should cover. It takes a few seconds, and we keep it for seven years.'
                }
                action={
                  page > 1 && (
                    <ButtonLink variant="secondary" size="sm" href={to(1)}>
                      Go to the newest
                    </ButtonLink>
                  )
                }
              />
            }
          >
            {({ packs, pagination: { totalPages } }) => (
              <>
                <PackList packs={packs} />
                {totalPages > 1 && <PageTurner page={page} totalPages={totalPages} to={to} />}
              </>
            )}
          </QueryView>
        </Panel>
        <Panel
          title="Make an evidence pack"
          description={
            teamId
              ? 'It holds every session in the practice’s tools. Sessions of former members are included.'
              : 'It holds your sessions, your reviews, and each maker’s supplier due diligence at the time.'
          }
        >
          <PackForm key={teamId ?? 'own'} teamId={teamId} />
        </Panel>
      </div>
    </>
  );
}

/** The first and the last day of last month, the one that is usually asked for. */
function lastMonth() {
  const last = plusDays(monthOf(sydneyDate(businessNow())).first, -1);
  return { fromDay: monthOf(last).first, toDay: last };
}

const days = [
  ['fromDay', 'First day', 'Empty: from the start'],
  ['toDay', 'Last day', 'Empty: until now'],
] as const;

/** Asks for a pack; a field left empty narrows nothing. */
const PackForm = ({ teamId }: { teamId: string | undefined }) => {
  const choices = useFreshQuery(contract.evidence.choices, { query: payerArgs({ teamId }) }).data;
  const form = useApiForm({
    schema: contract.evidence.ask.body,
    defaultValues: { ...payerArgs({ teamId }), adviserId: '', toolId: '', clientReference: '', ...lastMonth() },
    send: (body) => api.evidence.ask({ body }),
    onDone: () => toast({ title: 'Your evidence pack is being made', description: 'It appears in the list.' }),
    failure: null,
  });
  const { register, errorOf, pending } = form;
  const options = (list: { id: string; name: string }[] = []) =>
    list.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Form form={form} label="Make an evidence pack">
      <div className="grid gap-x-4 sm:grid-cols-2">
        {days.map(([name, label, help]) => (
          <TextField key={name} {...{ form, name, label, help }} required={false} type="date" />
        ))}
      </div>
      <details className="mb-4">
        <summary className="w-fit cursor-pointer rounded-sm text-sm font-medium max-sm:py-3">
          {teamId ? 'Only one adviser, tool or client' : 'Only one tool or client'}
        </summary>
        <div className="pt-4">
          {teamId && (
            <Field label="Adviser" required={false} error={errorOf('adviserId')}>
              <Select placeholder="Everybody" options={options(choices?.advisers)} {...register('adviserId')} />
            </Field>
          )}
          <Field label="Tool" required={false} error={errorOf('toolId')}>
            <Select placeholder="All tools" options={options(choices?.tools)} {...register('toolId')} />
          </Field>
          <Field
            label="Client reference"
            required={false}
            help="Capitals, spaces and hyphens don’t matter."
            error={errorOf('clientReference')}
          >
            <Input autoComplete="off" {...register('clientReference')} />
          </Field>
        </div>
      </details>
      <Button type="submit" pending={pending} pendingLabel="Making…">
        Make evidence pack
      </Button>
    </Form>
  );
};
