import { useState } from 'react';
import { contract } from '#shared/api/members.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import type { MyTeam } from '#client/features/teams/use-teams.ts';
import { closingCharge, closingSentence } from '#client/lib/money/bill-words.ts';
import { useForecast } from '#client/lib/money/forecast.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Button } from '#client/ui/button.tsx';

export const CloseTeam = ({ team }: MyTeam) => {
  const [open, setOpen] = useState(false);
  const { data: forecast, refetch } = useForecast({ teamId: team.id });
  const { mutate, isPending, fault } = useApiMutation(contract.teams.close, {
    onSuccess: () => toast({ title: 'Team Closed', description: `${team.name} was closed.` }),
    // The sum or the card has changed elsewhere.
    onSettled: (_closed, error) => error && refetch(),
    failure: 'Failed to close the team. Please try again.',
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
        error={fault}
        onConfirm={() => mutate({ params: { teamId: team.id }, body: closingCharge(forecast) })}
      >
        <ul className="list-disc space-y-1.5 pl-5">
          <li className="figures">
            All subscriptions of the team end at once, and {forecast ? closingSentence(forecast) : '…'}. Days already
            paid are not refunded.
          </li>
          <li>Every member leaves and loses the team&apos;s tools. Their own subscriptions continue.</li>
          <li>Open invitations stop working. Invoices are kept for as long as the law requires.</li>
          <li>This can&apos;t be undone.</li>
        </ul>
      </ConfirmDialog>
    </>
  );
};
