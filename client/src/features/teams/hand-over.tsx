import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { nameOf } from '#client/features/teams/team-labels.tsx';
import { type MyTeam, useMyTeams } from '#client/features/teams/use-teams.ts';
import { endingSentence } from '#client/lib/money/bill-words.ts';
import { useForecast } from '#client/lib/money/forecast.ts';
import { billDay } from '#client/lib/words/format.ts';
import { billAfter, usePriceChanges } from '#client/lib/money/price-changes.tsx';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Select } from '#client/ui/select.tsx';

export const HandOver = ({ team }: MyTeam) => {
  const [userId, setUserId] = useState('');
  const [open, setOpen] = useState(false);
  const user = useSignedInUser();
  const { data } = useApiQuery(contract.teams.members, { params: { teamId: team.id } });
  const elsewhere = useMyTeams().data?.memberOf;
  const others = data?.filter(({ role }) => role !== 'owner') ?? [];
  const chosen = others.find((member) => member.userId === userId);
  const { mutate, isPending, isSuccess, fault } = useApiMutation(contract.teams.transfer, {
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
            <Money
              team={team}
              name={nameOf(chosen.user)}
              leaves={elsewhere ? user.id : undefined}
              isOwner={!isPending && !isSuccess}
            />
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

/** `isOwner`: whether the viewer may still ask for the team's bill. */
type MoneyProps = { team: MyTeam['team']; name: string; leaves: string | undefined; isOwner: boolean };

/** What the new owner takes over, as their mail will say it. */
const Money = ({ team, name, leaves, isOwner }: MoneyProps) => {
  const { data, isError } = usePriceChanges(
    { teamId: team.id, withoutCard: 'true', ...(leaves && { leaves }) },
    { enabled: isOwner },
  );
  const owed = useForecast({ teamId: team.id }, { enabled: isOwner }).data?.owed;
  if (!data)
    return (
      <li>{isError ? 'What becomes of the bill could not be loaded.' : 'Looking up what becomes of the bill…'}</li>
    );
  const { bill, endings } = data;
  return (
    <li className="figures">
      Your card is removed from the team.{' '}
      {owed &&
        `${formatCents(owed.dueCents)} is not paid yet; ${name} has to add a card and pay it by ${billDay(owed.until)}. `}
      {bill
        ? `${billAfter(bill, `${team.name}’s`)} ${name} pays it${owed ? '' : ', and has to add a card before that day'}.`
        : !owed && 'Nothing is due at present.'}
      {endings
        .filter(({ reason }) => reason === 'trial_without_card')
        .map((one) => ` ${endingSentence(one)}`)
        .join('')}
    </li>
  );
};
