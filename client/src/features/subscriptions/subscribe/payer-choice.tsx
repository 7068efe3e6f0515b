import { useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import { usualTeam } from '#client/lib/money/payer.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { RadioGroup } from '#client/ui/radio-group.tsx';

export type NamedPayer = { teamId: string | null; teamName: string | null };

const valueOf = ({ teamId }: NamedPayer) => teamId ?? 'me';
const oneself: NamedPayer = { teamId: null, teamName: null };

/**
 * The adviser, or a team they own. The choice is in the address, so that the team page can make it in a link.
 * `payer` is null until the team in the address is known.
 */
export const usePayerChoice = () => {
  const [search, setSearch] = useSearchParams();
  const { data, error } = useApiQuery(contract.teams.my);
  const teams: NamedPayer[] = (data?.ownedTeams ?? []).map(({ id, name }) => ({ teamId: id, teamName: name }));
  const list = useApiQuery(contract.subscriptions.list);
  const subscriptions = list.data ?? [];
  const wanted = search.get('team');
  const usual = usualTeam(teams, subscriptions);
  const payer = teams.find(({ teamId }) => teamId === wanted) ?? (wanted === null ? usual : undefined) ?? oneself;
  const choose = (chosen: NamedPayer) => setSearch({ team: valueOf(chosen) }, { replace: true });
  // If the teams can't be loaded, advisers can still buy for themselves.
  const isLoaded = [data ?? error, list.data ?? list.error].every((answer) => answer !== null && answer !== undefined);
  return { payer: isLoaded ? payer : null, choices: teams.length > 0 ? [oneself, ...teams] : [], choose };
};

type Props = { payer: NamedPayer; choices: readonly NamedPayer[]; onChoose: (payer: NamedPayer) => void };

/** Nothing for advisers without a team of their own. */
export const PayerChoice = ({ payer, choices, onChoose }: Props) =>
  choices.length > 0 && (
    <div className="mb-6">
      <RadioGroup
        framed
        legend="Who is it for?"
        value={valueOf(payer)}
        onChange={(value) => {
          const chosen = choices.find((choice) => valueOf(choice) === value);
          if (chosen) onChoose(chosen);
        }}
        options={choices.map((choice) => ({
          value: valueOf(choice),
          label: choice.teamName === null ? 'For me' : `For my team, ${choice.teamName}`,
          help: choice.teamName === null ? 'Your own subscription' : 'Every member can open it; the team pays',
        }))}
      />
    </div>
  );
