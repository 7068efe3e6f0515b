import { useRef, useState } from 'react';
import { contract } from '#shared/api/members.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { AfterDecision } from '#client/lib/money/price-changes.tsx';
import { toast } from '#client/lib/words/toast.ts';
import { useApiMutation } from '#client/lib/calls/write.ts';
import { Switch } from '#client/ui/checkbox.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { payerArgs } from '#client/lib/money/payer.ts';

/** Stops or resumes the renewal. Stopping says first what it does; the switch moves before the server answers, and back if that fails. */
export const AutoRenew = ({ subscription }: { subscription: Subscription }) => {
  const { toolId, tool, autoRenew, endDate, teamName } = subscription;
  const busy = useRef(false);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [asking, setAsking] = useState(false);
  const until = endDate ? ` on ${formatSydneyDate(endDate)}` : '';
  const { mutate, isPending, fault, reset } = useApiMutation(contract.subscriptions.autoRenew, {
    onSuccess: (_reply, { body }) => {
      setAsking(false);
      toast({
        title: body.autoRenew ? 'Auto-renewal enabled' : 'Auto-renewal disabled',
        description: body.autoRenew ? `${tool.name} renews each month again.` : `${tool.name} ends${until}.`,
      });
    },
    failure: 'Failed to update auto-renewal settings.',
    onSettled: () => {
      busy.current = false;
      setWanted(null);
    },
  });
  const change = (on: boolean) => {
    // Not `wanted`: somebody who sees the toast may press again before its reset is drawn.
    if (busy.current) return;
    busy.current = true;
    setWanted(on);
    mutate({ params: { toolId }, body: { autoRenew: on, ...payerArgs(subscription) } });
  };
  return (
    <>
      <Switch
        label="Auto-renew"
        aria-label={`Auto-renew ${tool.name}`}
        checked={!asking && (wanted ?? autoRenew)}
        onChange={(event) => {
          if (event.target.checked) return change(true);
          reset();
          setAsking(true);
        }}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Stop renewing ${tool.name}${teamName ? ` for ${teamName}` : ''}?`}
        keepLabel="Keep renewing"
        confirmLabel="Stop renewing"
        pendingLabel="Stopping…"
        pending={isPending}
        error={fault}
        onConfirm={() => change(false)}
      >
        <ul className="list-disc space-y-1.5 pl-5">
          <li>
            {tool.name} ends{until}, and nothing more is charged for it. You can switch it on again until then.
          </li>
          <AfterDecision decision={{ ...payerArgs(subscription), cancel: toolId }} />
        </ul>
      </ConfirmDialog>
    </>
  );
};
