import { contract } from '#shared/api/members.ts';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { toast } from '#client/lib/toast.ts';
import { useApiMutation } from '#client/lib/write.ts';
import { Switch } from '#client/ui/checkbox.tsx';

/** The owner's word on whether members need a second factor. */
export const DemandFactor = ({ team }: MyTeam) => {
  const { mutate, isPending } = useApiMutation(contract.teams.requireFactor, {
    onSuccess: ({ requiresFactor }) =>
      toast({
        title: requiresFactor ? 'Second Factor Required' : 'Second Factor Optional',
        description: requiresFactor
          ? 'Members without one have been told. The team’s tools open for them once they set one up.'
          : 'Members may open the team’s tools without one.',
      }),
    failure: 'Failed to change the setting. Please try again.',
  });
  return (
    <Switch
      label="Members need a second factor to open the team's tools"
      checked={team.requiresFactor}
      disabled={isPending}
      onChange={(event) => mutate({ params: { teamId: team.id }, body: { required: event.target.checked } })}
    />
  );
};
