import { useElements, useStripe } from '@stripe/react-stripe-js';
import type { StripeError } from '@stripe/stripe-js';
import { Lock } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { CardFields, StripeFields } from '#client/features/billing/stripe-fields.tsx';
import { DueToday, PaymentFormSkeleton, PaymentTerms } from '#client/features/subscriptions/payment-terms.tsx';
import type { Terms } from '#client/features/subscriptions/charge-terms.ts';
import { NewCardNotice, type Payer } from '#client/lib/money/payer.tsx';
import { confirmCard, paymentSentence } from '#client/lib/money/confirm-card.ts';
import { toast } from '#client/lib/words/toast.ts';
import { refetchChangedBy } from '#client/lib/calls/use-api.ts';
import { Button, FormError } from '#client/ui/elements.tsx';
import { useDialogLock } from '#client/ui/in-dialog.tsx';

type Props = {
  config: Reply<typeof contract.billing.config>;
  clientSecret: string;
  payer: Payer;
  /** With what the opened payment charges. */
  terms: Terms;
  subscribes?: boolean | undefined;
  returnUrl: string;
  /** True while Stripe is being asked: the form must stay until it answers. */
  onBusy?: (busy: boolean) => void;
  onPaid: () => void;
};

export default function PaymentForm({ config, ...form }: Props) {
  return (
    <StripeFields config={config} clientSecret={form.clientSecret} preparing={<PaymentFormSkeleton />}>
      <CardForm {...form} />
    </StripeFields>
  );
}

const CardForm = ({ clientSecret, payer, terms, subscribes, returnUrl, onBusy, onPaid }: Omit<Props, 'config'>) => {
  const stripe = useStripe();
  const elements = useElements();
  const [busy, setBusy] = useState(false);
  useDialogLock(busy);
  const [fault, setFault] = useState<{ sentence: string; attempted: boolean }>();
  const sending = useRef(false);

  const pay = async () => {
    if (!stripe || !elements || sending.current) return;
    sending.current = true;
    setBusy(true);
    onBusy?.(true);
    setFault(undefined);
    const refuse = (error: StripeError | null, attempted: boolean) => {
      const sentence = paymentSentence(error);
      setFault({ sentence, attempted });
      if (attempted) toast({ title: 'Payment Failed', variant: 'destructive' });
      // Another window withdrew it; the refetched page says what became of it.
      if (error?.payment_intent?.status === 'canceled') void refetchChangedBy(contract.subscriptions.sync);
      setBusy(false);
      onBusy?.(false);
      sending.current = false;
    };
    try {
      const checked = await elements.submit();
      if (checked.error) return refuse(checked.error, false);
      const refusal = await confirmCard({ stripe, elements, clientSecret, setup: false, returnUrl });
      // Once paid, the form stays busy, so that it can't be sent again.
      if (refusal === 'paid') onPaid();
      else refuse(refusal, true);
    } catch {
      refuse(null, true);
    }
  };

  return (
    <form
      noValidate
      aria-busy={busy}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void pay();
      }}
    >
      <NewCardNotice payer={payer} />
      <CardFields preparing={<PaymentFormSkeleton />}>
        <FormError>{fault?.sentence}</FormError>
        <DueToday terms={terms} card="this card" />
        <Button type="submit" size="lg" className="figures w-full" pending={busy} pendingLabel="Processing Payment...">
          <Lock aria-hidden />
          {subscribes ? `Subscribe for ${formatCents(terms.cents)}/month` : `Pay ${formatCents(terms.dueTodayCents)}`}
        </Button>
        <PaymentTerms terms={terms} card="your card" />
      </CardFields>
    </form>
  );
};
