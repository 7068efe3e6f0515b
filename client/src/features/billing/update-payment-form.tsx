import { useElements, useStripe } from '@stripe/react-stripe-js';
import { type ReactNode, useRef, useState } from 'react';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { DialogFooter, useDialogLock } from '#client/ui/in-dialog.tsx';
import { NewCardNotice, type Payer } from '#client/lib/money/payer.tsx';
import { CardFields, StripeFields } from '#client/features/billing/stripe-fields.tsx';
import { Button, FormError } from '#client/ui/elements.tsx';
import { cardFailed, cardReturn, storeCard, whyNotStored } from '#client/lib/money/store-card.ts';
import { confirmCard, explained } from '#client/lib/money/confirm-card.ts';

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
        <FormError title={fault?.title} className="mt-4">
          {fault?.sentence}
        </FormError>
        {owedCents === 0 && <p className="mt-4 text-xs text-muted">Nothing is charged now.</p>}
        <DialogFooter>
          {onCancel && (
            <Button variant="secondary" disabled={busy} onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" className="figures" pending={busy} pendingLabel="Saving card…">
            {owedCents > 0 ? `Save card and pay ${formatCents(owedCents)}` : 'Save card'}
          </Button>
        </DialogFooter>
      </CardFields>
    </form>
  );
};

type Options = Payer & {
  stripe: Stripe | null;
  elements: StripeElements | null;
  clientSecret: string;
  onSaved: () => void;
};

/** Confirms the card with Stripe, then makes it the one that pays. A retry does not confirm a second time. */
const useSaveCard = ({ stripe, elements, clientSecret, teamId, onSaved }: Options) => {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<{ title?: string; sentence: string }>();
  const sending = useRef(false);
  const confirmed = useRef(false);

  const confirm = async (): Promise<boolean> => {
    if (confirmed.current) return true;
    if (!stripe || !elements) return false;
    const checked = await elements.submit();
    if (checked.error) {
      setFault({ sentence: checked.error.message ?? cardFailed });
      return false;
    }
    const returnUrl = cardReturn({ teamId });
    const refusal = await confirmCard({ stripe, elements, clientSecret, setup: true, returnUrl });
    if (refusal === 'paid') return (confirmed.current = true);
    const sentence = explained(refusal);
    setFault(sentence ? { title: cardFailed, sentence } : { sentence: cardFailed });
    return false;
  };

  const save = async () => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setFault(undefined);
    try {
      if (!(await confirm())) return;
      await storeCard(clientSecret.slice(0, clientSecret.indexOf('_secret_')), { teamId });
      onSaved();
    } catch (error) {
      setFault({ sentence: whyNotStored(error) });
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  return { save, busy, fault };
};
