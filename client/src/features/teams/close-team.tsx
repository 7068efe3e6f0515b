import { useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { ConfirmDialog } from '#client/features/teams/confirm-dialog.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { sentenceOf } from '#client/lib/api-error.ts';
import { useApiMutation } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';
import { Button } from '#client/ui/button.tsx';

const fallback = 'Failed to close the team. Please try again.';

export const CloseTeam = ({ team }: MyTeam) => {
  const [open, setOpen] = useState(false);
  const { mutate, isPending, error } = useApiMutation(contract.teams.close, {
    invalidates: [contract.teams.my, contract.subscriptions.list],
    onSuccess: () => toast({ title: 'Team Closed', description: `${team.name} was closed.` }),
    onError: (fault) => toast({ title: 'Error', description: sentenceOf(fault, fallback), variant: 'destructive' }),
  });
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Close team…
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Close ${team.name}?`}
        keepLabel="Keep the team"
        confirmLabel="Close team"
        pendingLabel="Closing the team…"
        pending={isPending}
        error={error ? sentenceOf(error, fallback) : undefined}
        onConfirm={() => mutate({ params: { teamId: team.id } })}
      >
        <ul className="list-disc space-y-1.5 pl-5">
          <li>All subscriptions of the team end at once, and nothing more is charged. There is no refund.</li>
          <li>Every member leaves and loses the team&apos;s tools. Their own subscriptions go on.</li>
          <li>Open invitations stop working. Invoices are kept for as long as the law demands.</li>
          <li>This can&apos;t be undone.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
};
