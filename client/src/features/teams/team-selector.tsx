import { membershipLabels } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { Select } from '#client/ui/select.tsx';

type Props = { teams: readonly MyTeam[]; chosen: MyTeam; onChoose: (teamId: string) => void };

/** Which team the page is about: name and membership type (B §2). */
export const TeamSelector = ({ teams, chosen, onChoose }: Props) => (
  <div className="w-full sm:w-72">
    <Select
      aria-label="Team"
      value={chosen.team.id}
      onChange={(event) => onChoose(event.target.value)}
      options={teams.map(({ team }) => ({
        value: team.id,
        label: `${team.name} (${membershipLabels[team.membershipType]})`,
      }))}
    />
  </div>
);
