import { MailPlus } from 'lucide-react';
import { useId, useState } from 'react';
import { contract } from '#shared/api/index.ts';
import type { TeamInvitation } from '#shared/api/teams.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { ConfirmDialog } from '#client/features/teams/confirm-dialog.tsx';
import { inviteFault } from '#client/features/teams/invite-form.tsx';
import { RoleBadge } from '#client/features/teams/team-labels.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiMutation, useApiQuery } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

const failed = (description: string) => toast({ title: 'Error', description, variant: 'destructive' });

const Revoke = ({ teamId, invitation }: { teamId: string; invitation: TeamInvitation }) => {
  const [open, setOpen] = useState(false);
  const { mutate, isPending, error } = useApiMutation(contract.teams.revokeInvitation, {
    invalidates: [contract.teams.invitations],
    onSuccess: () => toast({ title: 'Invitation Revoked', description: `${invitation.email} can no longer join.` }),
    onError: (fault) => failed(sentenceOf(fault, 'Failed to revoke the invitation.')),
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
        error={error ? sentenceOf(error, 'Failed to revoke the invitation.') : undefined}
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
    invalidates: [contract.teams.invitations],
    onSuccess: ({ inviteUrl }) => toast({ title: 'Invitation Sent', description: inviteUrl }),
    onError: (error) => failed(inviteFault(error)),
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
          {expired ? 'Expired' : 'Expires'} {formatSydneyDate(expiresAt)} · by {invitedBy.firstName}{' '}
          {invitedBy.lastName}
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

/** Invitations without an answer yet, to be sent again or taken back (decisions §7). */
export const PendingInvitations = ({ team }: MyTeam) => {
  const headingId = useId();
  const { data, error, refetch, isFetching } = useApiQuery(contract.teams.invitations, { params: { teamId: team.id } });
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title="Pending invitations" description="Sent, and not answered yet" />
      <CardBody className="pt-2! pb-2!">
        {data && data.length > 0 ? (
          <ul aria-labelledby={headingId} className="divide-y">
            {data.map((invitation) => (
              <InvitationRow key={invitation.id} teamId={team.id} invitation={invitation} />
            ))}
          </ul>
        ) : data ? (
          <EmptyState icon={<MailPlus />} title="No pending invitations" />
        ) : error ? (
          <ErrorState
            title="The invitations could not be loaded"
            message={error.sentence}
            requestId={error.requestId}
            onRetry={refetch}
            retrying={isFetching}
          />
        ) : (
          <Loading label="Loading the invitations" className="space-y-3 py-3">
            <Skeleton className="h-10" />
          </Loading>
        )}
      </CardBody>
    </Card>
  );
};
