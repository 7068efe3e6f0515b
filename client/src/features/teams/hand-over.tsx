import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/money.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { nameOf } from '#client/features/teams/team-labels.tsx';
import { type MyTeam, useMyTeams } from '#client/features/teams/use-teams.ts';
import { useForecast } from '#client/lib/forecast.ts';
import { billDay } from '#client/lib/format.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { toast } from '#client/lib/toast.ts';
import { useApiMutation } from '#client/lib/write.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Select } from '#client/ui/select.tsx';

export const HandOver = ({ team }: MyTeam) => {
  const [userId, setUserId] = useState('');
  const [open, setOpen] = useState(false);
  const bill = useForecast({ teamId: team.id }).data?.bill;
  const { data } = useApiQuery(contract.teams.members, { params: { teamId: team.id } });
  const elsewhere = useMyTeams().data?.memberOf;
  const others = data?.filter(({ role }) => role !== 'owner') ?? [];
  const chosen = others.find((member) => member.userId === userId);
  const { mutate, isPending, fault } = useApiMutation(contract.teams.transfer, {
    onSuccess: () =>
      toast({
        title: 'Team Handed Over',
        description: `${chosen ? nameOf(chosen.user) : 'The member'} is the owner now.`,
      }),
    failure: 'Failed to hand over the team.',
  });
  if (data && others.length === 0) return <p className="text-muted">There is nobody else in the team yet.</p>;
  return (
    <>
      <Field label="New owner">
        <Select
          placeholder="Choose a member"
          value={chosen ? userId : ''}
          onChange={(event) => setUserId(event.target.value)}
          options={others.map((member) => ({
            value: member.userId,
            label: `${nameOf(member.user)} (${member.user.email})`,
          }))}
        />
      </Field>
      <Button variant="secondary" className="mt-2" disabled={!chosen} onClick={() => setOpen(true)}>
        Hand over…
      </Button>
      {chosen && (
        <ConfirmDialog
          open={open}
          onClose={() => setOpen(false)}
          title={`Hand ${team.name} over to ${nameOf(chosen.user)}?`}
          keepLabel="Keep ownership"
          confirmLabel="Hand over"
          pendingLabel="Handing over…"
          pending={isPending}
          error={fault}
          onConfirm={() => mutate({ params: { teamId: team.id }, body: { userId: chosen.userId } })}
        >
          <ul className="list-disc space-y-1.5 pl-5">
            <li>{nameOf(chosen.user)} becomes the owner at once, and only they can hand it back.</li>
            <li className="figures">
              Your card is removed from the team.{' '}
              {bill
                ? `${nameOf(chosen.user)} takes over its bill of ${billDay(bill.at)}, ${formatCents(bill.totalCents)}, and has to add a card before then.`
                : 'The new owner has to add one before anything is charged.'}
            </li>
            <li>
              {elsewhere
                ? `You leave the team, because you are a member of ${elsewhere.name}.`
                : 'You stay in the team as an admin.'}
            </li>
          </ul>
        </ConfirmDialog>
      )}
    </>
  );
};
