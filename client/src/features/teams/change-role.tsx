import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { TeamMember } from '#shared/api/teams.ts';
import { aRole, type InvitedRole, invitedRoles, takesSeat } from '#shared/rules/people/teams.ts';
import { BillLines, useBillWith } from '#client/features/teams/bill-with.tsx';
import { nameOf, roleLabels, roleRights } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { ConfirmButton } from '#client/ui/dialog.tsx';
import { Field, Select } from '#client/ui/field.tsx';

type Props = { team: MyTeam['team']; member: TeamMember };

/** What a seat that comes or goes does to the bill. */
const SeatCost = ({ team, member, gets }: Props & { gets: boolean }) => {
  const change = gets ? ({ joins: 'true' } as const) : { leaves: member.userId };
  const { lines, isError, isPending } = useBillWith({ teamId: team.id, change });
  if (isPending) return <p>Working out the new bill…</p>;
  if (isError) return <p>The new bill could not be loaded.</p>;
  return (
    lines.length > 0 && (
      <p>
        {team.name}’s bill: <BillLines lines={lines} />
      </p>
    )
  );
};

/** The owner gives somebody another role, and sees what it does to the bill before. */
export const ChangeRole = ({ team, member }: Props) => {
  const name = nameOf(member.user);
  const [chosen, setChosen] = useState<InvitedRole>();
  const role = chosen ?? (member.role as InvitedRole);
  const change = useApiMutation(contract.teams.changeRole, {
    onSuccess: () => toast({ title: 'Role Changed', description: `${name} is now ${aRole(role)}.` }),
    failure: 'The role could not be changed. Please try again.',
  });
  // It opens with the role that they have, whatever was chosen before.
  const reset = () => {
    change.reset();
    setChosen(undefined);
  };
  return (
    <ConfirmButton
      button="Change role"
      look={{
        variant: 'ghost',
        className: 'text-muted! hover:text-text!',
        'aria-label': `Change the role of ${name}`,
      }}
      title={`Change the role of ${name}`}
      variant="primary"
      keepLabel="Keep role"
      confirmLabel="Change role"
      pendingLabel="Changing…"
      mutation={{ ...change, reset }}
      onConfirm={(close) =>
        role === member.role
          ? close()
          : change.mutate({ params: { teamId: team.id, userId: member.userId }, body: { role } }, { onSuccess: close })
      }
    >
      <Field label="Role" help={roleRights[role]}>
        <Select
          value={role}
          onChange={(event) => setChosen(event.target.value as InvitedRole)}
          options={invitedRoles.map((value) => ({ value, label: roleLabels[value] }))}
        />
      </Field>
      <div className="mt-3 grid gap-1.5">
        {takesSeat(role) !== takesSeat(member.role) && <SeatCost team={team} member={member} gets={takesSeat(role)} />}
        <p>{name} is told by email.</p>
      </div>
    </ConfirmButton>
  );
};
