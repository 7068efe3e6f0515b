import { NewCard } from '#client/features/billing/new-card.tsx';
import { useCardOnFile } from '#client/lib/money/card-name.tsx';
import { type Payer, useTeamName } from '#client/lib/money/payer.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Loading } from '#client/ui/query-view.tsx';

type Props = Payer & { open: boolean; onClose: () => void };

export default function UpdatePaymentDialog({ open, onClose, teamId }: Props) {
  const { data: card } = useCardOnFile({ teamId });
  const team = useTeamName({ teamId });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`${card === null ? 'Add a card' : 'Update payment method'}${team === null ? '' : ` for ${team}`}`}
      description="It pays every bill until you change it."
    >
      {open && (
        <NewCard
          teamId={teamId}
          onSaved={onClose}
          onCancel={onClose}
          preparing={
            <Loading label="Preparing the card form" className="grid gap-3" skeletons={['h-16', 'h-16', 'h-9']} />
          }
        />
      )}
    </Dialog>
  );
}
