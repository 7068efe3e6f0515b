import { useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import type { Team } from '#shared/api/teams.ts';
import type { TeamRole } from '#shared/rules/people/teams.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';

export type MyTeam = { team: Team; role: TeamRole };

/** The adviser's own team first, then the one they are a member of; undefined until loaded. */
export const useMyTeams = () => {
  const query = useApiQuery(contract.teams.my);
  const { ownedTeams = [], memberOf, role } = query.data ?? {};
  const teams: MyTeam[] = [
    ...ownedTeams.map((team) => ({ team, role: 'owner' as const })),
    ...(memberOf && role ? [{ team: memberOf, role }] : []),
  ];
  return { ...query, teams: query.data && teams };
};

export const useChosenTeam = (teams: readonly MyTeam[]) => {
  const [search, setSearch] = useSearchParams();
  const chosen = teams.find(({ team }) => team.id === search.get('team')) ?? teams[0];
  const choose = (teamId: string) => setSearch(teamId === teams[0]?.team.id ? {} : { team: teamId });
  return [chosen, choose] as const;
};
