import { useElements, useStripe } from '@stripe/react-stripe-js';
import type { ReactNode } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { NewCardNotice } from '#client/lib/money/card-name.tsx';
import type { Payer } from '#client/lib/money/payer.ts';
import { CardFields, StripeFields } from '#client/features/billing/stripe-fields.tsx';
import { useSaveCard } from '#client/lib/money/use-save-card.ts';
import { Alert } from '#client/ui/alert.tsx';
import { useDialogLock } from '#client/ui/in-dialog.tsx';
import { FormFooter } from '#client/ui/form.tsx';

type Props = Payer & {
  config: Reply<typeof contract.billing.config>;
  clientSecret: string;
  /** The card is charged this as soon as it is saved. */
  owedCents: number;
  onSaved: () => void;
  onCancel?: (() => void) | undefined;
  preparing: ReactNode;
};

export default function UpdatePaymentForm({ config, ...form }: Props) {
  return (
    <StripeFields config={config} clientSecret={form.clientSecret} preparing={form.preparing}>
      <Fields {...form} />
    </StripeFields>
  );
}

const Fields = ({ clientSecret, owedCents, teamId, onSaved, onCancel, preparing }: Omit<Props, 'config'>) => {
  const stripe = useStripe();
  const elements = useElements();
  const { save, busy, fault } = useSaveCard({ stripe, elements, clientSecret, teamId, onSaved });
  useDialogLock(busy);
  return (
    <form
      noValidate
      aria-busy={busy}
      aria-label="Card"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="mb-4">
        <NewCardNotice payer={{ teamId }} />
      </div>
      <CardFields preparing={preparing}>
        {fault && (
          <Alert tone="danger" title={fault.title} announce className="mt-4">
            {fault.sentence}
          </Alert>
        )}
        {owedCents === 0 && <p className="mt-4 text-xs text-muted">Nothing is charged now.</p>}
        <FormFooter form={{ pending: busy }} onCancel={onCancel} className="figures" pendingLabel="Saving card…">
          {owedCents > 0 ? `Save card and pay ${formatCents(owedCents)}` : 'Save card'}
        </FormFooter>
      </CardFields>
    </form>
  );
};
