import type { Subscription } from '#shared/api/subscriptions.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { payerArgs } from '#client/lib/money/payer.tsx';
import { AfterDecision } from '#client/lib/money/price-changes.tsx';
import { ConfirmDialog } from '#client/ui/dialog.tsx';

type Props = {
  subscription: Subscription;
  open: boolean;
  onClose: () => void;
  pending: boolean;
  error: string | null;
  onConfirm: () => void;
};

/** Says what stopping the renewal does, before it is done. */
export default function StopRenewingDialog({ subscription, error, ...question }: Props) {
  const { toolId, tool, endDate, teamName } = subscription;
  const until = endDate ? ` on ${formatSydneyDate(endDate)}` : '';
  return (
    <ConfirmDialog
      {...question}
      title={`Stop renewing ${tool.name}${teamName ? ` for ${teamName}` : ''}?`}
      keepLabel="Keep renewing"
      confirmLabel="Stop renewing"
      pendingLabel="Stopping…"
      error={error}
    >
      <ul className="list-disc space-y-1.5 pl-5">
        <li>
          {tool.name} ends{until}, and nothing more is charged for it. You can switch it on again until then.
        </li>
        <AfterDecision decision={{ ...payerArgs(subscription), cancel: toolId }} />
      </ul>
    </ConfirmDialog>
  );
}
