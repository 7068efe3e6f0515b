import { PaymentFormSkeleton, type PaymentRequest } from '#client/features/subscriptions/payment-terms.tsx';
import { Payment } from '#client/features/subscriptions/payment.tsx';
import { type Payer, useTeamName } from '#client/lib/money/payer.tsx';
import { Dialog } from '#client/ui/dialog.tsx';

export type DialogRequest = PaymentRequest & { toolName: string };

type Props = { open: boolean; request: DialogRequest | null; payer: Payer; onClose: () => void; onPaid: () => void };

/** For a reactivation or an offer that is paid for. */
export default function PaymentDialog({ open, request, payer, onClose, onPaid }: Props) {
  const team = useTeamName(payer);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={request ? `Pay for ${request.toolName}${team === null ? '' : ` of ${team}`}` : ''}
    >
      <div className="flex flex-col gap-4">
        {request ? <Payment {...request} payer={payer} onDone={onPaid} /> : <PaymentFormSkeleton />}
      </div>
    </Dialog>
  );
}
