import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { type PayerProps, payerArgs } from '#client/features/billing/payer.ts';
import { api } from '#client/lib/api.ts';
import { keyOf, useApiQuery } from '#client/lib/query-client.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { ErrorState } from '#client/ui/error-state.tsx';
import { Loading, Skeleton } from '#client/ui/skeleton.tsx';

const CardForm = lazy(() => import('#client/features/billing/card-form.tsx'));

const Preparing = () => (
  <Loading label="Preparing the card form" className="grid gap-3">
    <Skeleton className="h-16" />
    <Skeleton className="h-16" />
    <Skeleton className="h-9" />
  </Loading>
);

type Props = PayerProps & { open: boolean; onClose: () => void };

/** The form is made anew each time it opens: an intent is for one card. */
const Content = ({
  teamId,
  onClose,
  onBusy,
}: PayerProps & { onClose: () => void; onBusy: (busy: boolean) => void }) => {
  const config = useApiQuery(contract.billing.config);
  const id = useId();
  // A query and not a mutation: React may mount twice, and this asks once.
  const intent = useQuery({
    queryKey: [...keyOf(contract.billing.setupIntent, payerArgs({ teamId })), id],
    queryFn: () => api.billing.setupIntent({ body: payerArgs({ teamId }) }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const error = intent.error ?? config.error;
  if (error) {
    return (
      <ErrorState
        title="The card form could not be loaded"
        message={error.sentence}
        requestId={error.requestId}
        onRetry={() => Promise.all([intent.error && intent.refetch(), config.error && config.refetch()])}
        retrying={intent.isFetching || config.isFetching}
      />
    );
  }
  if (!intent.data || !config.data) return <Preparing />;
  return (
    <Suspense fallback={<Preparing />}>
      <CardForm
        config={config.data}
        clientSecret={intent.data.clientSecret}
        teamId={teamId}
        onBusy={onBusy}
        onClose={onClose}
        preparing={<Preparing />}
      />
    </Suspense>
  );
};

/** "Update Payment": a real card form; its card pays everything from then on (decisions §6). */
export default function CardDialog({ open, onClose, teamId }: Props) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      locked={busy}
      title="Update Payment"
      description="The new card pays every subscription from now on, and what is owed is charged to it."
    >
      {open && <Content teamId={teamId} onClose={onClose} onBusy={setBusy} />}
    </Dialog>
  );
}
