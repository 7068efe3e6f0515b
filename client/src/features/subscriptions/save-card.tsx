import { useElements, useStripe } from '@stripe/react-stripe-js';
import { contract } from '#shared/api/members.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { PaymentFormSkeleton } from '#client/features/subscriptions/payment-form-skeleton.tsx';
import { NewCardNotice } from '#client/lib/card-name.tsx';
import { type Payer, payerArgs } from '#client/lib/payer.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { CardFields, StripeFields } from '#client/lib/stripe-fields.tsx';
import { useSaveCard } from '#client/lib/use-save-card.ts';
import { useWriteOnMount } from '#client/lib/write.ts';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { useDialogLock } from '#client/ui/dialog-lock.ts';
import { ErrorState } from '#client/ui/error-state.tsx';
import { both, QueryView } from '#client/ui/query-view.tsx';

type Props = { payer: Payer; onSaved: () => void };
type Loaded = Props & { config: Reply<typeof contract.billing.config>; clientSecret: string };

/** Another card for a payer who has a bill: it is saved first, and a press of its own then charges it. */
export default function SaveCard(props: Props) {
  const config = useApiQuery(contract.billing.config);
  const intent = useWriteOnMount(contract.billing.setupIntent, { body: payerArgs(props.payer) });
  return (
    <QueryView
      query={both(intent, config)}
      failedTitle="The card form could not be loaded"
      loading={<PaymentFormSkeleton />}
    >
      {([{ clientSecret }, stripeConfig]) => <Fields {...props} config={stripeConfig} clientSecret={clientSecret} />}
    </QueryView>
  );
}

const Fields = ({ config, ...form }: Loaded) => (
  <StripeFields
    config={config}
    clientSecret={form.clientSecret}
    preparing={<PaymentFormSkeleton />}
    renderFailure={(retry) => (
      <ErrorState
        title="The card form could not be loaded"
        message="Stripe isn't responding. Nothing was charged."
        onRetry={retry}
      />
    )}
  >
    <Form {...form} />
  </StripeFields>
);

const Form = ({ payer, clientSecret, onSaved }: Omit<Loaded, 'config'>) => {
  const stripe = useStripe();
  const elements = useElements();
  const { save, busy, fault } = useSaveCard({ stripe, elements, clientSecret, onSaved, teamId: payer.teamId });
  useDialogLock(busy);
  return (
    <form
      noValidate
      aria-busy={busy}
      aria-label="Card"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <NewCardNotice payer={payer} />
      <CardFields preparing={<PaymentFormSkeleton />}>
        {fault && (
          <Alert tone="danger" title={fault.title} announce>
            {fault.sentence}
          </Alert>
        )}
        <Button type="submit" size="lg" className="w-full" pending={busy} pendingLabel="Saving card…">
          Save card
        </Button>
        <p className="text-xs text-muted">Nothing is charged yet. The next step names the amount.</p>
      </CardFields>
    </form>
  );
};
