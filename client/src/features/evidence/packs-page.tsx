import { FileCheck2, ShieldCheck } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import { teamCan } from '#shared/rules/people/teams.ts';
import { PackForm } from '#client/features/evidence/pack-form.tsx';
import { PackList } from '#client/features/evidence/pack-list.tsx';
import { isGoing } from '#client/features/evidence/words.ts';
import { pageIn } from '#client/lib/pages/page-in-address.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { Field, Select } from '#client/ui/form.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { PageTurner } from '#client/ui/page-turner.tsx';
import { payerArgs } from '#client/lib/money/payer.ts';

const refreshMs = 1500;

/** Polls only while a pack is being made. */
const usePacks = (teamId: string | undefined, page: number) => {
  const args = { query: { ...payerArgs({ teamId }), page } };
  const going = useApiQuery(contract.evidence.list, args).data?.packs.some(isGoing);
  return useApiQuery(contract.evidence.list, args, {
    refetchOnMount: 'always',
    ...(going && { refetchInterval: refreshMs }),
  });
};

/** The practices whose record this person may read. */
const useRecordTeams = () => {
  const { ownedTeams = [], memberOf, role } = useApiQuery(contract.teams.my).data ?? {};
  return memberOf && role && teamCan(role, 'seeUsage') ? [...ownedTeams, memberOf] : ownedTeams;
};

const Whose = ({ teamId }: { teamId: string | undefined }) => {
  const teams = useRecordTeams();
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
  const page = pageIn(search);
  const to = (next: number) =>
    `${paths.packs()}?${new URLSearchParams({ ...(teamId && { team: teamId }), page: String(next) })}`;
  return (
    <>
      <PageHeader
        title="Evidence packs"
        description="The record of AI use as files that can be checked later: a change anywhere in them shows."
        action={
          <ButtonLink href={paths.verifyPack} variant="secondary">
            <ShieldCheck aria-hidden />
            Verify a pack
          </ButtonLink>
        }
      />
      <Whose teamId={teamId} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel title={teamId ? 'Packs of the practice' : 'My packs'}>
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
                    : 'Choose what it should cover. It takes some seconds, and is kept here for seven years.'
                }
                action={
                  page > 1 && (
                    <ButtonLink variant="secondary" size="sm" href={to(1)}>
                      To the newest
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
              ? 'It holds the sessions opened through the practice’s subscriptions, also of people who have left.'
              : 'It holds your sessions, your statements with every correction, and what the tools’ makers had said at the time.'
          }
        >
          <PackForm key={teamId ?? 'own'} teamId={teamId} />
        </Panel>
      </div>
    </>
  );
}
