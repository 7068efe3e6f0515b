import { contract } from '#shared/api/members.ts';
import { type MyTeam } from '#client/features/teams/use-teams.ts';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/use-api.ts';
import { Button, Panel, Text } from '#client/ui/elements.tsx';
import { Switch } from '#client/ui/checkbox.tsx';
import { Form, TextField } from '#client/ui/form.tsx';
import { closingCharge, closingLabel, closingSentence } from '#client/lib/money/bill-words.ts';
import { signInWith } from '#client/lib/session/claims.ts';
import { useForecast } from '#client/lib/money/payer.tsx';
import { AskToTakeOver } from '#client/features/teams/hand-over.tsx';
import { ConfirmButton } from '#client/ui/dialog.tsx';

const Rename = ({ team }: MyTeam) => {
  const form = useKeptForm({
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
          ? 'Members without it have been told. They can open the team’s tools once they set it up.'
          : 'Members can open the team’s tools without it.',
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

/** The owner decides whether members sign in with the practice's Microsoft account. */
const DemandMicrosoft = ({ team }: MyTeam) => {
  const { mutate, isPending } = useApiMutation(contract.teams.requireMicrosoft, {
    onSuccess: ({ microsoftTenant }) =>
      toast({
        title: microsoftTenant ? 'Microsoft Account Required' : 'Microsoft Account Optional',
        description: microsoftTenant
          ? 'Members who haven’t connected theirs have been told.'
          : 'Members may sign in as they like.',
      }),
    failure: 'Failed to change the setting. Please try again.',
  });
  return (
    <Switch
      label="The team's tools open only for members who signed in with its Microsoft account"
      checked={team.microsoftTenant !== null}
      disabled={isPending}
      onChange={(event) => mutate({ params: { teamId: team.id }, body: { required: event.target.checked } })}
    />
  );
};

export const TeamSettings = (mine: MyTeam) => (
  <>
    <div className="gap-6 lg:columns-2 [&>*]:mb-6 [&>*]:break-inside-avoid">
      <Panel title="Name" description="Members see it beside the team's tools and on invitations.">
        <Rename key={mine.team.id} {...mine} />
      </Panel>
      <Panel title="Two-step verification" description="What members need as well as their password.">
        <DemandFactor {...mine} />
      </Panel>
      {(signInWith().includes('microsoft') || mine.team.microsoftTenant !== null) && (
        <Panel
          title="Microsoft account"
          description="Your own Microsoft account decides which organisation members sign in with. Sign in with it first."
        >
          <DemandMicrosoft {...mine} />
        </Panel>
      )}
      <Panel title="Hand over" description="Make another member the owner of this team.">
        <AskToTakeOver {...mine} />
      </Panel>
    </div>
    <Panel title="Close team" description="Ends the team's subscriptions and removes everyone.">
      <CloseTeam {...mine} />
    </Panel>
  </>
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
      look={{ variant: 'danger-outline', size: 'md' }}
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
        <li>Open invitations stop working.</li>
        <li>You can still open its invoices, for as long as the law requires, and its evidence packs, for 7 years.</li>
        <li>This can&apos;t be undone.</li>
      </ul>
    </ConfirmButton>
  );
};
