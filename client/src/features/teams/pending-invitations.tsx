import { MailPlus } from 'lucide-react';
import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { TeamInvitation } from '#shared/api/teams.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { inviteFault } from '#client/features/teams/invite-form.tsx';
import { RoleBadge } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { toast, toastError } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const Revoke = ({ teamId, invitation }: { teamId: string; invitation: TeamInvitation }) => {
  const [open, setOpen] = useState(false);
  const { mutate, isPending, fault } = useApiMutation(contract.teams.revokeInvitation, {
    onSuccess: () => toast({ title: 'Invitation Revoked', description: `${invitation.email} can no longer join.` }),
    failure: 'Failed to revoke the invitation.',
  });
  return (
    <>
      <Button variant="ghost" size="sm" aria-label={`Revoke ${invitation.email}`} onClick={() => setOpen(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Revoke this invitation?"
        keepLabel="Keep invitation"
        confirmLabel="Revoke invitation"
        pendingLabel="Revoking…"
        pending={isPending}
        error={fault}
        onConfirm={() => mutate({ params: { teamId, invitationId: invitation.id } })}
      >
        The link sent to {invitation.email} stops working. You can invite them again at any time.
      </ConfirmDialog>
    </>
  );
};

const InvitationRow = ({ teamId, invitation }: { teamId: string; invitation: TeamInvitation }) => {
  const { email, role, state, expiresAt, invitedBy } = invitation;
  const { mutate, isPending } = useApiMutation(contract.teams.resendInvitation, {
    onSuccess: ({ inviteUrl }) => toast({ title: 'Invitation Sent', description: inviteUrl }),
    onError: (error) => toastError(inviteFault(error)),
  });
  const expired = state === 'expired';
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="min-w-0 break-all">{email}</span>
          <RoleBadge role={role} />
          {expired && <Badge tone="warning">expired</Badge>}
        </p>
        <p className="figures text-xs text-muted">
          {expired ? 'Expired' : 'Expires'} {formatDay(expiresAt)} · by {invitedBy.firstName} {invitedBy.lastName}
        </p>
      </div>
      <div className="flex gap-1">
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Resend ${email}`}
          pending={isPending}
          pendingLabel="Sending…"
          onClick={() => mutate({ params: { teamId, invitationId: invitation.id } })}
        >
          Resend
        </Button>
        <Revoke teamId={teamId} invitation={invitation} />
      </div>
    </li>
  );
};

export const PendingInvitations = ({ team }: MyTeam) => {
  const invitations = useApiQuery(contract.teams.invitations, { params: { teamId: team.id } });
  return (
    <Panel title="Pending invitations" description="Sent, and not answered yet" bodyClassName="pt-2! pb-2!">
      <QueryView
        query={invitations}
        failedTitle="The invitations could not be loaded"
        loading={<Loading label="Loading the invitations" className="py-3" skeletons={['h-10']} />}
        empty={
          <EmptyState
            icon={<MailPlus />}
            title="No pending invitations"
            description="Invitations stay here until they are answered."
          />
        }
      >
        {(list) => (
          <ul aria-label="Pending invitations" className="divide-y">
            {list.map((invitation) => (
              <InvitationRow key={invitation.id} teamId={team.id} invitation={invitation} />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
};
