import { useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import { teamsWithPapers, useOwnedTeams, useTeamsWithPapers } from '#client/lib/money/payer.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { Select } from '#client/ui/field.tsx';

const self = 'me';

/** The team named by `?team=`; without it, the only team of an owner who has no subscriptions of their own. */
export function useTeamInAddress({ withClosed = false } = {}): string | undefined {
  const teams = useApiQuery(contract.teams.my).data;
  const subscriptions = useApiQuery(contract.subscriptions.list).data;
  const [search] = useSearchParams();
  const named = search.get('team');
  if (named && !teams) return named === self ? undefined : named;
  const owned = teams?.ownedTeams ?? [];
  if (named) return (withClosed ? teamsWithPapers(teams) : owned).find(({ id }) => id === named)?.id;
  const looksAfter = withClosed && teams?.role === 'reviewer' ? teams.memberOf : null;
  const usual = owned.length === 1 ? owned[0] : looksAfter;
  return usual && subscriptions?.every(({ teamId }) => teamId !== null) ? usual.id : undefined;
}

/** Whose card and invoices the page shows, closed practices only where it says so; nothing if there is no choice. */
export const WhoPays = ({ withClosed = false }: { withClosed?: boolean }) => {
  const [owned, all] = [useOwnedTeams(), useTeamsWithPapers()];
  const offered = withClosed ? all : owned;
  const teamId = useTeamInAddress({ withClosed });
  const [, setSearch] = useSearchParams();
  const choose = (team: string) =>
    setSearch((search) => {
      search.set('team', team);
      for (const name of ['page', 'told', 'year']) search.delete(name);
      return search;
    });
  return (
    offered.length > 0 && (
      <div className="screen-only flex flex-wrap items-center gap-x-3 gap-y-1">
        <label htmlFor="payer" className="font-medium">
          Who pays
        </label>
        <div className="min-w-48 flex-1">
          <Select
            id="payer"
            value={teamId ?? self}
            onChange={(event) => choose(event.target.value)}
            options={[{ value: self, label: 'You' }, ...offered.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        </div>
      </div>
    )
  );
};
