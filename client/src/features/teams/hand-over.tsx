import { useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { takesSeat } from '#shared/rules/people/teams.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { nameOf } from '#client/features/teams/team-labels.tsx';
import { type MyTeam, useMyTeams } from '#client/features/teams/use-teams.ts';
import { useApiMutation, useApiQuery, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { endingSentence } from '#client/lib/money/bill-words.ts';
import { BillTable } from '#client/lib/money/bill-table.tsx';
import { fullName } from '#client/lib/session/people.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { billDay } from '#client/lib/words/format.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button, FormError, Panel } from '#client/ui/elements.tsx';
import { ConfirmButton } from '#client/ui/dialog.tsx';
import { Field, Select } from '#client/ui/field.tsx';

type Open = NonNullable<Reply<typeof contract.teams.handOver>>;

const useEnd = (team: MyTeam['team']) =>
  useApiMutation(contract.teams.endHandOver, {
    onSuccess: () => toast({ title: 'Hand-over Ended', description: `${team.name} stays with its owner.` }),
    failure: 'The hand-over could not be ended. Please try again.',
  });

/** For the owner: chooses whom to ask, or waits for the answer. */
export const AskToTakeOver = ({ team }: MyTeam) => {
  const open = useFreshQuery(contract.teams.handOver, { params: { teamId: team.id } }).data;
  return open ? <Waiting team={team} open={open} /> : <Choose team={team} />;
};

const Waiting = ({ team, open }: { team: MyTeam['team']; open: Open }) => {
  const { mutate, isPending } = useEnd(team);
  return (
    <>
      <p>
        {fullName(open.to)} is asked to take over {team.name}, and may accept until {formatSydneyDate(open.until)}.
        Until then nothing changes.
      </p>
      <Button
        variant="secondary"
        className="mt-3"
        pending={isPending}
        pendingLabel="Ending…"
        onClick={() => mutate({ params: { teamId: team.id } })}
      >
        End the hand-over
      </Button>
    </>
  );
};

const Choose = ({ team }: { team: MyTeam['team'] }) => {
  const [userId, setUserId] = useState('');
  const { data } = useApiQuery(contract.teams.members, { params: { teamId: team.id } });
  const elsewhere = useMyTeams().data?.memberOf;
  const others = data?.filter(({ role }) => role !== 'owner' && takesSeat(role)) ?? [];
  const chosen = others.find((member) => member.userId === userId);
  const name = chosen ? nameOf(chosen.user) : 'The member';
  const ask = useApiMutation(contract.teams.transfer, {
    onSuccess: () => toast({ title: 'Hand-over Requested', description: `We’ve asked ${name} to accept.` }),
    failure: 'Failed to hand over the team.',
  });
  if (data && others.length === 0) return <p className="text-muted">Nobody else is a member yet.</p>;
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
      <ConfirmButton
        button="Change owner…"
        look={{ size: 'md', disabled: !chosen }}
        title={`Hand ${team.name} over to ${name}?`}
        keepLabel="Keep ownership"
        confirmLabel="Ask to accept"
        pendingLabel="Asking…"
        mutation={ask}
        onConfirm={(close) => ask.mutate({ params: { teamId: team.id }, body: { userId } }, { onSuccess: close })}
      >
        <ul className="list-disc space-y-1.5 pl-5">
          <li>{name} sees the practice’s bill and has to accept. Until then nothing changes.</li>
          <li>Your card is then removed from the practice, and only they can hand it back.</li>
          <li>
            {elsewhere
              ? `You leave ${team.name}, because you are a member of ${elsewhere.name}.`
              : `You stay in ${team.name} as an admin.`}
          </li>
        </ul>
      </ConfirmButton>
    </>
  );
};

/** For whoever is asked to become the owner: the bill that they would pay, and the answer. */
export const TakeOver = ({ team }: MyTeam) => {
  const me = useSignedInUser();
  const query = useFreshQuery(contract.teams.handOver, { params: { teamId: team.id } });
  const end = useEnd(team);
  const accept = useApiMutation(contract.teams.acceptHandOver, {
    failure: null,
    onSuccess: () => toast({ title: 'Team Taken Over', description: `You are now the owner of ${team.name}.` }),
    // The bill has changed meanwhile.
    onSettled: (_team, error) => error && query.refetch(),
  });
  const open = query.data;
  if (!open || open.to.userId !== me.id) return null;
  const { bill, owed, endings } = open.forecast;
  const sums = { totalCents: bill?.totalCents ?? 0, owedCents: owed?.dueCents ?? 0 };
  const params = { teamId: team.id };
  return (
    <Panel
      title={`${fullName(open.from)} asks you to take over ${team.name}`}
      description={`The owner decides and pays. You may accept until ${formatSydneyDate(open.until)}.`}
      className="mb-6"
    >
      <div className="grid gap-3">
        {bill ? (
          <>
            <p>
              You would pay this bill on {billDay(bill.at)}, and have to add a card before that day. The card of{' '}
              {open.from.firstName} is removed.
            </p>
            <BillTable label={`The next bill of ${team.name}`} {...bill} />
          </>
        ) : (
          <p>Nothing is due for now.</p>
        )}
        {owed && (
          <p className="figures">
            {formatCents(owed.dueCents)} is not paid yet. You would have to pay it by {billDay(owed.until)}.
          </p>
        )}
        {endings.map((one) => (
          <p key={one.toolId} className="figures">
            {endingSentence(one)}
          </p>
        ))}
        <FormError>{accept.fault}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button
            pending={accept.isPending}
            pendingLabel="Taking over…"
            onClick={() => accept.mutate({ params, body: sums })}
          >
            Become the owner
          </Button>
          <Button
            variant="secondary"
            pending={end.isPending}
            pendingLabel="Declining…"
            onClick={() => end.mutate({ params })}
          >
            Decline
          </Button>
        </div>
      </div>
    </Panel>
  );
};
