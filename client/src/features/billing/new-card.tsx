import { type ReactNode, Suspense } from 'react';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { HowToCancel } from '#client/features/billing/how-to-cancel.tsx';
import { type Payer, payerArgs, useForecast } from '#client/lib/money/payer.tsx';
import { billDay } from '#client/lib/words/format.ts';
import { later } from '#client/lib/pages/load-later.ts';
import { useApiQuery, useWriteOnMount } from '#client/lib/calls/use-api.ts';
import { both, QueryView } from '#client/ui/query-view.tsx';

const UpdatePaymentForm = later(() => import('#client/features/billing/update-payment-form.tsx'));

type Props = Payer & { onSaved: () => void; onCancel?: (() => void) | undefined; preparing: ReactNode };

/** Saves a card that is typed in, and pays with it what is owed. Each mounting begins a setup intent, which is for one card. */
export const NewCard = ({ teamId, ...form }: Props) => {
  const config = useApiQuery(contract.billing.config);
  const intent = useWriteOnMount(contract.billing.setupIntent, { body: payerArgs({ teamId }) });
  return (
    <QueryView query={both(intent, config)} failedTitle="The card form could not be loaded" loading={form.preparing}>
      {([begun, stripeConfig]) => (
        <>
          <TrialsThatGoOn teamId={teamId} />
          <Suspense fallback={form.preparing}>
            <UpdatePaymentForm config={stripeConfig} {...begun} {...form} teamId={teamId} />
          </Suspense>
        </>
      )}
    </QueryView>
  );
};

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
      <p className="mt-1 text-xs text-muted">
        <HowToCancel trial />
      </p>
    </div>
  );
};
