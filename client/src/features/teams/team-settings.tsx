import { useQueryClient } from '@tanstack/react-query';
import { contract } from '#shared/api/index.ts';
import { CloseTeam } from '#client/features/teams/close-team.tsx';
import { HandOver } from '#client/features/teams/hand-over.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { api } from '#client/lib/api.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { invalidate } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

const Rename = ({ team }: MyTeam) => {
  const queryClient = useQueryClient();
  const form = useApiForm({
    schema: contract.teams.rename.body,
    defaultValues: { name: team.name },
    send: (body) => api.teams.rename({ params: { teamId: team.id }, body }),
    onDone: async (renamed) => {
      form.reset({ name: renamed.name });
      await invalidate(queryClient, contract.teams.my, contract.subscriptions.list);
      toast({ title: 'Team Renamed', description: `Your team is now called ${renamed.name}.` });
    },
    onFailure: (error) =>
      toast({ title: 'Error', description: sentenceOf(error, 'Failed to rename the team.'), variant: 'destructive' }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit} aria-label="Rename the team">
      {form.formError && (
        <Alert tone="danger" announce className="mb-4">
          {form.formError}
        </Alert>
      )}
      <Field label="Team name" error={form.errorOf('name')}>
        <Input autoComplete="organization" {...form.register('name')} />
      </Field>
      <Button type="submit" className="mt-2" disabled={!form.dirty} pending={form.pending} pendingLabel="Saving…">
        Save name
      </Button>
    </form>
  );
};

/** What only the owner may do: rename, hand over, close (decisions §7). */
export const TeamSettings = (mine: MyTeam) => (
  <div className="max-w-prose space-y-6">
    <Card>
      <CardHeader title="Name" description="Members see it beside the team's tools and on invitations." />
      <CardBody>
        <Rename key={mine.team.id} {...mine} />
      </CardBody>
    </Card>
    <Card>
      <CardHeader title="Hand over" description="Make another member the owner of this team." />
      <CardBody>
        <HandOver {...mine} />
      </CardBody>
    </Card>
    <Card>
      <CardHeader title="Close team" description="Ends the team's subscriptions; everybody leaves." />
      <CardBody>
        <CloseTeam {...mine} />
      </CardBody>
    </Card>
  </div>
);
