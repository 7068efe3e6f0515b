import { contract } from '#shared/api/members.ts';
import { CloseTeam } from '#client/features/teams/close-team.tsx';
import { HandOver } from '#client/features/teams/hand-over.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Switch } from '#client/ui/checkbox.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';

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
      <Field label="Team name" error={form.errorOf('name')}>
        <Input autoComplete="organization" {...form.register('name')} />
      </Field>
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

export const TeamSettings = (mine: MyTeam) => (
  <div className="max-w-prose space-y-6">
    <Panel title="Name" description="Members see it beside the team's tools and on invitations.">
      <Rename key={mine.team.id} {...mine} />
    </Panel>
    <Panel title="Second factor" description="What members need as well as their password.">
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
