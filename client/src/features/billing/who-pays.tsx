import { useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import { useOwnedTeams } from '#client/lib/money/payer.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Select } from '#client/ui/form.tsx';

const self = 'me';

/** The team named by `?team=`; without it, the only team of an owner who has no subscriptions of their own. */
export function useTeamInAddress(): string | undefined {
  const teams = useApiQuery(contract.teams.my).data;
  const subscriptions = useApiQuery(contract.subscriptions.list).data;
  const [search] = useSearchParams();
  const named = search.get('team');
  if (named && !teams) return named === self ? undefined : named;
  const owned = teams?.ownedTeams ?? [];
  if (named) return owned.find(({ id }) => id === named)?.id;
  return owned.length === 1 && subscriptions?.every(({ teamId }) => teamId !== null) ? owned[0]!.id : undefined;
}

/** Whose card and invoices the page shows; nothing if there is no choice. */
export const WhoPays = () => {
  const owned = useOwnedTeams();
  const teamId = useTeamInAddress();
  const [, setSearch] = useSearchParams();
  const choose = (team: string) =>
    setSearch((search) => {
      search.set('team', team);
      search.delete('page');
      return search;
    });
  return (
    owned.length > 0 && (
      <div className="screen-only flex flex-wrap items-center gap-x-3 gap-y-1">
        <label htmlFor="payer" className="font-medium">
          Who pays
        </label>
        <div className="min-w-48 flex-1">
          <Select
            id="payer"
            value={teamId ?? self}
            onChange={(event) => choose(event.target.value)}
            options={[{ value: self, label: 'You' }, ...owned.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        </div>
      </div>
    )
  );
};
