import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import type { TeamMember } from '#shared/api/teams.ts';
import { ConfirmDialog } from '#client/features/teams/confirm-dialog.tsx';
import { nameOf } from '#client/features/teams/team-labels.tsx';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiMutation } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Button } from '#client/ui/button.tsx';

/** Removes a member, after saying what that does (decisions §7). */
export const RemoveMember = ({ teamId, member }: { teamId: string; member: TeamMember }) => {
  const [open, setOpen] = useState(false);
  const name = nameOf(member.user);
  const { mutate, isPending, error } = useApiMutation(contract.teams.removeMember, {
    invalidates: [contract.teams.members],
    onSuccess: () => {
      setOpen(false);
      toast({ title: 'Member Removed', description: `${name} is no longer in your team.` });
    },
    onError: (fault) =>
      toast({
        title: 'Error',
        description: sentenceOf(fault, 'Failed to remove team member.'),
        variant: 'destructive',
      }),
  });
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        className="text-muted"
        aria-label={`Remove ${name}`}
        title="Remove"
        onClick={() => setOpen(true)}
      >
        <UserMinus aria-hidden />
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Remove ${name}?`}
        keepLabel="Keep member"
        confirmLabel="Remove member"
        pendingLabel="Removing…"
        pending={isPending}
        error={error ? sentenceOf(error, 'Failed to remove team member.') : undefined}
        onConfirm={() => mutate({ params: { teamId, userId: member.userId } })}
      >
        <ul className="list-disc space-y-1.5 pl-5">
          <li>The team&apos;s tools are closed to {name} at once. Their own subscriptions go on.</li>
          <li>The team pays for one member less from now on; what is paid ahead is credited on the next invoice.</li>
          <li>{name} is told by email. You can invite them again at any time.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
};
