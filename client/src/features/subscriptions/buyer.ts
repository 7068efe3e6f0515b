import { useSearchParams } from 'wouter';
import { contract } from '#shared/api/index.ts';
import { useApiQuery } from '#client/lib/query-client.ts';

/** Whom the subscribe screen buys for: oneself, or the team one owns (decisions §7). */
export type Buyer = { teamId: string | null; teamName: string | null };

const oneself: Buyer = { teamId: null, teamName: null };

/** The choice stands in the address, so that the team page can lead here with it made. Null until that team is known. */
export const useBuyer = () => {
  const [search, setSearch] = useSearchParams();
  const { data, error } = useApiQuery(contract.teams.my);
  const teams: Buyer[] = (data?.ownedTeams ?? []).map(({ id, name }) => ({ teamId: id, teamName: name }));
  const wanted = search.get('team');
  const buyer = teams.find(({ teamId }) => teamId === wanted) ?? oneself;
  const choose = ({ teamId }: Buyer) => setSearch(teamId === null ? {} : { team: teamId }, { replace: true });
  // Without the teams one can still buy for oneself.
  const known = wanted === null || data !== undefined || error !== null;
  return { buyer: known ? buyer : null, choices: teams.length > 0 ? [oneself, ...teams] : [], choose };
};
