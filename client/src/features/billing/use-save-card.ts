import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { contract } from '#shared/api/index.ts';
import { type PayerProps, payerArgs } from '#client/features/billing/payer.ts';
import { api } from '#client/lib/api.ts';
import { confirmCard } from '#client/lib/confirm-card.ts';
import { paths } from '#client/lib/paths.ts';
import { invalidate } from '#client/lib/query-client.ts';
import { toast } from '#client/lib/toast.ts';

/** B §8. */
const failed = 'Failed to update payment method. Please try again.';

/** What a new card may change: it is charged for what is owed. */
export const changedByPayment = [
  contract.billing.paymentMethod,
  contract.billing.invoices,
  contract.subscriptions.list,
  contract.subscriptions.listAll,
] as const;

type Options = PayerProps & {
  stripe: Stripe | null;
  elements: StripeElements | null;
  clientSecret: string;
  onBusy: (busy: boolean) => void;
  onSaved: () => void;
};

/** Confirms the card with the provider, once, and then makes it the one that pays. Never sent twice. */
export const useSaveCard = ({ stripe, elements, clientSecret, teamId, onBusy, onSaved }: Options) => {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<{ title?: string; sentence: string }>();
  const sending = useRef(false);
  const confirmed = useRef(false);

  /** The card is with the provider; false where it was not taken. */
  const confirm = async (): Promise<boolean> => {
    if (confirmed.current) return true;
    if (!stripe || !elements) return false;
    const checked = await elements.submit();
    if (checked.error) {
      setFault({ sentence: checked.error.message ?? failed });
      return false;
    }
    const returnUrl = new URL(`${paths.dashboard}?tab=billing`, window.location.origin).href;
    const refusal = await confirmCard({ stripe, elements, clientSecret, setup: true, returnUrl });
    if (refusal === 'paid') return (confirmed.current = true);
    const reason = refusal?.type === 'card_error' ? refusal.message : undefined;
    setFault(reason ? { title: failed, sentence: reason } : { sentence: failed });
    return false;
  };
  const store = async () => {
    const setupIntentId = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
    await api.billing.savePaymentMethod({ body: { setupIntentId, ...payerArgs({ teamId }) } });
    await invalidate(queryClient, ...changedByPayment);
    toast({ title: 'Payment Method Updated', description: 'The new card pays from now on.' });
    onSaved();
  };

  const save = async () => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    onBusy(true);
    setFault(undefined);
    try {
      if (await confirm()) await store();
    } catch {
      setFault({ sentence: failed });
    } finally {
      sending.current = false;
      setBusy(false);
      onBusy(false);
    }
  };
  return { save, busy, fault };
};
