import { Suspense } from 'react';
import { later } from '#client/lib/later.ts';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/money.ts';
import { useCardOnFile } from '#client/lib/card-name.tsx';
import { useForecast } from '#client/lib/forecast.ts';
import { billDay } from '#client/lib/format.ts';
import { type Payer, payerArgs, useTeamName } from '#client/lib/payer.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { useWriteOnMount } from '#client/lib/write.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { both, QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const UpdatePaymentForm = later(() => import('#client/features/billing/update-payment-form.tsx'));

const Preparing = () => (
  <Loading label="Preparing the card form" className="grid gap-3" skeletons={['h-16', 'h-16', 'h-9']} />
);

type Props = Payer & { open: boolean; onClose: () => void };

/** Trials that end unless there is a card; with one they continue, and are charged. */
const TrialsThatGoOn = ({ teamId }: Payer) => {
  const { data } = useForecast({ teamId });
  const trials = data?.endings.filter(({ reason }) => reason === 'trial_without_card') ?? [];
  if (trials.length === 0) return null;
  return (
    <div className="figures mb-4 rounded bg-surface-subtle p-3">
      <p>{trials.length === 1 ? 'After your trial' : 'After your trials'} we’ll charge it:</p>
      <ul className="mt-1">
        {trials.map(({ subscriptionId, toolName, monthlyCents, at }) => (
          <li key={subscriptionId}>
            {toolName}: {formatCents(monthlyCents)} a month from {billDay(at)}, until you cancel
          </li>
        ))}
      </ul>
    </div>
  );
};

/** Mounted each time the dialog opens: a setup intent is for one card. */
const Content = ({ teamId, onClose }: Payer & { onClose: () => void }) => {
  const config = useApiQuery(contract.billing.config);
  const intent = useWriteOnMount(contract.billing.setupIntent, { body: payerArgs({ teamId }) });
  return (
    <QueryView query={both(intent, config)} failedTitle="The card form could not be loaded" loading={<Preparing />}>
      {([begun, stripeConfig]) => (
        <>
          <TrialsThatGoOn teamId={teamId} />
          <Suspense fallback={<Preparing />}>
            <UpdatePaymentForm
              config={stripeConfig}
              {...begun}
              teamId={teamId}
              onClose={onClose}
              preparing={<Preparing />}
            />
          </Suspense>
        </>
      )}
    </QueryView>
  );
};

export default function UpdatePaymentDialog({ open, onClose, teamId }: Props) {
  const { data: card } = useCardOnFile({ teamId });
  const team = useTeamName({ teamId });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`${card === null ? 'Add a card' : 'Update payment method'}${team === null ? '' : ` for ${team}`}`}
      description="It pays every bill until you change it."
    >
      {open && <Content teamId={teamId} onClose={onClose} />}
    </Dialog>
  );
}
