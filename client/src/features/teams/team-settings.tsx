import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { takesSeat } from '#shared/rules/people/teams.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { type MyTeam, useMyTeams } from '#client/features/teams/use-teams.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { Button, Panel, Text } from '#client/ui/elements.tsx';
import { Switch } from '#client/ui/checkbox.tsx';
import { Field, Select } from '#client/ui/field.tsx';
import { Form, TextField } from '#client/ui/form.tsx';
import { closingCharge, closingLabel, closingSentence, endingSentence } from '#client/lib/money/bill-words.ts';
import { useForecast } from '#client/lib/money/payer.tsx';
import { nameOf } from '#client/features/teams/team-labels.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { billAfter, usePriceChanges } from '#client/lib/money/price-changes.tsx';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { ConfirmButton } from '#client/ui/dialog.tsx';

const Rename = ({ team }: MyTeam) => {
  const form = useApiForm({
    schema: contract.teams.rename.body,
    defaultValues: { name: team.name },
    draft: `rename-${team.id}`,
    send: (body) => api.teams.rename({ params: { teamId: team.id }, body }),
    onDone: (renamed) => {
      form.reset({ name: renamed.name });
      toast({ title: 'Team Renamed', description: `Your team is now called ${renamed.name}.` });
    },
    failure: 'Failed to rename the team.',
  });
  return (
    <Form form={form} label="Rename the team">
      <TextField form={form} name="name" label="Team name" autoComplete="organization" />
      <Button type="submit" className="mt-2" pending={form.pending} pendingLabel="Saving…">
        Save name
      </Button>
    </Form>
  );
};

/** The owner decides whether members need a second factor. */
const DemandFactor = ({ team }: MyTeam) => {
  const { mutate, isPending } = useApiMutation(contract.teams.requireFactor, {
    onSuccess: ({ requiresFactor }) =>
      toast({
        title: requiresFactor ? 'Two-Step Verification Required' : 'Two-Step Verification Optional',
        description: requiresFactor
          ? 'Members without one have been told. The team’s tools open for them once they set one up.'
          : 'Members may open the team’s tools without one.',
      }),
    failure: 'Failed to change the setting. Please try again.',
  });
  return (
    <Switch
      label="Members need two-step verification to open the team's tools"
      checked={team.requiresFactor}
      disabled={isPending}
      onChange={(event) => mutate({ params: { teamId: team.id }, body: { required: event.target.checked } })}
    />
  );
};

export const TeamSettings = (mine: MyTeam) => (
  <div className="max-w-prose space-y-6">
    <Panel title="Name" description="Members see it beside the team's tools and on invitations.">
      <Rename key={mine.team.id} {...mine} />
    </Panel>
    <Panel title="Two-step verification" description="What members need as well as their password.">
      <DemandFactor {...mine} />
    </Panel>
    <Panel title="Hand over" description="Make another member the owner of this team.">
      <HandOver {...mine} />
    </Panel>
    <Panel title="Close team" description="Ends the team's subscriptions and removes everyone.">
      <CloseTeam {...mine} />
    </Panel>
  </div>
);

const CloseTeam = ({ team }: MyTeam) => {
  const { data: forecast, refetch } = useForecast({ teamId: team.id });
  const close = useApiMutation(contract.teams.close, {
    onSuccess: () => toast({ title: 'Team Closed', description: `${team.name} was closed.` }),
    // The sum or the card has changed elsewhere.
    onSettled: (_closed, error) => error && refetch(),
    failure: 'Failed to close the team. Please try again.',
  });
  return (
    <ConfirmButton
      button="Close team…"
      look={{ variant: 'danger', size: 'md' }}
      title={`Close ${team.name}?`}
      keepLabel="Keep the team"
      confirmLabel={closingLabel('Close team', forecast)}
      pendingLabel="Closing the team…"
      mutation={close}
      onConfirm={() => close.mutate({ params: { teamId: team.id }, body: closingCharge(forecast) })}
    >
      <ul className="list-disc space-y-1.5 pl-5">
        <li className="figures">
          <Text>
            All subscriptions of the team end at once, and {forecast ? closingSentence(forecast) : '…'}. Days already
            paid are not refunded.
          </Text>
        </li>
        <li>Every member leaves and loses the team&apos;s tools. Their own subscriptions continue.</li>
        <li>Open invitations stop working. Invoices are kept for as long as the law requires.</li>
        <li>This can&apos;t be undone.</li>
      </ul>
    </ConfirmButton>
  );
};

const HandOver = ({ team }: MyTeam) => {
  const [userId, setUserId] = useState('');
  const user = useSignedInUser();
  const { data } = useApiQuery(contract.teams.members, { params: { teamId: team.id } });
  const elsewhere = useMyTeams().data?.memberOf;
  const others = data?.filter(({ role }) => role !== 'owner' && takesSeat(role)) ?? [];
  const chosen = others.find((member) => member.userId === userId);
  const name = chosen ? nameOf(chosen.user) : 'The member';
  const transfer = useApiMutation(contract.teams.transfer, {
    onSuccess: () => toast({ title: 'Team Handed Over', description: `${name} is the owner now.` }),
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
      <ConfirmButton
        button="Hand over…"
        look={{ size: 'md', className: 'mt-2', disabled: !chosen }}
        title={`Hand ${team.name} over to ${name}?`}
        keepLabel="Keep ownership"
        confirmLabel="Hand over"
        pendingLabel="Handing over…"
        mutation={transfer}
        onConfirm={() => transfer.mutate({ params: { teamId: team.id }, body: { userId } })}
      >
        <ul className="list-disc space-y-1.5 pl-5">
          <li>{name} becomes the owner at once, and only they can hand it back.</li>
          <Money
            team={team}
            name={name}
            leaves={elsewhere ? user.id : undefined}
            isOwner={!transfer.isPending && !transfer.isSuccess}
          />
          <li>
            {elsewhere
              ? `You leave the team, because you are a member of ${elsewhere.name}.`
              : 'You stay in the team as an admin.'}
          </li>
        </ul>
      </ConfirmButton>
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
      <Text>
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
      </Text>
    </li>
  );
};
