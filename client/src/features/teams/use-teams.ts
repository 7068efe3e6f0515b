import { useSearchParams } from 'wouter';
import { contract } from '#shared/api/index.ts';
import type { Team } from '#shared/api/teams.ts';
import type { TeamRole } from '#shared/rules/teams.ts';
import { useApiQuery } from '#client/lib/query-client.ts';

export type MyTeam = { team: Team; role: TeamRole };

/** Teams owned, then the one this adviser is a member of; undefined until known. */
export const useMyTeams = () => {
  const query = useApiQuery(contract.teams.my);
  const { ownedTeams = [], memberOf, role } = query.data ?? {};
  const teams: MyTeam[] = [
    ...ownedTeams.map((team) => ({ team, role: 'owner' as const })),
    ...(memberOf && role ? [{ team: memberOf, role }] : []),
  ];
  return { ...query, teams: query.data && teams };
};

/** The chosen team stands in the address, so that a reload and a shared link show the same; the first one needs no mention. */
export const useChosenTeam = (teams: readonly MyTeam[]) => {
  const [search, setSearch] = useSearchParams();
  const chosen = teams.find(({ team }) => team.id === search.get('team')) ?? teams[0];
  const choose = (teamId: string) => setSearch(teamId === teams[0]?.team.id ? {} : { team: teamId });
  return [chosen, choose] as const;
};
