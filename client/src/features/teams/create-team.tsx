import { useQueryClient } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { contract } from '#shared/api/index.ts';
import { defaultMaxMembers, defaultTeamName } from '#shared/rules/teams.ts';
import { api } from '#client/lib/api.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { invalidate } from '#client/lib/query-client.ts';
import { useSignedInUser } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Card } from '#client/ui/card.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

const points = [
  `Up to ${defaultMaxMembers} people, you among them. Each signs in with an account of their own.`,
  "One card of the team pays for everybody's tools, priced per member.",
  'From 5 members and two tools, every tool costs 15% less.',
];

/** B §2, §9: shown to whoever owns no team and is in none. */
export const CreateTeam = () => {
  const { firstName } = useSignedInUser();
  const queryClient = useQueryClient();
  const form = useApiForm({
    schema: contract.teams.create.body,
    defaultValues: { name: defaultTeamName(firstName), membershipType: 'team', maxMembers: defaultMaxMembers },
    send: (body) => api.teams.create({ body }),
    onDone: async (team) => {
      await invalidate(queryClient, contract.teams.my);
      toast({ title: 'Team Created', description: `${team.name} is ready. Invite your colleagues next.` });
    },
    onFailure: (error) =>
      toast({ title: 'Error', description: sentenceOf(error, 'Failed to create team.'), variant: 'destructive' }),
  });
  return (
    <Card className="mx-auto max-w-form p-6 sm:p-8">
      <span
        aria-hidden
        className="flex size-12 items-center justify-center rounded-full bg-primary-subtle text-primary [&_svg]:size-6"
      >
        <Users />
      </span>
      <h2 className="mt-4 text-lg">Create Your First Team</h2>
      <ul className="mt-3 list-disc space-y-1.5 pl-5 text-muted">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <form noValidate onSubmit={form.onSubmit} aria-label="Create your first team" className="mt-6">
        {form.formError && (
          <Alert tone="danger" announce className="mb-4">
            {form.formError}
          </Alert>
        )}
        <Field
          label="Team name"
          help="Usually the practice's name. You can change it later."
          error={form.errorOf('name')}
        >
          <Input autoComplete="organization" {...form.register('name')} />
        </Field>
        <Button type="submit" className="mt-3 w-full" pending={form.pending} pendingLabel="Creating team…">
          Create team
        </Button>
      </form>
    </Card>
  );
};
