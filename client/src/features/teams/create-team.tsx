import { Users } from 'lucide-react';
import { contract } from '#shared/api/members.ts';
import { teamDiscountMembers, teamPercent } from '#shared/rules/billing/pricing.ts';
import { defaultMaxMembers, defaultTeamName } from '#shared/rules/people/teams.ts';
import { api } from '#client/lib/calls/api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/button.tsx';
import { Card } from '#client/ui/card.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { Input } from '#client/ui/input.tsx';

const points = [
  `Up to ${defaultMaxMembers} people including you, each with their own account.`,
  "One team card pays for everyone's tools, priced per member.",
  `From ${teamDiscountMembers.min} members and two tools, every tool costs ${teamPercent}% less.`,
];

/** For advisers who neither own nor belong to a team. */
export const CreateTeam = () => {
  const { firstName } = useSignedInUser();
  const form = useApiForm({
    schema: contract.teams.create.body,
    defaultValues: { name: defaultTeamName(firstName), membershipType: 'team', maxMembers: defaultMaxMembers },
    draft: 'create-team',
    send: (body) => api.teams.create({ body }),
    onDone: (team) =>
      toast({ title: 'Team Created', description: `${team.name} is ready. Invite your colleagues next.` }),
    failure: 'Failed to create team.',
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
      <Form form={form} label="Create your first team" className="mt-6">
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
      </Form>
    </Card>
  );
};
