import { contract } from '#shared/api/members.ts';
import type { Team } from '#shared/api/teams.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { ConfirmButton } from '#client/ui/dialog.tsx';

/** What ends for whoever leaves the team, and when. */
export const WhatEnds = ({ team }: { team: Pick<Team, 'id' | 'name'> }) => {
  const { data } = useApiQuery(contract.subscriptions.list);
  const tools = data?.filter(({ teamId, hasAccess }) => teamId === team.id && hasAccess).map(({ tool }) => tool.name);
  return (
    <ul className="list-disc space-y-1.5 pl-5">
      <li>
        {tools && tools.length > 0
          ? `From now on you can no longer open ${new Intl.ListFormat('en-AU').format(tools)} through ${team.name}.`
          : `From now on you can no longer open tools through ${team.name}.`}
      </li>
      <li>Your own subscriptions continue. Your sessions and reviews stay in your record and in the team’s.</li>
      <li>The owner of {team.name} is told. To come back, you need a new invitation.</li>
    </ul>
  );
};

/** A member leaves by themselves. */
export const LeaveTeam = ({ team }: { team: Team }) => {
  const leave = useApiMutation(contract.teams.leave, {
    onSuccess: () => toast({ title: 'Team Left', description: `You are no longer a member of ${team.name}.` }),
    failure: 'You could not leave the team. Please try again.',
  });
  return (
    <ConfirmButton
      button="Leave team…"
      title={`Leave ${team.name}?`}
      keepLabel="Stay in the team"
      confirmLabel="Leave team"
      pendingLabel="Leaving…"
      mutation={leave}
      onConfirm={() => leave.mutate({ params: { teamId: team.id } })}
    >
      <WhatEnds team={team} />
    </ConfirmButton>
  );
};
