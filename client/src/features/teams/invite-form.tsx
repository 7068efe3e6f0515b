import { useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { CopyLink } from '#client/features/teams/copy-link.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { api } from '#client/lib/api.ts';
import { type ApiError, sentenceOf } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { invalidate, useApiQuery } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { Select } from '#client/ui/select.tsx';

const roles = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
] as const;

export const inviteFault = (error: ApiError) =>
  error.code === 'rate_limited'
    ? 'A team can send 20 invitations a day. Please try again tomorrow.'
    : sentenceOf(error, 'Failed to send invitation.');

/** Invite New Member (B §2, §5). The link is shown, beside the mail that carries it. */
export const InviteForm = ({ team }: MyTeam) => {
  const queryClient = useQueryClient();
  const [sent, setSent] = useState<{ email: string; url: string }>();
  const members = useApiQuery(contract.teams.members, { params: { teamId: team.id } }).data;
  const form = useApiForm({
    schema: contract.teams.invite.body,
    defaultValues: { email: '', role: 'member' },
    send: (body) => api.teams.invite({ params: { teamId: team.id }, body }),
    onDone: async ({ inviteUrl, invitation }) => {
      // First, so that nobody presses a button of the row that the new invitation replaces.
      await invalidate(queryClient, contract.teams.invitations);
      setSent({ email: invitation.email, url: inviteUrl });
      form.reset();
      toast({ title: 'Invitation Sent', description: inviteUrl });
    },
    onFailure: (error) => toast({ title: 'Error', description: inviteFault(error), variant: 'destructive' }),
  });
  return (
    <Card aria-label="Invite New Member">
      <CardHeader title="Invite New Member" description="They join with an account of their own." />
      <CardBody>
        <form noValidate onSubmit={form.onSubmit} aria-label="Invite a new member">
          {members && members.length >= team.maxMembers && (
            <Alert tone="warning" className="mb-4">
              All {team.maxMembers} places are taken. An invitation can be accepted once one is free.
            </Alert>
          )}
          {form.formError && (
            <Alert tone="danger" announce className="mb-4">
              {form.formError}
            </Alert>
          )}
          <Field label="Email" error={form.errorOf('email')}>
            <Input
              type="email"
              autoComplete="off"
              placeholder="colleague@practice.com.au"
              {...form.register('email')}
            />
          </Field>
          <Field
            label="Role"
            help="An admin can invite people, remove members and see how the tools are used."
            error={form.errorOf('role')}
            className="mt-2"
          >
            <Select options={roles} {...form.register('role')} />
          </Field>
          <Button type="submit" className="mt-3 w-full" pending={form.pending} pendingLabel="Sending invitation…">
            <Send aria-hidden />
            Send invitation
          </Button>
        </form>
        {sent && <CopyLink key={sent.url} {...sent} />}
      </CardBody>
    </Card>
  );
};
